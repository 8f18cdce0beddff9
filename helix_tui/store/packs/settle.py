"""Bring packs and database into agreement after a crash or a restored backup."""

from __future__ import annotations

import sqlite3

from helix_tui.store.database import Database
from helix_tui.store.forget_session import forget_session
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.seal import break_seal, packs_state, seal_packs
from helix_tui.store.packs.unowned import put_unowned_aside
from helix_tui.store.user_lists import forgotten_sessions


def settle_packs(database: Database, layout: StoreLayout) -> None:
    """Set aside what no row owns, and seal the packs, where they and the database disagree.

    A database restored from a backup may have sessions that were forgotten since.
    """
    connection: sqlite3.Connection = database.connection()
    state = packs_state(connection, layout)
    if state.is_agreed:
        return
    break_seal(layout)
    for name in sorted(forgotten_sessions(layout)):
        if connection.execute("SELECT 1 FROM session WHERE id = ?", (name,)).fetchone():
            forget_session(database, layout, name)
    if put_unowned_aside(connection, layout, is_cut_off=state.is_cut_off):
        seal_packs(connection, layout)
