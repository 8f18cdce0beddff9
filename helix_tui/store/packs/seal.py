"""Tell whether database and packs belong together.

Either may be restored from a backup without the other. So whoever changed packs leaves a new
random mark, in a file beside them and in the database, with the times at which their folders were
last changed. While packs are being changed the file with the last mark has another name: finding
it there means that a writer was interrupted.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from helix_tui.files.durable import FILE_MODE, sync_folder
from helix_tui.store.facts import note, set_note
from helix_tui.store.layout import StoreLayout
from helix_tui.text.hashing import hash64

_NOTE = "packs"
# A fact of stores from before there were marks: a writer was at work when it was last written.
_UNCLEAN = "unclean"


class PacksState(msgspec.Struct, frozen=True):
    """Whether database and packs belong together, and whether a writer is or was at work."""

    is_agreed: bool
    is_cut_off: bool


def packs_state(connection: sqlite3.Connection, layout: StoreLayout) -> PacksState:
    """Compare the marks; look at a few small files and folders, and at no pack."""
    noted = note(connection, _NOTE) or ":"
    mark = _content(layout.packs_mark) or ""
    last = _content(layout.packs_unsealed)
    is_unclean = note(connection, _UNCLEAN) is not None
    is_agreed = last is None and not is_unclean and noted == f"{mark}:{_touched(layout)}"
    is_of_this_time = noted.partition(":")[0] in (mark, last)
    return PacksState(is_agreed, is_of_this_time and (last is not None or is_unclean))


@contextmanager
def changing_packs(connection: sqlite3.Connection, layout: StoreLayout) -> Iterator[None]:
    """Break the seal while packs are changed, and restore it if it held before."""
    was_agreed = packs_state(connection, layout).is_agreed
    break_seal(layout)
    yield
    if was_agreed:
        seal_packs(connection, layout)


def break_seal(layout: StoreLayout) -> None:
    """Record, durably and before the first pack is touched, that packs are being changed.

    It needs no disk space: eviction must work on a full disk.
    """
    if layout.packs_unsealed.exists():
        return
    try:
        layout.packs_mark.rename(layout.packs_unsealed)
    except FileNotFoundError:
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC
        os.close(os.open(layout.packs_unsealed, flags, FILE_MODE))
    sync_folder(layout.packs)


def seal_packs(connection: sqlite3.Connection, layout: StoreLayout) -> None:
    """Record that every byte of every pack belongs to a row of this database."""
    mark = os.urandom(8).hex()
    partial = layout.packs_mark.with_suffix(".partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    with os.fdopen(os.open(partial, flags, FILE_MODE), "w", encoding="ascii") as file:
        file.write(mark)
    partial.rename(layout.packs_mark)
    set_note(connection, _NOTE, f"{mark}:{_touched(layout)}")
    connection.execute("DELETE FROM note WHERE name = ?", (_UNCLEAN,))
    layout.packs_unsealed.unlink(missing_ok=True)


def _content(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return None


def _touched(layout: StoreLayout) -> str:
    """A hash of when each folder of packs last changed, which no copy preserves."""
    try:
        with os.scandir(layout.packs) as entries:
            folders = sorted(
                (entry.name, entry.stat().st_ctime_ns)
                for entry in entries
                if entry.name.isdecimal() and entry.is_dir()
            )
    except FileNotFoundError:
        return ""
    return f"{hash64(repr(folders).encode()):x}" if folders else ""
