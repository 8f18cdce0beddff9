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
        self._raw: list[tuple[int, str, int]] = []

    def add(self, kind: int, ts: int | None, text: str) -> None:
        """Takes a text that is redacted and cut."""
        if text and self.size < MOST_TEXT:
            self.size += len(text)
            self._texts.append((kind, ts, text))

    def add_raw(self, kind: int, ts: int | None, text: str, limit: int) -> None:
        """Takes the beginning of a text as it stands in a log."""
        if text and self.size < MOST_TEXT:
            self.size += min(len(text), limit)
            self._raw.append((len(self._texts), text, limit))
            self._texts.append((kind, ts, ""))

    def take(self) -> list[SearchText]:
        """What was gathered since the last time, every text redacted."""
        texts, raw = self._texts, self._raw
        self._texts, self._raw = [], []
        clean = excerpts([text for _, text, _ in raw], [limit for *_, limit in raw])
        for (index, *_), text in zip(raw, clean, strict=True):
            texts[index] = (*texts[index][:2], text)
        return [text for text in texts if text[2]]
