"""Make signals of a model's labels; the same logs and labels always give the same signals."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from helix_tui.config import Config
from helix_tui.digest.reader.labelled import labelled
from helix_tui.engine.reader.label_book import LabelLine, book_of, labels_in
from helix_tui.engine.sweep.analysis import digest_of_stored, judged_of
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import LABELS_NOTE
from helix_tui.store.detection.signals import folds_by_session, write_signals
from helix_tui.store.facts import drop_note, note, set_note


def has_new_labels(config: Config, connection: sqlite3.Connection) -> bool:
    """Whether labels came, or stopped counting, since signals were last made of them."""
    mark = note(connection, LABELS_NOTE)
    if config.detect.reader == "rules":
        return mark is not None
    size = book_of(config).size()
    return _size(mark) != size


def apply_labels(config: Config, connection: sqlite3.Connection) -> None:
    """Make anew the signals of sessions that were read, or that changed beside labels.

    Where the rules alone read again, sessions get their own signals back.
    """
    mark = note(connection, LABELS_NOTE)
    is_reading = config.detect.reader == "model"
    if not is_reading and mark is None:
        return
    book = book_of(config)
    size = book.size()
    lines = book.lines()
    names = {line.session for line in _new(lines, mark if is_reading else None)}
    if is_reading and lines:
        names |= _changed(connection)
    labels = labels_in(lines) if is_reading else {}
    for key, _, folds in folds_by_session(connection, names):
        digest = digest_of_stored(folds)
        read = labelled(digest, labels)
        if read is not digest or not is_reading:
            write_signals(connection, key, judged_of(read))
    if is_reading:
        set_note(connection, LABELS_NOTE, f"{len(lines)}:{size}")
    else:
        drop_note(connection, LABELS_NOTE)


def forget_labels(config: Config, database: Database, sessions: Collection[str]) -> None:
    """Drop the labels of sessions; what is left is applied again."""
    book_of(config).forget(sessions)
    if note(database.connection(), LABELS_NOTE) is not None:
        set_note(database.connection(), LABELS_NOTE, "0:0")


def _new(lines: list[LabelLine], mark: str | None) -> list[LabelLine]:
    """The lines behind those that a mark covers."""
    applied = int(mark.partition(":")[0]) if mark else 0
    return lines[applied:] if applied <= len(lines) else lines


def _size(mark: str | None) -> int:
    return int(mark.partition(":")[2]) if mark else 0


def _changed(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute(
        "SELECT id FROM session WHERE key IN (SELECT session FROM changed_session)"
    )
    return {str(name) for (name,) in rows}
