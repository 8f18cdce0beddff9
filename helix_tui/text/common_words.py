"""Words that people use whatever they speak of: none of them tells what a text is about."""

from __future__ import annotations

from pathlib import Path

COMMON = frozenset((Path(__file__).parent / "common_words.txt").read_text("utf-8").split())
