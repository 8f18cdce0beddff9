"""Finds in a session's texts what was looked for, and cuts out where it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from helix_tui.schema import TEXT_KINDS, Query, SearchText, Snippet, Term, TextKind

_WIDTH = 160
_BEFORE = 40
_MOST_SNIPPETS = 3
# Of two texts that hold as much of what was looked for, that of the earlier kind is shown.
_ORDER: tuple[TextKind, ...] = ("prompt", "error", "command", "reply")
_WORD = re.compile(r"[^\W_]+")

Span = tuple[int, int]


class _Match(msgspec.Struct, frozen=True):
    kind: TextKind
    ts: int | None
    line: str
    # The places of each term that the line has.
    spans: list[list[Span]]

    def goodness(self) -> tuple[int, int, int]:
        """The least is the best: more of the terms, a weightier kind, the earlier."""
        return -len(self.spans), _ORDER.index(self.kind), self.ts or 0


def find_in(texts: Iterable[SearchText], query: Query) -> tuple[int, tuple[Snippet, ...]]:
    """How many texts have something of what was looked for, and snippets of the best of them."""
    patterns = [pattern for pattern in map(_pattern, query.wanted) if pattern]
    # A text that came in twice, from two files, is one.
    unique = dict.fromkeys(texts)
    matches = [match for text in unique if (match := _match(text, patterns))]
    if not matches and unique:
        # The index folds some signs otherwise: what it found is there, but not where.
        matches = [_Match(TEXT_KINDS[kind], ts, _line(text), []) for kind, ts, text in unique][:1]
    matches.sort(key=_Match.goodness)
    shown = {match.line: match for match in reversed(matches)}
    best = sorted(shown.values(), key=_Match.goodness)[:_MOST_SNIPPETS]
    return len(matches), tuple(map(_snippet, best))


def _match(text: SearchText, patterns: Sequence[re.Pattern[str]]) -> _Match | None:
    kind, ts, said = text
    line = _line(said)
    plain = _folded(line)
    found = [[place.span() for place in pattern.finditer(plain)] for pattern in patterns]
    spans = [places for places in found if places]
    return _Match(TEXT_KINDS[kind], ts, line, spans) if spans else None


def _line(text: str) -> str:
    return " ".join(text.split())


def _pattern(term: Term) -> re.Pattern[str] | None:
    """The term as the index understands it: words that follow each other, whatever is between."""
    words = _WORD.findall(_folded(term.text))
    if not words:
        return None
    end = r"[^\W_]*" if term.is_prefix else r"(?![^\W_])"
    return re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, words)) + end)


def _folded(text: str) -> str:
    """The text in small letters without accents, sign for sign."""
    return text.lower() if text.isascii() else "".join(map(_folded_sign, text))


@lru_cache(maxsize=4096)
def _folded_sign(sign: str) -> str:
    return unicodedata.normalize("NFD", sign)[0].lower()[0]


def _snippet(match: _Match) -> Snippet:
    """The stretch that has the most of the terms; marked is what of them lies in it whole."""
    spans = sorted(span for places in match.spans for span in places)
    line = match.line
    start = max(0, min(_best_start(match.spans, spans), len(line) - _WIDTH))
    end = min(len(line), start + _WIDTH)
    if start > 0:
        start = line.find(" ", start, start + 20) + 1 or start
    if end < len(line):
        end = max(line.rfind(" ", end - 20, end), 0) or end
    lead = "…" if start > 0 else ""
    shift = len(lead) - start
    text = f"{lead}{line[start:end]}{'…' if end < len(line) else ''}"
    marks = [(a + shift, b + shift) for a, b in spans if start <= a and b <= end]
    return Snippet(match.kind, match.ts, text, tuple(_apart(marks)))


def _best_start(by_term: Sequence[Sequence[Span]], spans: Sequence[Span]) -> int:
    """Some signs before the place from which on a snippet holds the most of the terms."""

    def terms_from(start: int) -> int:
        reach = start + _WIDTH - 2 * _BEFORE
        return sum(any(start <= a and b <= reach for a, b in places) for places in by_term)

    starts = [start for start, _ in spans[:50]]
    best = max(starts, key=terms_from, default=0)  # the first of those that are alike
    return best - _BEFORE


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, of which no two overlap."""
    apart: list[Span] = []
    for start, end in spans:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart
