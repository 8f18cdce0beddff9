"""Which lines of an entry have a source: a text of the session that has their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from helix_tui.text.function_words import FUNCTION_WORDS

_WORD = re.compile(r"[^\W_][\w./@:+-]*")
_NAMED = re.compile(r"\w[./@_:]\w|\d")
# So much of a line's words must stand in one text of the session, or in a few in a row.
_SHARE, _SHARE_IN_A_ROW = 0.6, 0.75
_IN_A_ROW = 6
_LEAST_WORDS = 2


class SourceText(NamedTuple):
    """A text of a session: what it is, when it was (ms), its words."""

    kind: str
    ts: int | None
    words: frozenset[str]


class LineSource(NamedTuple):
    """A line of an entry and where its words stand; none where no text has them."""

    section: str
    line: str
    source: SourceText | None


def source_text(kind: str, ts: int | None, text: str) -> SourceText:
    """A text as lines are held against it."""
    return SourceText(kind, ts, frozenset(_words(text)))


def sources_of(lines: Iterable[tuple[str, str]], texts: Sequence[SourceText]) -> list[LineSource]:
    """For each line, with its section, the text or the few texts in a row that have its words."""
    in_order = sorted(texts, key=lambda text: text.ts or 0)
    everything = frozenset().union(*(text.words for text in texts))
    near = [
        SourceText(text.kind, text.ts, frozenset().union(*(one.words for one in some)))
        for at, text in enumerate(in_order)
        if (some := in_order[at : at + _IN_A_ROW])
    ]
    return [
        LineSource(section, line, _source(line, in_order, near, everything))
        for section, line in lines
    ]


def _source(
    line: str,
    texts: Sequence[SourceText],
    near: Sequence[SourceText],
    everything: frozenset[str],
) -> SourceText | None:
    """What has enough of a line's words, if every name in it stands somewhere in the session."""
    words = _words(line)
    names = {word for word in words if _NAMED.search(word)}
    if len(words) < _LEAST_WORDS or not names <= everything:
        return None
    for some, share in ((texts, _SHARE), (near, _SHARE_IN_A_ROW)):
        best = max(some, key=lambda text: len(words & text.words), default=None)
        if best is not None and len(words & best.words) >= share * len(words):
            return best
    return None


def _words(text: str) -> set[str]:
    found = (word.strip(".,:;-+@/").casefold() for word in _WORD.findall(text))
    return {word for word in found if len(word) > 1 and word not in FUNCTION_WORDS}
