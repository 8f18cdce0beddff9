"""On which line of the session a model's line stands, and how an entry says so.

A model is asked for the numbers of the lines, and is not believed: a number counts where the two
lines share words, and where none does, the line that shares most of them is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from helix_tui.memory.distill.material import Source

NO_SOURCE = "(no source)"
_MASK = (1 << 64) - 1
_STANDS = re.compile(
    r" \((?:no source|source: (?P<who>[a-z]{1,20})(?: (?P<event>[0-9a-f]{16}))?)\)$"
)
_NUMBERS = re.compile(
    r"\s*[\[(](?:(?:lines?|source) )?((?:\d{1,5}[\s,;–-]{0,3}){1,12})[\])]\s*\.?$"
)
_WORD = re.compile(r"[^\W_][\w./@:+-]{2,80}")
# Signs of languages that put no blanks between words, and the pairs of them that serve as words.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
_NAMED = re.compile(r"\w[./@_:-]\w|\d")
# So much of a line's words must stand in one line of the session.
SHARE = 0.5
_LEAST_SHARED = 2
# What a tool printed, or was given, tells nobody what to do.
_OF_TOOLS = frozenset(("error", "overcome", "command", "edited"))
_SMALL = re.compile(
    r"(?:the|and|for|that|this|with|was|were|are|has|have|had|not|but|from|into|its|then|than|when"
    r"|which|because|they|them|there|been|being|did|does|done|will|would|should|could)?"
)


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
    """A model's line without the numbers at its end, and these."""
    match = _NUMBERS.search(line)
    if match is None or not match.start():
        return line, []
    return line[: match.start()].rstrip(), [int(one) for one in re.findall(r"\d+", match[1])]


class Ground:
    """The lines of a session, by their words."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._rows = [
            (source, words)
            for source in sources
            for row in source.text.splitlines()
            if (words := words_of(row))
        ]
        self._words = [words_of(source.text) for source in sources]

    def source_of(self, line: str, numbers: Iterable[int]) -> Source | None:
        """The line that a model's line stands on: one that it names, or the one most like it."""
        words = words_of(line)
        for number in numbers:
            if 0 < number <= len(self._sources) and _shares(words, self._words[number - 1]):
                return self._sources[number - 1]
        return _most_like(words, self._rows)

    def speaks_of(self, line: str) -> bool:
        """Whether somebody said this: all names in it are theirs, and most words of one row."""
        words = words_of(line)
        said = [row for row in self._rows if row[0].who not in _OF_TOOLS]
        names = {word for word in words if _NAMED.search(word)}
        if not all(any(name in row for _, row in said) for name in names):
            return False
        return _most_like(words, said) is not None


def _most_like(words: set[str], rows: Sequence[tuple[Source, set[str]]]) -> Source | None:
    """The source with the row that shares most of these words, if it shares enough."""
    best = max(rows, key=lambda row: len(words & row[1]), default=None)
    if best is None or not words or len(words & best[1]) < max(SHARE * len(words), 1):
        return None
    return best[0]


def words_of(text: str) -> set[str]:
    """The words by which lines are compared."""
    words = {word.strip(".,:;-").casefold() for word in _WORD.findall(_UNSPACED.sub(" ", text))}
    for run in _UNSPACED.findall(text):
        words |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
    return {word for word in words if not _SMALL.fullmatch(word)}


def _shares(words: set[str], others: set[str]) -> bool:
    shared = words & others
    return len(shared) >= min(_LEAST_SHARED, len(words)) > 0 or any(map(_NAMED.search, shared))
