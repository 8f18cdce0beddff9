"""What a piece was about, how it stands, and what was changed: files by folder, commits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill.committed import commits_by_theme, commits_made
from helix_tui.memory.distill.files_changed import files_changed
from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.prose import lines_of, sentences_of, shortened
from helix_tui.memory.distill.quoting import quoted
from helix_tui.memory.distill.state_told import by_git, checks_told, in_plain_words, is_plain
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
_GREEN_BUT = re.compile(
    r"(?P<green>the last check passed|the checks of the commit passed); (?P<red>.* last seen red.*)"
)
_RED_CHECK = re.compile(r"(?P<name>.{2,40}?) (?:was last seen red|failed, and was not run|fails)\b")
_BETWEEN_CLAUSES = r"; (?=.{2,40}? was last seen red)"
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
# How it broke off, where nothing else tells how it stands: what is open has the rest.
_ENDED = {
    "prompt": "the last prompt was not answered",
    "interrupted": "the person stopped the agent",
    "refused": "the person refused the last call",
    "api_error": "it ended as the model could not be reached",
    "tool_call": "it ended in the middle of a call",
    "tool_result": "it ended before the agent said what came of it",
    "tool_error": "it ended with a failed call",
    "compaction": "it ended where its context was compacted",
}
_WAITS = "it waits for an answer of the person"
_UNABLE = "the agent could not do all of it"


def context(piece: Piece, task: str) -> Iterator[str]:
    """What was asked, how it stands, what was changed, and how much was done."""
    is_other = bool(piece.title) and not is_about(words(piece.title), task)
    if task and not is_told_by(piece.title, task) and not (is_other and _is_template(piece, task)):
        # The head of a brief is only to be recognized.
        yield f"Asked: {quoted(task, _HEAD_LENGTH if is_other else _TASK_LENGTH)}"
    changed = files_changed(piece)
    if state := "; ".join(filter(None, (_state(piece), by_git(piece, bool(changed))))):
        yield f"How it stands: {state}"
    if changed:
        yield f"Changed: {changed}"
    now, before = piece.passed, piece.passed_before
    if piece.facts.ending.code_edits:
        now, before = [], [*now, *before]
    if now:
        yield f"Passed: {_commands(now)}{_tests_counted(piece)}"
    if before:
        yield f"Passed before the last edits: {_commands(before)}"
    if themes := commits_by_theme(piece):
        yield themes
    yield f"{'; '.join(_work(piece))}."


def _commands(commands: Sequence[str]) -> str:
    return ", ".join(code_span(shortened(one, _STATE_LENGTH)) for one in commands)


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


def _state(piece: Piece) -> str:
    """How it stands, unless an open end tells the same; a commit that ran checks is not quoted."""
    word = _how_it_ended(piece) if piece.unfinished else ""
    if piece.state.startswith(_COULD_NOT) or piece.state in piece.unfinished:
        return word
    if piece.state.endswith(_UNSAID):
        return ""
    state = _KEPT.sub("", _COMMITTING.sub("", _REDIRECTED.sub("", piece.state)))
    if _COMMITTING.search(piece.state):
        state = state.replace("the last check passed", "the checks of the commit passed")
    state = re.sub(r"={3,}", "", state).replace(" red where it ends:", " red:").strip()
    state = _without_open(state, piece.unfinished)
    if piece.unfinished and piece.outcome != "success":
        state = _BROKEN_OFF.sub("", state)
    # The checks that tell most stand among those that passed.
    head = state.partition(": ")[0]
    if (piece.passed or piece.checks) and head.startswith("the last check passed"):
        state = head
    if piece.passed:
        state = state.removesuffix(_NO_MORE)
    if is_plain(state):
        return in_plain_words(state)
    state = state.removesuffix(_NO_MORE).removesuffix("; no check tells more")
    if not state or _SAYS_NOTHING.fullmatch(state.strip()):
        return word
    if _OWN.fullmatch(state):
        return checks_told(piece, state) or word
    if green := _GREEN_BUT.fullmatch(state):
        told = checks_told(piece, green["green"])
        return "; ".join(filter(None, (told, quoted(green["red"], _STATE_LENGTH))))
    if _RED.search(state) and (excuse := _said_of_red(piece)):
        return f"{quoted(state, _STATE_LENGTH)} (the agent: {quoted(excuse, _STATE_LENGTH)})"
    return quoted(state, _STATE_LENGTH)


def _without_open(state: str, opened: Sequence[str]) -> str:
    """A state without the red checks that stand among what is open: each is told once."""
    red = {match["name"] for one in opened if (match := _RED_CHECK.match(one))}
    clauses = re.split(_BETWEEN_CLAUSES, state)
    kept = [
        clause
        for clause in clauses
        if not ((match := _RED_CHECK.match(clause)) and match["name"] in red)
    ]
    return "; ".join(kept)


def _how_it_ended(piece: Piece) -> str:
    """How it broke off, or what it waits for, in a few words."""
    if piece.outcome == "success":
        return ""
    ended = _ENDED.get(piece.facts.ended or "", "")
    if ended or piece.facts.ended is None:
        return ended
    if piece.state.startswith(_COULD_NOT):
        return _UNABLE
    is_waiting = piece.facts.ended == "question" or piece.outcome == "abandoned"
    return _WAITS if is_waiting and not piece.facts.ending.closing.is_offer else ""


def _said_of_red(piece: Piece) -> str:
    """What the last reports say of errors that were there before, or are of other work."""
    for turn in reversed(piece.exchanges[-_LAST_TURNS:]):
        for line in lines_of(turn.answered):
            for sentence in sentences_of(line.text):
                if _NOT_OURS.search(sentence) and _OF_CHECK.search(sentence):
                    return sentence
    return ""
