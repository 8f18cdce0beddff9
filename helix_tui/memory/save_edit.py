"""Save a person's edit of a page of memory, while others may write to it as well."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from helix_tui.errors import StoreBusyError
from helix_tui.files.durable import FILE_MODE, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.memory.flush.daily import writing
from helix_tui.memory.knowledge.compile import compiling
from helix_tui.memory.notes.file import locked
from helix_tui.memory.places import MemoryPlaces

log = logging.getLogger(__name__)


def save_by_hand(places: MemoryPlaces, path: Path, before: str, after: str) -> Path:
    """Write a person's edit of a page; return the file that has it.

    What was appended meanwhile stays after it. Where the page changed otherwise, or another process
    is writing to it, it is left alone, and the edit is saved to a file beside it.
    """
    original = before.encode()
    try:
        with _held(places, path):
            current = _content(path)
            if current.startswith(original):
                added = current[len(original) :]
                between = b"\n" if added and not after.endswith("\n") else b""
                write_atomically(path, after.encode() + between + added, FILE_MODE)
                return path
    except StoreBusyError as busy:
        log.info("written beside %s: %s", path, busy)
    copy = path.with_name(f"{path.name}.yours-{datetime.now():%Y%m%d-%H%M%S}")
    write_atomically(copy, after.encode(), FILE_MODE)
    return copy


def beside(folder: Path) -> list[Path]:
    """Edits that could not be put into the pages of a folder."""
    return sorted(folder.glob("*.yours-*"))


def _held(places: MemoryPlaces, path: Path) -> AbstractContextManager[None]:
    """The lock of those who write such pages."""
    if path.parent == places.daily:
        return writing(places)
    return compiling(places) if path.parent == places.knowledge else locked(path)


def _content(path: Path) -> bytes:
    with told(path):
        try:
            return read_regular(path)
        except FileNotFoundError:
            return b""
