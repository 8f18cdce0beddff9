"""Find packs, and ends of packs, that no row owns, and set them aside."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from helix_tui.files.durable import FULL
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import clear_aside, files_aside
from helix_tui.store.packs.packs import (
    PackOwner,
    StoredFrame,
    cut_torn_end,
    header_in,
    is_pack_of,
    pack_files,
    put_aside,
)

log = logging.getLogger(__name__)


class Unowned(NamedTuple):
    """A pack of which rows own only the first `owned` bytes."""

    path: Path
    owned: int

    @property
    def size(self) -> int:
        """How many bytes no row owns."""
        return self.path.stat().st_size - self.owned


def pack_owner(connection: sqlite3.Connection, key: int) -> PackOwner:
    """What the database knows of one session's pack."""
    name, committed = connection.execute(
        "SELECT id, pack_bytes FROM session WHERE key = ?", (key,)
    ).fetchone()
    last = connection.execute(
        'SELECT "offset", length, size, checksum FROM frame WHERE session = ? '
        'ORDER BY "offset" DESC LIMIT 1',
        (key,),
    ).fetchone()
    return PackOwner(key, name, committed, StoredFrame(*last) if last else None)


def unowned_packs(connection: sqlite3.Connection, layout: StoreLayout) -> Iterator[Unowned]:
    """Everything in the folder of packs that belongs to no row.

    A damaged pack of a session stays where it is: that is for repair.
    """
    rows = connection.execute("SELECT key FROM session WHERE pack_bytes > 0")
    sessions = {key for (key,) in rows}
    for path in sorted(pack_files(layout.packs)):
        key = int(path.stem)
        if key not in sessions or path != layout.pack(key):
            yield Unowned(path, 0)
            continue
        owner = pack_owner(connection, key)
        if is_pack_of(path, owner):
            if path.stat().st_size > owner.committed:
                yield Unowned(path, owner.committed)
        elif (header := header_in(path)) is not None and header.id != owner.id:
            yield Unowned(path, 0)


def put_unowned_aside(
    connection: sqlite3.Connection, layout: StoreLayout, *, is_cut_off: bool
) -> bool:
    """Set all unowned bytes aside; return whether there was enough disk space.

    After an interrupted writer only complete frames are worth keeping: the rest was never
    readable.
    """
    clear_aside(layout)
    earlier_files = set(files_aside(layout))
    has_room = True
    for item in list(unowned_packs(connection, layout)):
        try:
            put_aside(layout, item.path, item.owned)
        except OSError as error:
            if error.errno not in FULL:
                raise
            # It stays in place, and only blocks that one session; the next writer tries again.
            log.warning("%s could not be set aside: %s", item.path.name, error.strerror)
            has_room = False
    if is_cut_off:
        for path in set(files_aside(layout)) - earlier_files:
            cut_torn_end(path)
        clear_aside(layout)
    return has_room
