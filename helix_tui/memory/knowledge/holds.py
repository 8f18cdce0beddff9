"""What holds in a repository by all of its entries: checks, what came back, open ends, last work.

These lines are made anew whenever an entry of the repository comes in or goes. What a person
changes or deletes of them is theirs: it is not written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from helix_tui.memory.distill.prose import at_a_pause
from helix_tui.memory.knowledge.came_to import caveat
from helix_tui.memory.knowledge.checks_told import checks_told
from helix_tui.memory.knowledge.cures import cure_of
from helix_tui.memory.knowledge.last_sessions import last_sessions
from helix_tui.memory.knowledge.open_ends import OpenEnd, still_open
from helix_tui.memory.knowledge.session_facts import SPANS, Held, facts_of
from helix_tui.memory.knowledge.worth import is_of_style
from helix_tui.text.hashing import hash64
from helix_tui.text.markdown import code_span, said_in

_MOST_BACK = 5
_LEAST_BACK = 2
_MOST_OPEN = 6
_MOST_OF_ONE = 4
_MOST_FOUND = 8
_FOUND = re.compile(r"^Left open: `+ ?found: ")
# Open ends of older sessions are in their daily logs.
_MOST_SESSIONS_OPEN = 12
_MOST_CITED = 3
_LABEL = ": "
# Keys of lines on the last sessions begin so.
LAST = "last "
OPENED = "open "
# What an article tells of an open end; its entry has it whole.
_LONGEST = 140
_LAST_STEP = re.compile(r"; the last step was `.*$")


class Hold(NamedTuple):
    """A line of what holds: by what it is known when its words change, its text and its sources."""

    key: str
    text: str
    cited: list[str]


def holds(entries: Sequence[Held]) -> list[Hold]:
    """What holds by these entries of one repository, whatever their order."""
    latest = sorted(entries, key=lambda one: (one.day, one.entry.time), reverse=True)
    found = [*_checked(latest), *_came_back(latest), *_open(latest)]
    # The entry of a single session tells how it went.
    is_alone = len({one.entry.short_id for one in latest}) == 1
    return found if is_alone and found else [*found, *_last(latest)]


def _last(latest: Sequence[Held]) -> Iterator[Hold]:
    """The last sessions, a line each."""
    for number, (text, cited) in enumerate(last_sessions(latest), 1):
        yield Hold(f"{LAST}{number}", text, cited)


def _checked(latest: Sequence[Held]) -> Iterator[Hold]:
    """The commands by which checks passed."""
    text, cited = checks_told(latest)
    if text:
        yield Hold("checks", text, cited)


def _came_back(latest: Sequence[Held]) -> Iterator[Hold]:
    """Errors that were overcome in the same way in several sessions."""
    found: dict[str, list[tuple[Held, str]]] = {}
    for one in latest:
        for line in one.entry.lines.get("lessons", []):
            if (key := cure_of(line)) and not is_of_style(line):
                found.setdefault(key, []).append((one, line))
    rows = []
    for key, seen in found.items():
        sessions = {one.entry.short_id for one, _ in seen}
        if len(sessions) >= _LEAST_BACK:
            rows.append((len(sessions), key, seen))
    for count, key, seen in sorted(rows, key=lambda row: (-row[0], row[1]))[:_MOST_BACK]:
        line = seen[0][1]
        cited = list(dict.fromkeys(one.cited for one, _ in seen))[:_MOST_CITED]
        yield Hold(f"back {hash_of(key)}", f"In {count} sessions: {line}", cited)


def _open(latest: Sequence[Held]) -> Iterator[Hold]:
    """What sessions left open and no later one closed: a line for each session."""
    for end in islice(still_open(latest, _MOST_SESSIONS_OPEN), _MOST_OPEN):
        one = end.held
        title = facts_of(one.entry).title
        about = f", in {title}" if title and not any(title in line for line in end.lines) else ""
        text = f"Open since {one.day}{about}: {_joined(end)}"
        yield Hold(f"{OPENED}{one.day} {one.entry.short_id}", text, [one.cited])


def _joined(end: OpenEnd) -> str:
    """The open ends of one session; a label that several have stands once."""
    parts: list[str] = []
    label = ""
    # What was found is told whole: each is another thing to mend.
    most = _MOST_FOUND if any(map(_FOUND.match, end.lines)) else _MOST_OF_ONE
    for line in end.lines[:most]:
        how, colon, said = _brief(line).partition(_LABEL)
        noted = caveat(end.held.entry, line)
        noted = "" if any(noted in part for part in parts) else noted
        parts.append(f"{said if colon and how == label else _brief(line)}{noted}")
        label = how
    more = len(end.lines) - most
    return "; ".join([*parts, *([f"and {more} more in its entry"] if more > 0 else [])])


def _brief(line: str) -> str:
    """An open end without its last step, its quotations cut where their writer paused."""
    return SPANS.sub(
        lambda match: code_span(at_a_pause(said_in(match[0]), _LONGEST)),
        _LAST_STEP.sub("", line),
    )


def hash_of(text: str) -> str:
    """By what a line is known again, without its words."""
    return f"{hash64(text.encode('utf-8', 'replace')) & 0xFFFFFFFF:08x}"
