"""Whether something changed since it was found out what is told; every sweep asks for that."""

from __future__ import annotations

import sqlite3

import msgspec

from helix_tui.engine.context.watch import Watched, is_unchanged
from helix_tui.store.detection.grouping_state import grouping_number
from helix_tui.store.facts import TOLD_NOTE, note

# Goes up when what is told is found in another way.
VERSION = 5


class Basis(msgspec.Struct):
    """What a book of what is told was made of."""

    version: int = 0
    grouping: int = -1
    watched: Watched = Watched()

    def is_current(self, connection: sqlite3.Connection) -> bool:
        """Whether nothing of it changed."""
        return (
            self.version == VERSION
            and self.grouping == grouping_number(connection)
            and is_unchanged(self.watched)
        )


_decode = msgspec.json.Decoder(Basis).decode


def is_told_due(connection: sqlite3.Connection) -> bool:
    """Whether the book is to be made anew; without one it is."""
    text = note(connection, TOLD_NOTE)
    try:
        return not (_decode(text) if text is not None else Basis()).is_current(connection)
    except msgspec.MsgspecError:
        return True
