"""What a piece was about, how it stands, and what was changed: files by folder, commits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.files_changed import files_changed
from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.prose import lines_of, plain_line, sentences_of, shortened
from helix_tui.memory.distill.quoting import LINE_LENGTH, quoted
from helix_tui.memory.distill.turns_told import calls_in, is_about, words
from helix_tui.schema import Facts
from helix_tui.schema.memory import CommitMade, Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_STATE_LENGTH = 180
_TITLE_LENGTH = 120
_MOST_COMMITS = 4
_HEAD_LENGTH = 140
# A longer prompt is a template, or a brief.
_TEMPLATE = 1_000
_LONG_WORD = 5
_FEW = 1
# That nobody objected says nothing that is not seen.
_UNSAID = "the person did not object"
# An open end tells how it broke off, and at what.
_BROKEN_OFF = re.compile(
    r"(?:the last prompt was never answered|it ends (?:within|with|before) [^;]*"
    r"|the person (?:stopped|refused) [^;]*)(?:; |$)"
)
_COULD_NOT = "the agent says that it could not"
_OPENED = "Opened: "
_DROPPED = "stashed changes were dropped"
# How far it went, which the work tells: neither says what is missing.
_SAYS_NOTHING = re.compile(
    r"(?:(?:and )?(?:part of the )?work was committed|a check passed) before"
)
_RED = re.compile(r"\bred\b|\bfail(?:s|ed)\b")
_LAST_TURNS = 3
_NOT_OURS = re.compile(
    r"(?i)\b(?:pre-?existing|unrelated (?:to|errors?|failures?)|not (?:caused|introduced) by"
    r"|already (?:failing|broken)|no new (?:\w+ ){0,4}(?:errors?|failures?|warnings?))\b"
)
_OF_CHECK = re.compile(
    r"(?i)\b(?:errors?|fail\w*|tests?|checks?|lint\w*|type\w*|warnings?|build)\b"
)
_NO_MORE = "; no check after the last edit tells more"
_RENAMED = re.compile(r"\b(?:gh|glab) (?:pr|mr) (?:edit|update)\b")
_CUT_WORD = re.compile(r"\s\S*…$")
# Some runners count files, or suites, in the line that decided.
_OF_SUITES = re.compile(r"(?i)\b(?:files|suites)\b")
_NO_COMMIT = re.compile(r"\b(?:gh|glab) (?:pr|mr) create\b|\bgit merge\b")
_OWN_COMMIT = re.compile(r"\bgit\b[^|;&]{0,80}\bcommit\b.{0,20}\s-")
_AMENDED = re.compile(r"\bcommit\b.{0,60}--amend\b")
_REDIRECTED = re.compile(r"\s+(?:2>&1|\|).*", re.DOTALL)
_COMMITTING = re.compile(r": (?:cd \S+ && )?git .*", re.DOTALL)
# How it went, in a word; `success` is only as sure as what tells it.
_OUTCOMES = {
    "partial": "partly done",
    "failed": "not done",
    "abandoned": "broken off",
    "unknown": "not known",
}


def context(piece: Piece, task: str) -> Iterator[str]:
    """What was asked, how it stands, what was changed, and how much was done."""
    is_other = bool(piece.title) and not is_about(words(piece.title), task)
    if task and not is_told_by(piece.title, task) and not (is_other and _is_template(piece, task)):
        # The head of a brief is only to be recognized.
        yield f"Asked: {quoted(task, _HEAD_LENGTH if is_other else LINE_LENGTH)}"
    if state := "; ".join(filter(None, (_state(piece), _by_git(piece)))):
        yield f"How it stands: {state}"
    if changed := files_changed(piece):
        # Whoever comes back finds these in the tree, and in no commit.
        ending = piece.facts.ending
        is_left = bool(ending.edits_since_commit)
        since = " (the last edits not committed)" if commits_made(piece.facts) else ""
        left = since or " (not committed in this session)"
        is_dropped = any(one.startswith(_DROPPED) for one in piece.unfinished)
        left = " (a stash of changes was dropped since)" if is_dropped else left
        yield f"Changed{left if is_left else ''}: {changed}"
    if piece.passed:
        commands = (code_span(shortened(one, _STATE_LENGTH)) for one in piece.passed)
        when = " before the last edits" if piece.facts.ending.code_edits else ""
        yield f"Passed{when}: {', '.join(commands)}{_tests_counted(piece)}"
    yield from commits_told(piece)
    yield f"{'; '.join(_work(piece))}."


def _tests_counted(piece: Piece) -> str:
    """How many tests the last run of tests passed, by its own count."""
    runs = [run for run in piece.facts.runs if run.kind == "test"]
    last = runs[-1] if runs else None
    if last is None or last.state != "passed" or last.failed or not last.passed:
        return ""
    # A smaller run than others was of a part.
    is_part = any((run.passed or 0) > last.passed for run in runs)
    if is_part or _OF_SUITES.search(last.reason):
        return ""
    return f" ({plural(last.passed, 'test')} in the last run)"


def commits_told(piece: Piece) -> Iterator[str]:
    """The last commits, by git's own words where it has some, and a pull request."""
    kept = [title for one in piece.facts.kept if (title := title_of_kept(one.text))]
    opened = [title for title in kept if title.startswith(_OPENED)]
    made = [_made(one) for one in {one.title: one for one in piece.commits}.values()]
    # Of many the commands are kept of the first, and what git said of all.
    titles = list(dict.fromkeys([*made, *opened] if len(made) >= len(kept) - len(opened) else kept))
    others = len(titles) - sum(one.startswith(_OPENED) for one in titles)
    left = max(len(titles), commits_made(piece.facts) + len(titles) - others) - _MOST_COMMITS
    if left > 0 and len(titles) > _MOST_COMMITS:
        yield f"Earlier commits: {left} more"
    yield from _renamed(piece, titles[-_MOST_COMMITS:])


