"""The book of what agents were handed: who saw what, and when, so that its effect can be told."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from helix_tui.files.durable import FILE_MODE, make_folder, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.hook import HANDED_OUT, append
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema.memory import SpoolLine
from helix_tui.schema.recall import HandedOut

log = logging.getLogger(__name__)
# The oldest lines go where the book has more than this.
_MOST_BYTES = 4 << 20
_decode = msgspec.json.Decoder(HandedOut).decode


def hand_out(spool: Path, handed: HandedOut) -> None:
    """Leave a line in the spool that says what an agent was handed."""
    line = SpoolLine(
        handed.flavor,
        handed.session,
        "",
        HANDED_OUT,
        handed.at,
        handed=msgspec.json.encode(handed).decode(),
    )
    append(str(spool), msgspec.json.encode(line) + b"\n")


def note_handed(places: MemoryPlaces, lines: Sequence[SpoolLine]) -> None:
    """Move what was handed out from the spool's lines to the book."""
    rows = [row for line in lines if (row := _row(line)) is not None]
    if not rows:
        return
    with told(places.handed):
        make_folder(places.root)
        before = b""
        with suppress(FileNotFoundError):
            before = read_regular(places.handed)
        content = before + b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
        if len(content) > _MOST_BYTES:
            content = content[content.index(b"\n", len(content) - _MOST_BYTES // 2) + 1 :]
        write_atomically(places.handed, content, FILE_MODE)


def handed_out(places: MemoryPlaces) -> list[HandedOut]:
    """Everything that the book has, in the order of arrival; lines that are damaged are told."""
    try:
        content = read_regular(places.handed)
    except FileNotFoundError:
        return []
    rows, damaged = [], 0
    for raw in content.split(b"\n"):
        if raw.strip():
            try:
                rows.append(_decode(raw))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                damaged += 1
    if damaged:
        log.warning("%s holds %d lines that cannot be read", places.handed, damaged)
    return rows


def forget_handed(places: MemoryPlaces, session_ids: Collection[str]) -> None:
    """Drop the lines of sessions that are forgotten."""
    if not os.path.exists(places.handed):  # noqa: PTH110
        return
    rows = handed_out(places)
    kept = [row for row in rows if f"{row.flavor}:{row.session}" not in session_ids]
    if len(kept) < len(rows):
        content = b"".join(msgspec.json.encode(row) + b"\n" for row in kept)
        write_atomically(places.handed, content, FILE_MODE)


def _row(line: SpoolLine) -> HandedOut | None:
    if line.event != HANDED_OUT or not line.handed:
        return None
    try:
        return _decode(line.handed)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        log.warning("a line of the spool that says what was handed out cannot be read")
        return None
