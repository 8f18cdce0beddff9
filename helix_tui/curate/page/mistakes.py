"""Report what is wrong with a file of the catalog, line by line."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.errors import ExitCode, HelixError
from helix_tui.text.safe import safe_line

_MANY = 100
_LONGEST = 300


class Mistake(NamedTuple):
    """A line of a file, counted from 1, and what is wrong there."""

    line: int
    reason: str


class BadFileError(HelixError):
    """A file of the catalog cannot be read; every mistake is listed at once, up to a hundred."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, file: str, mistakes: list[Mistake]) -> None:
        # A reason may quote the file.
        safe_mistakes = {Mistake(line, safe_line(reason, _LONGEST)) for line, reason in mistakes}
        self.mistakes = sorted(safe_mistakes)[:_MANY]
        text = "\n".join(f"{file}:{line}: {reason}" for line, reason in self.mistakes)
        super().__init__(text, "Correct the file; until then it is left as it is.")

    def __str__(self) -> str:
        return f"{self.what}\n{self.todo}"


class BadPageError(BadFileError):
    """The page of a pattern cannot be read, or a pattern cannot be written as a page."""


class BadHistoryError(BadFileError):
    """The history of a pattern cannot be read."""
