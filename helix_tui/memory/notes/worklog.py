"""The worklog of a session's notes: one line a turn, the newest kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.memory.notes.sections import BOUNDS
from helix_tui.memory.notes.text import quote
from helix_tui.schema.memory import NotesTurn
from helix_tui.text.human import plural
from helix_tui.text.times import iso

_ASKED = 140
_SAID = 140
_MOST = BOUNDS["Worklog"]
_LEFT_OUT_LENGTH = 60
_LEFT_OUT = re.compile(r"- [\d,]+ older lines? left out")


class Worklog(NamedTuple):
    """The lines of a worklog, and how many older ones it no longer has."""

    lines: list[str]
    left_out: int


def line_of(turn: NotesTurn) -> str:
    """What was asked and done in one turn, on one line."""
    time = iso(turn.ts)
    parts = [f"{time[:10]} {time[11:16]}Z" if time else "at some time"]
    parts.append(f"asked {quote(turn.asked, _ASKED)}" if turn.asked else "went on")
    if turn.calls:
        failed = f", {turn.failed:,} failed" if turn.failed else ""
        by_class = ", ".join(f"{count:,} {name}" for name, count in sorted(turn.calls.items()))
        parts.append(f"{plural(sum(turn.calls.values()), 'call')} ({by_class}{failed})")
    if turn.said:
        parts.append(f"said {quote(turn.said, _SAID)}")
    return f"- {' · '.join(parts)}"


def extended(old: Sequence[str], new: Sequence[str], left_out: int) -> Worklog:
    """Old and new lines within the bound: the oldest are dropped, and a line counts them."""
    lines = [*(line for line in old if not _LEFT_OUT.fullmatch(line)), *new]
    room = _MOST - sum(len(line) + 1 for line in lines)
    dropped = 0
    while dropped < len(lines) and room < (_LEFT_OUT_LENGTH if left_out + dropped else 0):
        room += len(lines[dropped]) + 1
        dropped += 1
    left_out += dropped
    head = [f"- {plural(left_out, 'older line')} left out"] if left_out else []
    return Worklog([*head, *lines[dropped:]], left_out)


def appended(text: str, new: Sequence[str]) -> str:
    """A worklog that a person changed, with new lines appended as long as they fit."""
    room = _MOST - len(text)
    fitting: list[str] = []
    for line in new:
        room -= len(line) + 1
        if room < 0:
            break
        fitting.append(line)
    return "\n".join([text.rstrip("\n"), *fitting])
