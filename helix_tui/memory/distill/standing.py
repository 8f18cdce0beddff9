"""On which line of the session a model's line stands, and how an entry says so.

A model is asked for the numbers of the lines, and is not believed: a number counts where the two
lines share words, and where none does, the line that shares most of them is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from helix_tui.memory.distill.material import Source
from helix_tui.memory.distill.telling_words import Words, words_said

NO_SOURCE = "(no source)"
_MASK = (1 << 64) - 1
_STANDS = re.compile(
    r" \((?:no source|source: (?P<who>[a-z]{1,20})(?: (?P<event>[0-9a-f]{16}))?)\)$"
)
# `[12]`, `[12, 14]`, `(lines 3-5)`, one behind the other at the end of a line.
_LIST = r"\d{1,5}(?:[\s,;–-]{1,3}(?:and )?\d{1,5}){0,11}"
_GIVEN = rf"(?:\[{{1,2}}|[\[(](?:lines?|sources?) ){_LIST}[\])]{{1,2}}"
_GROUP = re.compile(_GIVEN)
_NUMBERS = re.compile(
    rf"(?:\s{{1,3}}|(?<=[\].])){_GIVEN}(?:[\s,;]{{0,3}}(?:and )?{_GIVEN})*\s*\.?$"
)
# In the middle of a line it is one where it stands by itself.
_WITHIN = re.compile(rf"\s\[({_LIST})\](?=[\s.,;:)]|$)")
# So much of a line's words must stand in one line of the session.
SHARE = 0.5
_LEAST_SHARED = 2
# What a tool printed, or was given, tells nobody what to do.
_OF_TOOLS = frozenset(("error", "overcome", "command", "check", "edited"))
OF_PEOPLE = frozenset(("user", "correction"))
# How a model marks what a person laid down for more than one task.
RULE = "Rule: "


class Standing(NamedTuple):
    """What the end of an entry's line says: whose line it stands on, and the event's fingerprint.

    Both are empty where it stands on none.
    """

    who: str
    event: str


def marked(line: str, source: Source | None) -> str:
    """A line of an entry that says where it comes from."""
    if source is None:
        return f"{line} {NO_SOURCE}"
    event = f" {source.event & _MASK:016x}" if source.event else ""
    return f"{line} (source: {source.who}{event})"


def standing_of(line: str) -> tuple[str, Standing | None]:
    """A line of an entry without what it says of its source; None where it says nothing."""
    match = _STANDS.search(line)
    if match is None:
        return line, None
    return line[: match.start()], Standing(match["who"] or "", match["event"] or "")


def founded(lines: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The lines of an entry by section, without their marks; those that stand on nothing go."""
    kept: dict[str, list[str]] = {}
    for name, section in lines.items():
        for text, standing in map(standing_of, section):
            if standing is None or standing.who:
                kept.setdefault(name, []).append(text)
    return kept


def numbers_in(line: str) -> tuple[str, list[int]]:
    """A model's line without the numbers of lines at its end and in it, and these."""
    match = _NUMBERS.search(line)
    found = [one[0] for one in _GROUP.finditer(match[0])] if match and match.start() else []
    text = line[: match.start()].rstrip() if match and found else line
    within = _WITHIN.findall(text)
    return _WITHIN.sub("", text), _numbers(" ".join([*within, *found]))


def _numbers(text: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", text)]


class Ground:
    """The lines of a session, by their words."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._rows = [
            (source, said)
            for source in sources
            for row in source.text.splitlines()
            if (said := words_said(row))
        ]
        self._said = [words_said(source.text) for source in sources]

    def source_of(
        self, line: str, numbers: Iterable[int], *, is_choice: bool = False
    ) -> Source | None:
        """The line that a model's line stands on: one that it names, or the one most like it.

        Of several that it names it is the one that shares most; of a choice, what a person said.
        """
        words = Words(line)
        told = [number - 1 for number in numbers if 0 < number <= len(self._sources)]
        named = [at for at in told if _shares(words, self._said[at])]
        if is_choice:
            named = [at for at in named if self._sources[at].who in OF_PEOPLE] or named
        if named:
            best = max(named, key=lambda at: words.shared(self._said[at]))
            return self._sources[best]
        return _most_like(words, self._rows) or self._together(words, told)

    def _together(self, words: Words, told: Sequence[int]) -> Source | None:
        """Of lines of which none by itself shares enough, that which shares most, if all do."""
        said = set().union(*(self._said[at] for at in told))
        if len(told) < _LEAST_SHARED or not _shares(words, said):
            return None
        return self._sources[max(told, key=lambda at: words.shared(self._said[at]))]

    def speaks_of(self, line: str, numbers: Iterable[int] = ()) -> bool:
        """Whether somebody said this: all names in it are theirs, and most words of one row.

        Where it names the line, of all rows of that.
        """
        words = Words(line)
        said = [row for row in self._rows if row[0].who not in _OF_TOOLS]
        everything = set().union(*(row for _, row in said))
        if words.names_in(everything) < len(words.names):
            return False
        named = [
            (self._sources[number - 1], self._said[number - 1])
            for number in numbers
            if 0 < number <= len(self._sources) and self._sources[number - 1].who not in _OF_TOOLS
        ]
        # What names nothing could have been said of anything.
        return _most_like(words, [*said, *named], is_most=not words.names) is not None

    def is_said_by_people(self, line: str) -> bool:
        """Whether most words of a line stand in one thing that a person said."""
        words = Words(line)
        said = (
            row
            for source, row in zip(self._sources, self._said, strict=True)
            if source.who in OF_PEOPLE
        )
        return len(words) > 0 and any(words.shared(row) >= SHARE * len(words) for row in said)


def _most_like(
    words: Words, rows: Sequence[tuple[Source, set[str]]], *, is_most: bool = False
) -> Source | None:
    """The source with the row that shares most of these words, if that is half, or more."""
    best = max(rows, key=lambda row: words.shared(row[1]), default=None)
    if best is None or not words:
        return None
    shared = words.shared(best[1])
    if shared < max(SHARE * len(words), 1) or (is_most and shared == SHARE * len(words)):
        return None
    return best[0]


def _shares(words: Words, said: set[str]) -> bool:
    shared = words.shared(said)
    return shared >= min(_LEAST_SHARED, len(words)) > 0 or words.names_in(said) > 0
