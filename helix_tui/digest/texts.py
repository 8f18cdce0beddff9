"""Gathers what can be searched of a part: bounded, and redacted many at once."""

from __future__ import annotations

from helix_tui.digest.excerpt import excerpts
from helix_tui.schema import SearchText

# What can be searched of one part: far more than people say in one, and not all of a runaway.
MOST_TEXT = 1 << 20


class Texts:
    """The texts of some events, in their order; `size` is what the part has given so far."""

    __slots__ = ("_raw", "_texts", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self._texts: list[SearchText] = []
        self._raw: list[tuple[int, int]] = []

    def add(self, kind: int, ts: int | None, text: str) -> None:
        """Takes a text that is redacted and cut."""
        if text and self.size < MOST_TEXT:
            self.size += len(text)
            self._texts.append((kind, ts, text))

    def add_raw(self, kind: int, ts: int | None, text: str, limit: int) -> int | None:
        """Takes the beginning of a text as it stands in a log; returns its place if it does."""
        if not text or self.size >= MOST_TEXT:
            return None
        place = len(self._texts)
        self.size += min(len(text), limit)
        self._texts.append((kind, ts, text))
        self._raw.append((place, limit))
        return place

    def redact(self) -> None:
        """Redacts and cuts what was taken raw."""
        texts = self._texts
        clean = excerpts([(texts[place][2], limit) for place, limit in self._raw])
        for (place, _), text in zip(self._raw, clean, strict=True):
            kind, ts, _ = texts[place]
            texts[place] = kind, ts, text
        self._raw = []

    def at(self, place: int) -> str:
        """The text at a place."""
        return self._texts[place][2]

    def take(self) -> list[SearchText]:
        """What was gathered since the last time, every text redacted."""
        self.redact()
        texts, self._texts = self._texts, []
        return texts
