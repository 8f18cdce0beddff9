"""What holds in a repository by all of its entries: last work, checks, what came back, open ends.

These lines are made anew whenever an entry of the repository comes in or goes. What a person
changes or deletes of them is theirs: it is not written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from helix_tui.memory.knowledge.came_to import came_to, caveat
from helix_tui.memory.knowledge.cures import cure_of
from helix_tui.memory.knowledge.open_ends import OpenEnd, is_green_since, still_open
from helix_tui.memory.knowledge.session_facts import (
    Held,
    SessionFacts,
    facts_of,
    is_one_matter,
    matter_of,
)
from helix_tui.memory.knowledge.worth import lessons_of
from helix_tui.text.hashing import hash64
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_MOST_LAST = 6
# So many reports are told in all: of few sessions several each.
_MOST_REPORTS = 6
_MOST_OF_A_SESSION = 3
# What says of a state no more than the word before it.
_VAGUE = re.compile(r": `(?:a check passed before|work was committed before)`$")
_MOST_CHECKS = 4
# So many sessions make a check one of the repository; of fewer, only the shortest are told.
_OFTEN_CHECKED = 2
_MOST_RARE = 2
_LONGEST_CHECK = 90
_MOST_BACK = 5
_LEAST_BACK = 2
_MOST_OPEN = 6
_MOST_OF_ONE = 4
# Open ends of older sessions are in their daily logs.
_MOST_SESSIONS_OPEN = 12
_MOST_CITED = 3
_LABEL = ": "
# The folder in which a command is run.
_FOLDER = re.compile(r"^cd [^;&|]{1,200}(?:;|&&) *")
REPORTED = "the agent"


class Hold(NamedTuple):
    """A line of what holds: by what it is known when its words change, its text and its sources."""

    key: str
    text: str
    cited: list[str]


def holds(entries: Sequence[Held]) -> list[Hold]:
    """What holds by these entries of one repository, whatever their order."""
    latest = sorted(entries, key=lambda one: (one.day, one.entry.time), reverse=True)
    return [*_last(latest), *_checks(latest), *_came_back(latest), *_open(latest)]


def _last(latest: Sequence[Held]) -> Iterator[Hold]:
    """The last sessions: what they were about, how they stand, what they came to.

    Sessions of one matter are one line.
    """
    matters: list[tuple[frozenset[str], list[tuple[Held, SessionFacts]]]] = []
    later: list[SessionFacts] = []
    green: set[str] = set()
    for one in latest:
        facts = facts_of(one.entry)
        if is_green_since(facts.state, later):
            green.add(one.entry.mark)
        later.append(facts)
        words = matter_of(facts.title)
        known = (
            some
            for matter, some in matters
            if facts.title == some[0][1].title or is_one_matter(matter, words)
        )
        if not facts.title or (not facts.is_begun and len(latest) > 1):
            continue
        if (some := next(known, None)) is not None:
            some.append((one, facts))
        elif len(matters) < _MOST_LAST:
            matters.append((words, [(one, facts)]))
    most = max(1, min(_MOST_OF_A_SESSION, _MOST_REPORTS // max(1, len(matters))))
    for number, (_, some) in enumerate(matters, 1):
        yield _of_matter(number, some, most, some[0][0].entry.mark in green)


def _of_matter(
    number: int, some: Sequence[tuple[Held, SessionFacts]], most: int, is_green: bool
) -> Hold:
    """The line of one matter, by its newest session; what that came to stands at its end."""
    newest, facts = some[0]
    ids = {one.entry.short_id for one, _ in some}
    often = f" ({plural(len(ids), 'session')} of this)" if len(ids) > 1 else ""
    stands = _VAGUE.sub("", facts.state)
    since = " (green in a later session)" if is_green else caveat(newest.entry, stands)
    state = f": {stands}{since}" if stands else ""
    # What an article tells as a cause or a decision is not told again.
    known = (
        reports for one, _ in some if (reports := came_to(one.entry, most, _below(one) + state))
    )
    came = "".join(
        f"; {'and' if at else REPORTED}: {report}" for at, report in enumerate(next(known, []))
    )
    cited = [one.cited for one, _ in some[:_MOST_CITED]]
    return Hold(f"last {number}", f"Last: {facts.title}{often}{state}{came}", cited)


def _below(one: Held) -> str:
    """What the article's sections have of an entry."""
    return "\n".join(lesson.text for lesson in lessons_of(one.entry, one.day))


def _checks(latest: Sequence[Held]) -> Iterator[Hold]:
    """How checks are run here: those that passed in several sessions, else the last that did."""
    seen: dict[str, dict[str, str]] = {}
    shown: dict[str, str] = {}
    for one in latest:
        for command in facts_of(one.entry).green:
            bare = _FOLDER.sub("", command)
            # What was cut within a quotation can be run by nobody.
            if len(command) <= _LONGEST_CHECK and command.count('"') % 2 == 0:
                shown.setdefault(bare, command)
                seen.setdefault(bare, {}).setdefault(one.entry.short_id, one.cited)
    ranked = sorted(seen, key=lambda command: (-len(seen[command]), len(command), command))
    often = [one for one in ranked if len(seen[one]) >= _OFTEN_CHECKED][:_MOST_CHECKS]
    if told := often if len(often) >= _MOST_RARE else ranked[:_MOST_RARE]:
        named = [f"{code_span(shown[one])} ({plural(len(seen[one]), 'session')})" for one in told]
        cited = dict.fromkeys(link for one in told for link in list(seen[one].values())[:2])
        latest_first = sorted(cited, reverse=True)[:_MOST_CITED]
        yield Hold("checks", f"Checks that pass here: {', '.join(named)}", latest_first)


def _came_back(latest: Sequence[Held]) -> Iterator[Hold]:
    """Errors that were overcome in the same way in several sessions."""
    found: dict[str, list[tuple[Held, str]]] = {}
    for one in latest:
        for line in one.entry.lines.get("lessons", []):
            if key := cure_of(line):
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
        yield Hold(f"open {one.day} {one.entry.short_id}", text, [one.cited])


def _joined(end: OpenEnd) -> str:
    """The open ends of one session; a label that several have stands once."""
    parts: list[str] = []
    label = ""
    for line in end.lines[:_MOST_OF_ONE]:
        how, colon, said = line.partition(_LABEL)
        noted = caveat(end.held.entry, line)
        noted = "" if any(noted in part for part in parts) else noted
        parts.append(f"{said if colon and how == label else line}{noted}")
        label = how
    more = len(end.lines) - _MOST_OF_ONE
    return "; ".join([*parts, *([f"and {more} more"] if more > 0 else [])])


def hash_of(text: str) -> str:
    """By what a line is known again, without its words."""
    return f"{hash64(text.encode('utf-8', 'replace')) & 0xFFFFFFFF:08x}"
