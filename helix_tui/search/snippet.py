"""Find the terms of a query in a session's texts, and cut snippets around them."""

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
# Of two texts with as many of the terms, the one of the earlier kind is shown.
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
        """Return the sort key, best first: more terms, a weightier kind, earlier."""
        return -len(self.spans), _ORDER.index(self.kind), self.ts or 0


def find_in(texts: Iterable[SearchText], query: Query) -> tuple[int, tuple[Snippet, ...]]:
    """Count the texts that have any term, and cut snippets from the best of them."""
    patterns = [pattern for pattern in map(_pattern, query.wanted) if pattern]
    # The same text from two files counts once.
    unique = dict.fromkeys(texts)
    matches = [match for text in unique if (match := _match(text, patterns))]
    if not matches and unique:
        # The index folds some characters differently: it matched, but the place is unknown.
        matches = [_Match(TEXT_KINDS[kind], ts, _line(text), []) for kind, ts, text in unique][:1]
    matches.sort(key=_Match.goodness)
    shown = {match.line: match for match in reversed(matches)}
    best = sorted(shown.values(), key=_Match.goodness)[:_MOST_SNIPPETS]
    return len(matches), tuple(map(_snippet, best))


def _match(text: SearchText, patterns: Sequence[re.Pattern[str]]) -> _Match | None:
    kind, ts, raw_text = text
    line = _line(raw_text)
    plain = _folded(line)
    places_by_term = [[place.span() for place in pattern.finditer(plain)] for pattern in patterns]
    spans = [places for places in places_by_term if places]
    return _Match(TEXT_KINDS[kind], ts, line, spans) if spans else None


def _line(text: str) -> str:
    return " ".join(text.split())


def _pattern(term: Term) -> re.Pattern[str] | None:
    """Compile a term as the index takes it: adjacent words, with any punctuation between."""
    words = _WORD.findall(_folded(term.text))
    if not words:
        return None
    end = r"[^\W_]*" if term.is_prefix else r"(?![^\W_])"
    return re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, words)) + end)


def _folded(text: str) -> str:
    """Lower the text and drop accents, character by character."""
    return text.lower() if text.isascii() else "".join(map(_folded_sign, text))


@lru_cache(maxsize=4096)
def _folded_sign(sign: str) -> str:
    return unicodedata.normalize("NFD", sign)[0].lower()[0]


def _snippet(match: _Match) -> Snippet:
    """Cut the stretch with the most terms, and mark those that lie in it whole."""
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
    """Return a start from which a snippet holds the most terms, a little before the first."""

    def terms_from(start: int) -> int:
        reach = start + _WIDTH - 2 * _BEFORE
        return sum(any(start <= a and b <= reach for a, b in places) for places in by_term)

    starts = [start for start, _ in spans[:50]]
    best = max(starts, key=terms_from, default=0)  # the first of equals
    return best - _BEFORE


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Join overlapping spans."""
    apart: list[Span] = []
    for start, end in spans:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart
