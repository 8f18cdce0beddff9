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
from helix_tui.memory.knowledge.checks_told import checks_told
from helix_tui.memory.knowledge.cures import OWN_FOLDER, cure_of
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

_MOST_LAST = 6
# So many reports are told in all: of few sessions several each.
_MOST_REPORTS = 8
_MOST_OF_A_SESSION = 3
_LEAST_OF_A_SESSION = 2
_MOST_COMMITS = 2
# What says of a state no more than the word before it.
_VAGUE = re.compile(r": `(?:a check passed before|work was committed before)`$")
# A state that is worth a line only with what was reported.
_UNKNOWN = re.compile(r"^(?:not known\b|partly done$|not done$)")
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
_COMMITTED = "Committed: "


class Hold(NamedTuple):
    """A line of what holds: by what it is known when its words change, its text and its sources."""

    key: str
    text: str
    cited: list[str]


def holds(entries: Sequence[Held]) -> list[Hold]:
    """What holds by these entries of one repository, whatever their order."""
    latest = sorted(entries, key=lambda one: (one.day, one.entry.time), reverse=True)
    return [*_last(latest), *_checked(latest), *_came_back(latest), *_open(latest)]


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
        else:
            matters.append((words, [(one, facts)]))
    share = _MOST_REPORTS // max(1, min(len(matters), _MOST_LAST))
    most = max(_LEAST_OF_A_SESSION, min(_MOST_OF_A_SESSION, share))
    told = (_of_matter(some, most, some[0][0].entry.mark in green) for _, some in matters)
    # A session of which nothing is known but its title is in the list of sessions.
    for number, (text, cited) in enumerate(islice(filter(None, told), _MOST_LAST), 1):
        yield Hold(f"last {number}", text, cited)


def _of_matter(
    some: Sequence[tuple[Held, SessionFacts]], most: int, is_green: bool
) -> tuple[str, list[str]] | None:
    """The line of one matter, by its newest session; what that came to stands at its end."""
    newest, facts = some[0]
    ids = {one.entry.short_id for one, _ in some}
    often = f" ({plural(len(ids), 'session')} of this)" if len(ids) > 1 else ""
    stands = OWN_FOLDER.sub("", _VAGUE.sub("", facts.state))
    since = " (green in a later session)" if is_green else caveat(newest.entry, stands)
    # What an article tells as a cause or a decision is not told again.
    reports = (came_to(one.entry, most, _below(one) + stands) for one, _ in some)
    came = [*next(filter(None, reports), []), *_committed(facts)]
    if not stands and facts.is_committed:
        stands = "committed and pushed" if facts.is_pushed else "committed"
    if not came and (not stands or _UNKNOWN.match(stands)):
        return None
    state = f": {stands}{since}" if stands else ""
    text = "; ".join([f"Last: {facts.title}{often}{state}", *came])
    return text, [one.cited for one, _ in some[:_MOST_CITED]]


def _committed(facts: SessionFacts) -> Iterator[str]:
    """The last commits of a session, but for those that its title names."""
    title = matter_of(facts.title)
    subjects = [
        subject
        for line in facts.kept
        if (subject := line.removeprefix(_COMMITTED)) != line
        and not matter_of(subject) <= title
        and not is_one_matter(matter_of(subject), title)
    ]
    if subjects:
        yield f"{_COMMITTED.lower()}{', '.join(subjects[-_MOST_COMMITS:])}"


def _below(one: Held) -> str:
    """What the article's sections have of an entry."""
    return "\n".join(lesson.text for lesson in lessons_of(one.entry, one.day))


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
    # What was found is told whole: each is another thing to mend.
    most = _MOST_FOUND if any(map(_FOUND.match, end.lines)) else _MOST_OF_ONE
    for line in end.lines[:most]:
        how, colon, said = line.partition(_LABEL)
        noted = caveat(end.held.entry, line)
        noted = "" if any(noted in part for part in parts) else noted
        parts.append(f"{said if colon and how == label else line}{noted}")
        label = how
    more = len(end.lines) - most
    return "; ".join([*parts, *([f"and {more} more in its entry"] if more > 0 else [])])


def hash_of(text: str) -> str:
    """By what a line is known again, without its words."""
    return f"{hash64(text.encode('utf-8', 'replace')) & 0xFFFFFFFF:08x}"
