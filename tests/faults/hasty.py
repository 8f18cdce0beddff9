"""Verdicts written otherwise than they are, to show that the tests would notice."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from helix_tui.curate.journal.journal import Journal
from helix_tui.engine.review.transaction import ReviewTransaction
from helix_tui.files import durable, ledger
from helix_tui.schema.review import JournalLine

FILES_FIRST = "files-before-the-line"
UNSYNCED_LINE = "unsynced-line"
UNSYNCED_FILES = "unsynced-files"


def write_files_first() -> None:
    """Has the catalog's files written before the line that they follow from."""
    waiting: list[tuple[Journal, list[JournalLine]]] = []
    append, write = Journal.append, ReviewTransaction._write_files

    def append_later(self: Journal, *lines: JournalLine) -> list[JournalLine]:
        first = len(self.lines().lines) + 1
        numbered = [
            msgspec.structs.replace(line, seq=first + passed) for passed, line in enumerate(lines)
        ]
        waiting.append((self, numbered))
        return numbered

    def write_and_append(self: ReviewTransaction, message: str = "") -> None:
        write(self, message)
        for journal, lines in waiting:
            append(journal, *lines)
        waiting.clear()

    _set(Journal, "append", append_later)
    _set(ReviewTransaction, "_write_files", write_and_append)


def sync_no_line() -> None:
    """Has files written while the line that they follow from may still be lost."""
    _sync_nothing(ledger)


def sync_no_files() -> None:
    """Has files renamed into place that are not on the disk yet."""
    _sync_nothing(durable)


def _sync_nothing(owner: object) -> None:
    class Unsynced:
        """The system, but for its syncs."""

        def __getattr__(self, name: str) -> object:
            return (lambda descriptor: None) if name == "fsync" else getattr(os, name)

    _set(owner, "os", Unsynced())


def _set(owner: object, name: str, value: object) -> None:
    """Replaces what must be there: a name that has gone would make the test one of nothing."""
    if not hasattr(owner, name):
        raise SystemExit(f"{owner} has no {name} any more")
    setattr(owner, name, value)


CHANGES: dict[str, Callable[[], None]] = {
    FILES_FIRST: write_files_first,
    UNSYNCED_LINE: sync_no_line,
    UNSYNCED_FILES: sync_no_files,
}