def _made(commit: CommitMade) -> str:
    """A commit as git told of it; the hash of one that was rebased since is none any more."""
    behind = f"{commit.hash}, " if commit.hash else ""
    return (
        f"Committed: {quoted(commit.title, _TITLE_LENGTH)} ({behind}{plural(commit.files, 'file')})"
    )


def _renamed(piece: Piece, titles: list[str]) -> list[str]:
    """The titles, with the last name of the one pull request that was opened."""
    opened = [at for at, title in enumerate(titles) if title.startswith(_OPENED)]
    later = [one for one in piece.facts.commands if _RENAMED.search(one) and cues.TITLE.search(one)]
    if len(opened) == 1 and later:
        titles[opened[0]] = title_of_kept(later[-1])
    return titles


def _is_template(piece: Piece, task: str) -> bool:
    """Whether the task is the head of a long prompt that says nothing of what the title says."""
    return any(
        len(turn.asked) > _TEMPLATE and gist(turn.asked, piece.title) == task
        for turn in piece.exchanges
    )


def is_told_by(title: str, task: str) -> bool:
    """Whether a title has all words of a request but a few small ones."""
    left = words(task) - words(title)
    return bool(title) and sum(len(word) >= _LONG_WORD for word in left) <= _FEW


def _work(piece: Piece) -> Iterator[str]:
    facts = piece.facts
    if facts.active_ms >= 60_000:
        yield f"{facts.active_ms // 60_000:,} min active"
    yield plural(facts.prompts, "prompt")
    yield plural(calls_in(piece), "tool call")
    if commits := commits_made(facts):
        yield f"{plural(commits, 'commit')}{', pushed' if _is_pushed(piece) else ''}"
    if facts.compactions:
        yield f"context compacted {plural(facts.compactions, 'time')}"


def commits_made(facts: Facts) -> int:
    """How many commits stand: a pull request, a merge or an amended commit is no further one."""
    others = sum(
        1
        for one in facts.kept
        if _AMENDED.search(one.text)
        or (_NO_COMMIT.search(one.text) and not _OWN_COMMIT.search(one.text))
    )
    return max(0, facts.commits - others - facts.reverts)


def _is_pushed(piece: Piece) -> bool:
    """Whether git answered that the last commit was pushed."""
    behind: list[str] = []
    for run in piece.facts.runs:
        if run.name == "git commit" and run.state == "passed":
            behind = []
        elif run.name == "git push":
            behind.append(run.state)
    return behind[-1:] == ["passed"]


