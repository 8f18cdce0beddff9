"""Words that only hold sentences together, in the languages that are spoken most."""

from __future__ import annotations

from pathlib import Path

FUNCTION_WORDS = frozenset(
    (Path(__file__).parent / "function_words.txt").read_text(encoding="utf-8").split()
)
