"""What a person writes into a page of memory, while others may write to it as well."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from helix_tui.errors import StoreBusyError
from helix_tui.memory.compile import compiling
from helix_tui.memory.daily import writing
from helix_tui.memory.notes.file import locked
from helix_tui.memory.places import MemoryPlaces
from helix_tui.regular import read_regular
from helix_tui.store.durable import told, write_atomically
from helix_tui.store.layout import FILE_MODE

log = logging.getLogger(__name__)


def save_by_hand(places: MemoryPlaces, path: Path, before: str, after: str) -> Path:
    """Writes what a person made of a page; returns the file that it is in.

    What came at its end meanwhile stays behind it. Where the page changed otherwise, or somebody
    else is writing to it, it is left alone, and what the person wrote is put beside it.
    """
    was = before.encode()
    try:
        with _held(places, path):
            now = _content(path)
            if now.startswith(was):
                added = now[len(was) :]
                between = b"\n" if added and not after.endswith("\n") else b""
                write_atomically(path, after.encode() + between + added, FILE_MODE)
                return path
    except StoreBusyError as busy:
        log.info("written beside %s: %s", path, busy)
    kept = path.with_name(f"{path.name}.yours-{datetime.now():%Y%m%d-%H%M%S}")
    write_atomically(kept, after.encode(), FILE_MODE)
    return kept


def beside(folder: Path) -> list[Path]:
    """What persons wrote that could not be put into the pages of a folder."""
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
