"""Gathers what can be searched of a part, redacted and bounded."""

from __future__ import annotations

from helix_tui.digest.excerpt import beginning
from helix_tui.schema import SearchText

# What can be searched of one part: far more than people say in one, and not all of a runaway.
MOST_TEXT = 1 << 20


class Texts:
    """The texts of some events, in their order; `size` is what the part has given so far."""

    __slots__ = ("_texts", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self._texts: list[SearchText] = []

    def add(self, kind: int, ts: int | None, text: str) -> None:
        """Takes a text that is redacted and cut."""
        if text and self.size < MOST_TEXT:
            self.size += len(text)
            self._texts.append((kind, ts, text))

    def add_beginning(self, kind: int, ts: int | None, text: str, limit: int) -> str:
        """Takes the beginning of a text as a log has it; returns what it took."""
        kept = beginning(text, limit) if self.size < MOST_TEXT else ""
        self.add(kind, ts, kept)
        return kept

    def take(self) -> list[SearchText]:
        """What was gathered since the last time."""
        texts, self._texts = self._texts, []
        return texts
