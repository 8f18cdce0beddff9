"""Failures that only an output tells: the status is another program's, and the program gave up."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from helix_tui.digest.runs.failing_lines import (
    bare,
    failing,
    is_known,
    is_led,
    is_own_voice,
    marked_in,
)
from helix_tui.digest.runs.output import Output
from helix_tui.digest.runs.recognise import Plan
from helix_tui.digest.runs.run import REASON_LENGTH
from helix_tui.digest.runs.scripts import failed_within
from helix_tui.digest.runs.speakers import Speaker, has_open_status, speakers_of
from helix_tui.text.lazy import lazy
from helix_tui.text.signature.saying import is_harmless

# One of these stands, in letters of any size, in every output that is looked at further.
_HINTS = (
    *("err", "fatal", "fail", "exception", "panic", "***", "not ", "cannot", "can't", "unable"),
    *("denied", "refused", "abort", "conflict", "reject", "fault", "node.js v", "node:internal"),
    *("exit status", "terminat", "undefined", "timed out", "no such", "invalid", "missing", "yn0"),
    *("elifecycle", "e: ", "no solution", "  at ", "\tat ", "exited with", "status"),
)
# What says that a program went on, or made it after all; the same within a line's first words.
_WELL_WORDS = (
    r"(?:success(?:ful(?:ly)?)?|succeeded|done|finished|completed?|passed|ready|saved|wrote"
    r"|written|created|generated|installed|added|updated|listening|started|built|exported"
    r"|deployed|uploaded|downloaded|applied|skipped|skipping|continuing|retrying|recovered"
    r"|fall(?:ing|s)? back|fallback|ignor(?:ed|ing)|ok|up to date)\b"
)
_WELL = lazy(rf"(?i)(?:[✓✔✅]|.{{0,200}}\b{_WELL_WORDS})")
_WELL_AT_ONCE = lazy(rf"(?i)(?:[✓✔✅]|\W{{0,9}}(?:[^\s:]{{1,40}} ){{0,2}}{_WELL_WORDS})")
_TROUBLED = lazy(
    r"(?i).{0,400}\b(?:not|no|n't|cannot|can't|errors?|fail\w{0,4}|unable|without|un\w{0,3}success\w*"
    r"|before|must|should|please|if|to be|after|incomplete|abort\w*|0 passed)\b"
)
# Lines that may follow an error and belong to it.
_MOST_BEHIND_MARKED = 40
_MOST_BEHIND_LED = 14
_MOST_BEHIND_KNOWN = 2
_EXAMINED_LINES = 60
_ENDED_FROM_OUTSIDE = frozenset({124, 130, 137, 141, 143})


def failure_told(
    plan: Plan, output: Output, statuses: Mapping[int, int], settled: Collection[int]
) -> str:
    """The line by which a program says that it failed where nobody learned its status.

    `statuses` are those that are known to be a program's own, `settled` the pipelines of which
    more is known than that.
    """
    text = output.text
    speaking = [one for one in speakers_of(plan) if one.sort != "trivial"]
    unheard = [
        one
        for one in speaking
        if one.sort != "showing"
        and one.at not in settled
        and statuses.get(one.at) != 0
        and has_open_status(plan, one.at)
    ]
    if not unheard:
        return ""
    for one in unheard:
        if statuses.get(one.at) not in (None, *_ENDED_FROM_OUTSIDE):
            return f"exit status {statuses[one.at]}"
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return ""
    for piece in _pieces(plan, text):
        if said := _failure_in(piece, speaking, unheard):
            return said[:REASON_LENGTH]
    return ""


def _pieces(plan: Plan, text: str) -> list[str]:
    """An output parted where `echo` printed a line of its own."""
    echoed = {
        " ".join(line.stages[0].words[1:]).strip()
        for line in plan.pipelines
        if line.stages[0].words[0] in ("echo", "printf")
    } - {""}
    if not echoed:
        return [text]
    pieces: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip() in echoed:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return ["\n".join(piece) for piece in pieces if piece]


def _failure_in(text: str, speaking: list[Speaker], unheard: list[Speaker]) -> str:
    """What a piece of an output ends with, where that is a failure."""
    is_shown = any(one.sort == "showing" for one in speaking)
    is_written = all(one.sort == "interpreting" for one in unheard)
    lines = text.rstrip().split("\n")[-_EXAMINED_LINES:]
    text = "\n".join(lines)
    marked = marked_in(text, is_uncaught=is_shown or is_written)
    if marked is None and not (is_shown or is_written) and (found := failed_within(text)):
        marked = failing(found)
    if marked is not None:
        behind = text[marked.end :].split("\n")[1:]
        if len(behind) <= _MOST_BEHIND_MARKED and not _made_it(behind):
            return marked.said
    if is_shown:
        return ""
    programs = frozenset(one.name for one in unheard)
    count = 0
    for line in reversed(lines):
        said = bare(line)
        if not said:
            continue
        if not is_written and not line.startswith(("  ", "\t")) and is_led(said):
            return said
        if is_own_voice(said, programs):
            return said
        if not is_written and count <= _MOST_BEHIND_KNOWN and is_known(said):
            return said
        if count >= _MOST_BEHIND_LED or _is_well(said):
            return ""
        count += 1
    return ""


def _made_it(lines: list[str]) -> bool:
    """Whether one of the lines begins as one of success does."""
    said = [bare(line) for line in lines if line.strip()]
    return any(_WELL_AT_ONCE.match(line) and not _TROUBLED.match(line) for line in said)


def _is_well(line: str) -> bool:
    """Whether a line says that the program went on behind an error."""
    if is_harmless(line):
        return not line.startswith("npm ")
    return _WELL.match(line) is not None and _TROUBLED.match(line) is None
