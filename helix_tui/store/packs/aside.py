"""Set aside packs, and ends of packs, that no row owns: they are never deleted unread.

A file in this folder is a pack like any other: its header says which session it is of.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from helix_tui.files.durable import FILE_MODE, FOLDER_MODE, sync_folder
from helix_tui.store.layout import StoreLayout

_AT_ONCE = 1 << 20


def files_aside(layout: StoreLayout) -> list[Path]:
    """The packs that were set aside, in a fixed order."""
    try:
        names = sorted(os.listdir(layout.aside))
    except FileNotFoundError:
        return []
    return [layout.aside / name for name in names if name.endswith(".pack")]


def move_aside(layout: StoreLayout, path: Path) -> Path:
    """Move a whole pack, which needs no disk space."""
    target = _free_name(layout, path)
    path.rename(target)
    sync_folder(layout.aside)
    sync_folder(path.parent)
    return target


def copy_aside(layout: StoreLayout, path: Path, stretches: Sequence[tuple[int, int]]) -> Path:
    """Copy ranges of a pack durably, so that they may be cut off afterwards."""
    target = _free_name(layout, path)
    partial = target.with_suffix(".partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    try:
        with path.open("rb") as pack, os.fdopen(os.open(partial, flags, FILE_MODE), "wb") as copy:
            for start, end in stretches:
                pack.seek(start)
                while start < end and (piece := pack.read(min(_AT_ONCE, end - start))):
                    copy.write(piece)
                    start += len(piece)
            copy.flush()
            os.fsync(copy.fileno())
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    partial.rename(target)
    sync_folder(layout.aside)
    return target


def drop_aside(layout: StoreLayout, paths: Sequence[Path]) -> None:
    """Remove files whose every event is durably in the store, or must not be in it."""
    for path in paths:
        path.unlink()
    clear_aside(layout)


def clear_aside(layout: StoreLayout) -> None:
    """Remove copies that a crash left unfinished, and the folder when it is empty."""
    for partial in layout.aside.glob("*.partial"):
        partial.unlink()
    try:
        layout.aside.rmdir()
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def _free_name(layout: StoreLayout, path: Path) -> Path:
    if not layout.aside.is_dir():
        layout.aside.mkdir(mode=FOLDER_MODE)
        sync_folder(layout.root)
    names = (layout.aside / f"{path.stem}-{number}.pack" for number in count(1))
    return next(name for name in names if not name.exists())
