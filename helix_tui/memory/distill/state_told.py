"""How a session stands, as a colleague would say it: checks, commits, pushes and what is open.

By events alone: which checks passed behind the last edit, which commits stand, what was pushed, and
which files were changed behind the last commit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill.committed import commits_made
from helix_tui.memory.distill.files_changed import files_left
from helix_tui.schema.memory import CheckRun, Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_MOST_NAMES = 4
_WEIGHTS = ("test", "ci", "check", "build", "types", "lint", "format")
_DROPPED = "stashed changes were dropped"
# What the digest says of how it went, and how it is told to somebody who was not there.
_PLAIN = (
    (
        re.compile(r"it did the job but for something, and what was changed for that .*"),
        "the person said that it works but for one thing; what was changed for that was not run",
    ),
    (
        re.compile(r"reported broken (?P<times>\d+) times, and not seen to work since"),
        r"the person reported trouble \g<times> times, and nothing shows that it is gone",
    ),
    (
        re.compile(r"part of it was put off, and no check or commit shows the rest"),
        "",
    ),
    (
        re.compile(r"code was edited, and nothing was run that shows whether it works"),
        "nothing was run that shows whether what was edited works",
    ),
    (
        re.compile(r"the person reported to the last that it does not work"),
        "the person said to the last that it does not work",
    ),
    (
        re.compile(r"the person's last message is content with the work"),
        "the person's last message is content with the work",
    ),
)
_OF_LAST_CHECK = re.compile(r"the last check passed|the checks of the commit passed")


def in_plain_words(state: str) -> str:
    """What the digest says, without its own turns of phrase."""
    for pattern, plain in _PLAIN:
        if match := pattern.fullmatch(state):
            return match.expand(plain)
    return state


def is_plain(state: str) -> bool:
    """Whether a state is in Helix's own words alone."""
    return any(pattern.fullmatch(state) for pattern, _ in _PLAIN)


def checks_told(piece: Piece, state: str) -> str:
    """A state that says which checks passed, and whether something was edited behind them."""
    match = _OF_LAST_CHECK.match(state)
    if match is None or not piece.checks:
        return state
    green = [one for one in piece.checks if one.state == "passed" and not one.is_baseline]
    now = [one for one in green if not one.edits_since]
    if not now:
        return state if green or not piece.tree.code_edits else ""
    rest = state[match.end() :]
    if all(one.with_commit for one in now):
        return f"{_names(now)} passed with the last commit{rest}"
    behind = " after the last edit" if piece.tree.code_edits else ""
    return f"{_names(now)} passed{behind}{rest}"


def _names(checks: Sequence[CheckRun]) -> str:
    ranked = sorted(checks, key=lambda one: _weight(one.kind))
    names = list(dict.fromkeys(one.name for one in ranked))
    told = ", ".join(map(code_span, names[:_MOST_NAMES]))
    return f"{told} and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else told


def _weight(kind: str) -> int:
    return _WEIGHTS.index(kind) if kind in _WEIGHTS else len(_WEIGHTS)


def by_git(piece: Piece, has_files: bool) -> str:
    """Whether what was changed was checked, committed and pushed, and what of it is open."""
    facts, ending = piece.facts, piece.facts.ending
    commits = commits_made(facts)
    if not (commits or ending.changes or ending.edits_since_commit):
        return ""
    found: list[str] = []
    if not piece.state and piece.passed and not ending.code_edits and not piece.checks:
        found.append("checks passed after the last edit")
    if commits:
        found.append("committed" + _pushed(piece, f"{piece.state} {' '.join(piece.unfinished)}"))
    # Whoever comes back finds these in the tree, and in no commit.
    if any(one.startswith(_DROPPED) for one in piece.unfinished):
        found.append("a stash of changes was dropped")
    elif has_files and (left := _left(piece, has_commits=bool(commits))):
        found.append(left)
    return "; ".join(found)


def _left(piece: Piece, *, has_commits: bool) -> str:
    """What is changed and in no commit, as far as the session tells."""
    tree = piece.tree
    if tree.is_clean and tree.has_edits:
        return "" if has_commits else "git saw nothing left to commit at the end"
    if not piece.facts.ending.edits_since_commit:
        return ""
    if not has_commits:
        return "not committed in this session"
    if not tree.has_edits:
        return "the last edits not committed"
    named = files_left(piece)
    return f"changed and in no commit: {named}" if named else ""


def _pushed(piece: Piece, told: str) -> str:
    """What became of the pushes, behind "committed"."""
    last = next((one.hash for one in reversed(piece.commits) if one.hash), "")
    at = f" (last {code_span(last[:8])})" if last else ""
    pushes = [run.state for run in piece.facts.runs if run.name == "git push"]
    passed = pushes.count("passed")
    if _is_last_pushed(piece):
        return f" and pushed{at}"
    if piece.facts.ending.is_push_forbidden:
        return f"{at}; pushing is the person's"
    if not passed:
        failed = "push" in told
        return at if failed else f"{at}, not pushed in this session"
    return "".join((at, ", ", *_how_pushed(piece, pushes, passed, told)))


def _how_pushed(piece: Piece, pushes: Sequence[str], passed: int, told: str) -> Iterator[str]:
    if pushes[-1] == "failed":
        earlier = f"{plural(passed, 'earlier push', 'earlier pushes')} passed"
        yield earlier if "last push failed" in told else f"the last push failed, {earlier}"
    elif pushes[-1] == "passed":
        count = len(piece.tree.unpushed)
        which = "the last commit" if count < _SEVERAL else f"the last {count} commits"
        yield f"pushed but for {which}"
    else:
        yield f"pushed {plural(passed, 'time')}; how the last push ended is not known"


_SEVERAL = 2


def _is_last_pushed(piece: Piece) -> bool:
    """Whether git answered that the last commit was pushed."""
    behind: list[str] = []
    for run in piece.facts.runs:
        if run.name == "git commit" and run.state == "passed":
            behind = []
        elif run.name == "git push":
            behind.append(run.state)
    return behind[-1:] == ["passed"]