def _by_git(piece: Piece) -> str:
    """Whether what was changed was checked, committed and pushed, where no state says so."""
    facts, ending = piece.facts, piece.facts.ending
    commits = commits_made(facts)
    if not (commits or ending.changes):
        return ""
    told = f"{piece.state} {' '.join(piece.unfinished)}"
    found: list[str] = []
    if not piece.state and piece.passed and not ending.code_edits:
        found.append("checks passed after the last edit")
    if commits and "commit" not in told:
        found.append("committed")
    if commits and not _is_pushed(piece):
        found += _unpushed(piece, told)
    return ", ".join(found)


def _unpushed(piece: Piece, told: str) -> Iterator[str]:
    """What became of the pushes, where the last commit is not known to be pushed."""
    pushes = [run.state for run in piece.facts.runs if run.name == "git push"]
    passed = pushes.count("passed")
    if not passed:
        if "push" not in told:
            yield "not pushed in this session"
    elif pushes[-1] == "failed":
        earlier = f"{plural(passed, 'earlier push', 'earlier pushes')} passed"
        yield earlier if "last push failed" in told else f"the last push failed, {earlier}"
    elif pushes[-1] == "passed":
        yield f"pushed {plural(passed, 'time')}, the last commit not in this session"
    else:
        yield f"pushed {plural(passed, 'time')}; how the last push ended is not known"


def _state(piece: Piece) -> str:
    """How it stands, unless an open end tells the same; a commit that ran checks is not quoted."""
    if piece.state.startswith(_COULD_NOT) or piece.state in piece.unfinished:
        return ""
    if piece.state.endswith(_UNSAID):
        return ""
    state = _COMMITTING.sub("", _REDIRECTED.sub("", piece.state))
    if _COMMITTING.search(piece.state):
        state = state.replace("the last check passed", "the checks of the commit passed")
    state = re.sub(r"={3,}", "", state).replace(" red where it ends:", " red:").strip()
    if piece.unfinished and piece.outcome != "success":
        state = _BROKEN_OFF.sub("", state)
    # The checks that tell most stand among those that passed.
    head = state.partition(": ")[0]
    if piece.passed and head.startswith("the last check passed"):
        state = head
    if piece.passed:
        state = state.removesuffix(_NO_MORE)
    if not state or _SAYS_NOTHING.fullmatch(state.strip()):
        return ""
    word = _OUTCOMES.get(piece.outcome, "")
    if _RED.search(state) and (excuse := _said_of_red(piece)):
        return f"{quoted(state, _STATE_LENGTH)} (the agent: {quoted(excuse, _STATE_LENGTH)})"
    # What is red, or was never seen, says so itself.
    return f"{word}: {quoted(state, _STATE_LENGTH)}" if word else quoted(state, _STATE_LENGTH)


def _said_of_red(piece: Piece) -> str:
    """What the last reports say of errors that were there before, or are of other work."""
    for turn in reversed(piece.exchanges[-_LAST_TURNS:]):
        for line in lines_of(turn.answered):
            for sentence in sentences_of(line.text):
                if _NOT_OURS.search(sentence) and _OF_CHECK.search(sentence):
                    return sentence
    return ""


def title_of_kept(command: str) -> str:
    """The title of a commit or a pull request, from its command."""
    if match := cues.TITLE.search(command):
        return f"{_OPENED}{quoted(plain_line(match['title']), _TITLE_LENGTH)}"
    if match := cues.HEREDOC.search(command) or cues.MESSAGE.search(command):
        title = plain_line(match["title"])
        if len(title) > cues.SUMMARY // 2 and (body := cues.BODY.search(title, 20)):
            title = title[: body.start()]
        return f"Committed: {quoted(_CUT_WORD.sub('…', title), _TITLE_LENGTH)}"
    return ""


def without_titles(lines: Sequence[str], titles: Sequence[str]) -> list[str]:
    """The lines of which none only repeats a commit's title."""
    said = [title.partition("`")[2].rstrip("`… ") for title in titles]
    return [line for line in lines if not any(one and one in line for one in said)]
