"""What a piece was about, how it stands, and what was changed: files by folder, commits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.distill.committed import commits_made
from helix_tui.memory.distill.files_changed import files_changed
from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.prose import lines_of, sentences_of, shortened
from helix_tui.memory.distill.quoting import quoted
from helix_tui.memory.distill.turns_told import calls_in, is_about, is_told_by, words
from helix_tui.schema.memory import Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_STATE_LENGTH = 180
_HEAD_LENGTH = 140
_TASK_LENGTH = 220
# A longer prompt is a template, or a brief.
_TEMPLATE = 1_000
# That nobody objected says nothing that is not seen.
_UNSAID = "the person did not object"
# An open end tells how it broke off, and at what.
_BROKEN_OFF = re.compile(
    r"(?:the last prompt was never answered|it ends (?:within|with|before) [^;]*"
    r"|the person (?:stopped|refused) [^;]*)(?:; |$)"
)
_COULD_NOT = "the agent says that it could not"
_DROPPED = "stashed changes were dropped"
# How far it went, which the work tells: neither says what is missing.
_SAYS_NOTHING = re.compile(
    r"(?:(?:and )?(?:part of the )?work was committed|a check passed) before"
)
# What git tells is told by itself.
_KEPT = re.compile(
    r",? and (?:part of )?the work was committed|^the work was committed(?:; no check.*|$)"
)
# Helix's own words: none of them is of a log.
_OWN = re.compile(
    r"the last check passed|the checks of the commit passed|the person's last message is content"
    r" with the work|what was edited ran well after the last edit"
)
_EDITED_ONLY = "code was edited, and nothing was run that shows whether it works"
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
# Some runners count files, or suites, in the line that decided.
_OF_SUITES = re.compile(r"(?i)\b(?:files|suites)\b")
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
        yield f"Asked: {quoted(task, _HEAD_LENGTH if is_other else _TASK_LENGTH)}"
    changed = files_changed(piece)
    if state := "; ".join(filter(None, (_state(piece), _by_git(piece, bool(changed))))):
        yield f"How it stands: {state}"
    if changed:
        yield f"Changed: {changed}"
    if piece.passed:
        commands = (code_span(shortened(one, _STATE_LENGTH)) for one in piece.passed)
        when = " before the last edits" if piece.facts.ending.code_edits else ""
        yield f"Passed{when}: {', '.join(commands)}{_tests_counted(piece)}"
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


def _is_template(piece: Piece, task: str) -> bool:
    """Whether the task is the head of a long prompt that says nothing of what the title says."""
    return any(
        len(turn.asked) > _TEMPLATE and gist(turn.asked, piece.title) == task
        for turn in piece.exchanges
    )


def _work(piece: Piece) -> Iterator[str]:
    facts = piece.facts
    if facts.active_ms >= 60_000:
        yield f"{facts.active_ms // 60_000:,} min active"
    yield plural(facts.prompts, "prompt")
    yield plural(calls_in(piece), "tool call")
    if commits := commits_made(facts):
        yield plural(commits, "commit")
    if facts.compactions:
        yield f"context compacted {plural(facts.compactions, 'time')}"


def _is_pushed(piece: Piece) -> bool:
    """Whether git answered that the last commit was pushed."""
    behind: list[str] = []
    for run in piece.facts.runs:
        if run.name == "git commit" and run.state == "passed":
            behind = []
        elif run.name == "git push":
            behind.append(run.state)
    return behind[-1:] == ["passed"]


def _by_git(piece: Piece, has_files: bool) -> str:
    """Whether what was changed was checked, committed and pushed, where no state says so."""
    facts, ending = piece.facts, piece.facts.ending
    commits = commits_made(facts)
    if not (commits or ending.changes or ending.edits_since_commit):
        return ""
    found: list[str] = []
    if not piece.state and piece.passed and not ending.code_edits:
        found.append("checks passed after the last edit; ")
    if commits:
        told = f"{piece.state} {' '.join(piece.unfinished)}"
        if _is_pushed(piece):
            found.append("committed and pushed")
        else:
            found.append(", ".join(["committed", *_unpushed(piece, told)]))
    # Whoever comes back finds these in the tree, and in no commit.
    if any(one.startswith(_DROPPED) for one in piece.unfinished):
        found.append(", a stash of changes was dropped")
    elif ending.edits_since_commit and has_files:
        found.append(
            ", the last edits not committed" if commits else "not committed in this session"
        )
    return "".join(found).removeprefix(", ").removesuffix("; ")


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
    # What is open tells the rest.
    word = _OUTCOMES.get(piece.outcome, "") if piece.unfinished else ""
    word = "" if word == _OUTCOMES["unknown"] else word
    if piece.state.startswith(_COULD_NOT) or piece.state in piece.unfinished:
        return word
    if piece.state.endswith(_UNSAID):
        return ""
    state = _KEPT.sub("", _COMMITTING.sub("", _REDIRECTED.sub("", piece.state)))
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
    if state == _EDITED_ONLY:
        return "nothing was run that shows whether what was edited works"
    state = state.removesuffix(_NO_MORE).removesuffix("; no check tells more")
    if not state or _SAYS_NOTHING.fullmatch(state.strip()):
        return word
    if _OWN.fullmatch(state):
        return state
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
