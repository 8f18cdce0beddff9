"""An expression over a runner's lines, compiled when a text may have a line for it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from helix_tui.text.literal import exact_literal_of


class Expression:
    """An expression of a row; most texts lack the literal that it needs, and cost no more."""

    __slots__ = ("_compiled", "_literal", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._literal = exact_literal_of(source)
        self._compiled: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """Where it first occurs in a text."""
        return self._pattern().search(text) if self._literal in text else None

    def finditer(self, text: str) -> Iterable[re.Match[str]]:
        """Where it occurs in a text."""
        return self._pattern().finditer(text) if self._literal in text else ()

    def counts(self, name: str) -> bool:
        """Whether it has a group of that name, which holds a number."""
        return f"(?P<{name}>" in self._source

    def _pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, re.MULTILINE)
        return self._compiled
