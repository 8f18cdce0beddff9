"""What the store takes on disk, counted the way `du` does, and the space reserved for eviction."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from helix_tui.errors import OutOfSpaceError
from helix_tui.files.durable import FILE_MODE
from helix_tui.schema import DiskUsage
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout

# A file takes whole blocks, of this size on all common file systems.
BLOCK = 4096
# Bytes of the event table's pages per row, measured over homes of several kinds.
EVENT_ROW_BYTES = 42
LARGEST_RESERVE = 4 << 20
_SMALLEST_RESERVE = 64 << 10
_SECTOR = 512
log = logging.getLogger(__name__)
_PASSING = (".db-wal", ".db-shm")


def raw_bytes(pack_bytes: int, rows: int) -> int:
    """What a session's pack and event rows take on disk."""
    return -(-pack_bytes // BLOCK) * BLOCK + rows * EVENT_ROW_BYTES


def usage_of(database: Database, layout: StoreLayout) -> DiskUsage:
    """Raw bytes by the sessions' rows; distilled is the rest of what `du` reports for the folder.

    The database's log is left out: it is gone when the last connection closes.
    """
    packs, rows = database.execute_sql(
        "SELECT coalesce(sum((pack_bytes + ?) / ?), 0), coalesce(sum(events - evicted_events), 0) "
        "FROM session",
        (BLOCK - 1, BLOCK),
    ).fetchone()
    in_rows = rows * EVENT_ROW_BYTES
    return DiskUsage(packs * BLOCK + in_rows, max(0, _du_but_packs(layout) - in_rows))


def _du_but_packs(layout: StoreLayout) -> int:
    """The blocks of everything in the store's folder except the packs."""
    total = 0
    for path in _entries(layout.root, layout.packs):
        try:
            total += path.lstat().st_blocks * _SECTOR
        except FileNotFoundError:
            continue  # another command's file came and went
    return total


def _entries(root: Path, packs: Path) -> Iterator[Path]:
    yield root
    for folder, folders, files in os.walk(root):
        parent = Path(folder)
        yield from (parent / name for name in folders)
        yield from (parent / name for name in files if not name.endswith(_PASSING))
        if parent == packs:
            folders.clear()  # what lies in them is counted by the rows


def keep_reserve(layout: StoreLayout) -> None:
    """Reserve disk space that eviction can use when the disk is full, while there is plenty."""
    size = _reserve_size(layout)
    if _has_reserve(layout) or _free(layout) < 4 * size:
        return
    try:
        descriptor = os.open(layout.reserve, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            os.posix_fallocate(descriptor, 0, size)
        finally:
            os.close(descriptor)
    except OSError as error:
        # Nothing is lost without it; the next writer tries again.
        log.warning("no room could be set aside for evicting: %s", error.strerror)
        layout.reserve.unlink(missing_ok=True)


def release_reserve_if_low(layout: StoreLayout) -> None:
    """Give the reserve back when the disk is nearly full: deleting needs space, too."""
    if _free(layout) < 2 * _reserve_size(layout):
        layout.reserve.unlink(missing_ok=True)


def require_room(layout: StoreLayout, size: int) -> None:
    """Refuse to add `size` bytes where less than the reserve would remain for eviction."""
    free = _free(layout)
    if not _has_reserve(layout):
        free -= _reserve_size(layout)
    if free < size:
        raise OutOfSpaceError(
            f"The disk of the store in {layout.root} is nearly full: no more is added.",
            "Free some space, or lower retention.raw_soft_cap_bytes; nothing that was committed "
            "is lost, and nothing is evicted for it.",
        )


def _free(layout: StoreLayout) -> int:
    return shutil.disk_usage(layout.root).free


def _has_reserve(layout: StoreLayout) -> bool:
    """Whether the reserve takes the space it should; a crash may have left it empty."""
    try:
        return layout.reserve.stat().st_blocks * _SECTOR >= _reserve_size(layout)
    except FileNotFoundError:
        return False


def _reserve_size(layout: StoreLayout) -> int:
    total = shutil.disk_usage(layout.root).total
    return min(max(total // 16, _SMALLEST_RESERVE), LARGEST_RESERVE)
