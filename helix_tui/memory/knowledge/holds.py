"""What holds in a repository by all of its entries: last work, checks, what came back, open ends.

These lines are made anew whenever an entry of the repository comes in or goes. What a person
changes or deletes of them is theirs: it is not written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.article import cite
from helix_tui.memory.knowledge.cures import cure_of
from helix_tui.text.hashing import hash64

_MOST_LAST = 3
_MOST_CHECKS = 4
_LEAST_CHECKED = 3
_MOST_BACK = 5
_LEAST_BACK = 2
_MOST_OPEN = 6
# Open ends of older sessions are in their daily logs.
_MOST_SESSIONS_OPEN = 12
_MOST_CITED = 3
_TITLE = re.compile(r"^## [^\n]*? · [^\s<:]*: (?P<title>`.*`) <!-- helix [0-9a-f]{16} -->")
_SPANS = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# What nobody took up, and what was written down elsewhere to be done.
_OFFERS = ("Offered: ", "Asked: ", "Put off: ")
_CUT_SHORT = ("Broke off in ", "Not answered: ", "Stopped by ", "No result: ", "Its context was ")
# After so many later sessions of the repository, work has moved on.
_MOVED_ON = 3
_RED = re.compile(r"^Left open: `+ ?(?P<name>.{2,40}?) was last seen red")


class Held(NamedTuple):
    """An entry with its day."""

    day: str
    entry: DailyEntry

    @property
    def cited(self) -> str:
        """The link to it."""
        return cite(self.day, self.entry.time, self.entry.short_id)


class Hold(NamedTuple):
    """A line of what holds: by what it is known when its words change, its text and its sources."""

    key: str
    text: str
    cited: list[str]


def holds(entries: Sequence[Held]) -> list[Hold]:
    """What holds by these entries of one repository, whatever their order."""
    latest = sorted(entries, key=lambda one: (one.day, one.entry.time), reverse=True)
    return [*_last(latest), *_checks(latest), *_came_back(latest), *_open(latest)]


def title_of_entry(text: str) -> str:
    """The title of an entry as its heading quotes it; empty where it has none."""
    match = _TITLE.match(text.partition("\n")[0])
    return match["title"] if match else ""


def _last(latest: Sequence[Held]) -> Iterator[Hold]:
    """The last sessions: what they were about, and how they stand."""
    titles: set[str] = set()
    for one in latest:
        title = title_of_entry(one.entry.text)
        if not title or title in titles or len(titles) == _MOST_LAST:
            continue
        titles.add(title)
        context = one.entry.lines.get("context", [])
        state = next((line for line in context if line.startswith(_STATE)), "")
        stands = f": {state.removeprefix(_STATE)}" if state else ""
        yield Hold(f"last {len(titles)}", f"Last: {title}{stands}", [one.cited])


_STATE = "How it stands: "
_PASSED = "Passed: "


def _checks(latest: Sequence[Held]) -> Iterator[Hold]:
    """The commands by which checks passed in three sessions or more, in one line."""
    seen: dict[str, dict[str, str]] = {}
    for one in latest:
        for line in one.entry.lines.get("context", []):
            if line.startswith(_PASSED):
                for span in _SPANS.finditer(line):
                    seen.setdefault(span[0], {}).setdefault(one.entry.short_id, one.cited)
    often = sorted(seen, key=lambda span: (-len(seen[span]), span))
    often = [span for span in often if len(seen[span]) >= _LEAST_CHECKED][:_MOST_CHECKS]
    if often:
        told = ", ".join(f"{span} ({len(seen[span])} sessions)" for span in often)
        cited = dict.fromkeys(one for span in often for one in list(seen[span].values())[:2])
        yield Hold("checks", f"Checks that pass here: {told}", list(cited)[:_MOST_CITED])


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
    """What sessions left open, but checks that passed since, and offers that nobody took."""
    told: set[str] = set()
    later: set[str] = set()
    titles: set[str] = set()
    for at, one in enumerate(latest[:_MOST_SESSIONS_OPEN]):
        title = title_of_entry(one.entry.text)
        context = " ".join(one.entry.lines.get("context", []))
        # A conversation that went on has its open ends in what came last of it.
        is_continued = title in titles or one.entry.short_id in titles
        for line in one.entry.lines.get("actions", []):
            red = _RED.match(line)
            is_green = bool(red) and any(_words(red["name"]) <= _words(said) for said in later)  # type: ignore[index]
            # Where so much was done since, nobody waits in the middle of that prompt.
            is_past = at >= _MOVED_ON and line.startswith(_CUT_SHORT)
            if is_past or line.startswith(_OFFERS) or is_continued or is_green or line in told:
                continue
            if len(told) == _MOST_OPEN:
                return
            told.add(line)
            about = f", in {title}" if title and title not in line else ""
            yield Hold(f"open {hash_of(line)}", f"Open since {one.day}{about}: {line}", [one.cited])
        titles |= {title, one.entry.short_id} - {""}
        if "the last check passed" in context or _PASSED in context:
            later.add(context)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{2,}", text.casefold()))


def hash_of(text: str) -> str:
    """By what a line is known again, without its words."""
    return f"{hash64(text.encode('utf-8', 'replace')) & 0xFFFFFFFF:08x}"
