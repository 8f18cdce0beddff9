"""Read what can still be read of a damaged database, row by row around the damage."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from helix_tui.files.durable import FILE_MODE
from helix_tui.schema import Instructed, UsageClaim
from helix_tui.store.digests.search_index import SHIFT
from helix_tui.store.ingest.session_state import COLUMNS, SessionState
from helix_tui.store.ingest.usage import USAGE_COLUMNS
from helix_tui.store.packs.evicted import unpack_fingerprints
from helix_tui.store.packs.packs import StoredFrame

T = TypeVar("T")
_NO_COUNTS = {"key", "ts", "model", "cost_ticks"}
_OF_ANY_USAGE = ("key", "session", "ts", "model")
_PAGE = 4096
_MAGIC = b"SQLite format 3\0"
_FURTHEST = 1 << 62
# An error message about garbled text may itself not be decodable.
_UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
# Errors of the machine, not of the file: reading on would take existing rows for lost.
_NO_DAMAGE = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
}
# A file that ends early is padded with zeros, up to this factor; its header may claim anything.
_MOST_MISSING = 64
_FIRST_WITH_INSTRUCTIONS = 7


class SalvagedSession(msgspec.Struct):
    """A session as the damaged database had it."""

    state: SessionState
    evicted: set[int] = set()
    folds: dict[int, bytes] = {}
    texts: list[bytes] = []
    usage: list[UsageClaim] = []
    instructions: list[Instructed] = []


class SalvagedPart(msgspec.Struct, frozen=True):
    """A part as the damaged database had it."""

    flavor: str
    unit: str
    name: str
    path: str
    is_document: bool = False


class _Fold(msgspec.Struct, frozen=True):
    session: int
    part: int
    data: bytes


class _Text(msgspec.Struct, frozen=True):
    key: int
    data: bytes


class _Evicted(msgspec.Struct, frozen=True):
    session: int
    fingerprints: bytes


class _Given(msgspec.Struct, frozen=True):
    session: int
    hash: int
    source: str
    ts: int | None = None
    cut: int | None = None


class _GivenText(msgspec.Struct, frozen=True):
    hash: int
    size: int
    data: bytes


class EventPlace(NamedTuple):
    """Where an event was: in which part, and in which frame of the pack."""

    part: int
    position: int
    frame: int
    slot: int


class SalvagedStore(msgspec.Struct):
    """Everything that could be read; `is_whole` tells whether that was everything.

    Rows of events are many: they are read session by session, when they are needed.
    """

    sessions: dict[str, SalvagedSession] = {}
    by_key: dict[int, SalvagedSession] = {}
    parts: dict[int, SalvagedPart] = {}
    regrouped: list[tuple[str, str]] = []
    is_whole: bool = True
    connection: sqlite3.Connection | None = None

    def events_of(self, key: int) -> dict[int, EventPlace]:
        """The events that a session had raw bytes of, by fingerprint."""
        rows = self._rows(
            "SELECT fingerprint, part, position, frame, slot FROM event WHERE session = ?", key
        )
        return {fingerprint: EventPlace(*place) for fingerprint, *place in rows}

    def frames_of(self, key: int) -> list[StoredFrame]:
        """The frames of a session's pack."""
        select = 'SELECT "offset", length, size, checksum FROM frame WHERE session = ?'
        return [StoredFrame(*row) for row in self._rows(select, key)]

    def _rows(self, select: str, key: int) -> list[tuple[int, ...]]:
        rows: list[tuple[int, ...]] = []
        if self.connection is None:
            return rows
        try:
            for row in self.connection.execute(select, (key,)):
                if all(isinstance(value, int) for value in row):
                    rows.append(row)
        except _UNREADABLE as error:
            _require_damage(error)
            self.is_whole = False
        return rows


@contextmanager
def salvage_database(path: Path) -> Iterator[SalvagedStore]:
    """What can be read of a database in any state; the file itself is not changed."""
    salvaged = SalvagedStore()
    if not path.is_file():
        salvaged.is_whole = False
        yield salvaged
        return
    with _readable_copy(path) as copy:
        salvaged.connection = sqlite3.connect(copy)
        salvaged.connection.text_factory = _lenient_text
        try:
            # Alone with its copy, SQLite needs no shared memory beside it.
            salvaged.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            _Salvager(salvaged.connection, salvaged).run()
            yield salvaged
        finally:
            salvaged.connection.close()


def _require_damage(error: BaseException) -> None:
    """Raise an error that does not mean damage of the file."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_DAMAGE:
        raise error


def _lenient_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


@contextmanager
def _readable_copy(path: Path) -> Iterator[Path]:
    """A copy with a header that SQLite accepts, and zeros where pages were cut off."""
    copy = path.with_name("salvage.db")
    _remove_copy(copy)
    try:
        for suffix in ("", "-wal", "-journal"):
            source = path.with_name(f"{path.name}{suffix}")
            if source.is_file():
                copied = copy.with_name(f"{copy.name}{suffix}")
                shutil.copyfile(source, copied)
                copied.chmod(FILE_MODE)
        with copy.open("r+b") as file:
            _mend_header(file.fileno())
        yield copy
    finally:
        _remove_copy(copy)


def _remove_copy(copy: Path) -> None:
    """Remove the copy; one of a killed process stays until the next repair."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        copy.with_name(f"{copy.name}{suffix}").unlink(missing_ok=True)


def _mend_header(descriptor: int) -> None:
    size = os.fstat(descriptor).st_size
    header = bytearray(os.pread(descriptor, 100, 0).ljust(100, b"\0"))
    if not header.startswith(_MAGIC):
        # The header of every store: pages of 4 KiB, a log, UTF-8, incremental vacuum.
        header[:24] = _MAGIC + struct.pack(">HBBBBBB", _PAGE, 2, 2, 0, 64, 32, 32)
        header[44:48] = struct.pack(">I", 4)
        header[56:60] = struct.pack(">I", 1)
        header[64:68] = struct.pack(">I", 1)
    (claimed,) = struct.unpack_from(">I", header, 28)
    present = -(-size // _PAGE)
    pages = claimed if present <= claimed <= present * _MOST_MISSING else present
    pages = max(pages, 1)  # beside an empty file SQLite would throw the log away unread
    header[28:32] = struct.pack(">I", pages)
    header[92:96] = header[24:28]  # marks the count of pages as valid
    os.pwrite(descriptor, header, 0)
    os.ftruncate(descriptor, pages * _PAGE)


class _Salvager:
    """Read table after table; an unreadable page costs the rows on it."""

    def __init__(self, connection: sqlite3.Connection, store: SalvagedStore) -> None:
        self._connection = connection
        self._store = store

    def run(self) -> None:
        by_key = self._store.by_key
        for row in self._by_rowid("session", COLUMNS):
            state = self._converted(row, SessionState)
            if state is not None:
                by_key[state.key] = self._store.sessions[state.id] = SalvagedSession(state)
        for row in self._by_rowid("part", ("key", *SalvagedPart.__struct_fields__)):
            part = self._converted(row, SalvagedPart)
            if part is not None and isinstance(key := row.get("key"), int):
                self._store.parts[key] = part
        for row in self._by_rowid("fold", _Fold.__struct_fields__):
            fold = self._converted(row, _Fold)
            if fold is not None and fold.session in by_key:
                by_key[fold.session].folds[fold.part] = fold.data
        for row in self._by_rowid("search_text", _Text.__struct_fields__):
            text = self._converted(row, _Text)
            if text is not None and text.key >> SHIFT in by_key:
                by_key[text.key >> SHIFT].texts.append(text.data)
        self._instructions()
        for row in self._by_rowid("evicted", _Evicted.__struct_fields__):
            evicted = self._converted(row, _Evicted)
            if evicted is None or len(evicted.fingerprints) % 8:
                self._store.is_whole = False
            elif evicted.session in by_key:
                fingerprints = unpack_fingerprints(evicted.fingerprints)
                by_key[evicted.session].evicted = set(fingerprints)
        for row in self._from_both_ends("regrouped", ("old", "new"), ("old", "new")):
            if isinstance(row["old"], str) and isinstance(row["new"], str):
                self._store.regrouped.append((row["old"], row["new"]))
        for row in self._from_both_ends("usage", USAGE_COLUMNS, _OF_ANY_USAGE):
            owner = row.pop("session")
            recorded = row.get("cost_ticks") or 0
            counts = [*(row[name] for name in row.keys() - _NO_COUNTS), recorded]
            if owner in by_key and all(isinstance(count, int) for count in counts):
                by_key[owner].usage.append(UsageClaim(**row))

    def _instructions(self) -> None:
        if self._is_before_instructions():
            return
        texts: dict[int, _GivenText] = {}
        for row in self._by_rowid("instruction_text", _GivenText.__struct_fields__):
            text = self._converted(row, _GivenText)
            if text is not None:
                texts[text.hash] = text
        for row in self._by_rowid("instructed", _Given.__struct_fields__):
            given = self._converted(row, _Given)
            text = texts.get(given.hash) if given else None
            if given is None or (given.hash and text is None):
                self._store.is_whole = False
            elif given.session in self._store.by_key:
                size, data = (text.size, text.data) if text else (0, b"")
                self._store.by_key[given.session].instructions.append(
                    Instructed(given.hash, given.source, given.ts, size, given.cut, data)
                )

    def _is_before_instructions(self) -> bool:
        """Whether the store is of a version that kept none."""
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        except _UNREADABLE as error:
            _require_damage(error)
            return False
        return 0 < int(version) < _FIRST_WITH_INSTRUCTIONS

    def _converted(self, row: dict[str, Any], kind: type[T]) -> T | None:
        """A row converted to its type, or None where its values do not fit."""
        try:
            return msgspec.convert(row, kind, strict=False)
        except msgspec.ValidationError:
            self._store.is_whole = False
            return None

    def _by_rowid(self, table: str, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """Rows in order; after a damaged page it continues with the first readable row."""
        columns = self._columns(table, names)
        start = 0
        while columns:
            last = start - 1
            try:
                rows = self._connection.execute(
                    f"SELECT rowid, {', '.join(columns)} FROM {table} WHERE rowid >= ? "
                    "ORDER BY rowid",
                    (start,),
                )
                for row in rows:
                    last = row[0]
                    yield dict(zip(columns, row[1:], strict=True))
            except _UNREADABLE as error:
                _require_damage(error)
                self._store.is_whole = False
                after = self._first_readable(table, columns, last + 1)
                if after is None:
                    return
                start = after
            else:
                return

    def _columns(self, table: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """The columns among these that the table has; an older store has fewer."""
        try:
            rows = self._connection.execute(f"PRAGMA table_info({table})").fetchall()
        except _UNREADABLE as error:
            _require_damage(error)
            rows = []
        existing = {row[1] for row in rows}
        self._store.is_whole &= bool(existing)
        return tuple(name for name in names if name in existing)

    def _first_readable(self, table: str, columns: tuple[str, ...], bad: int) -> int | None:
        """The least rowid from which rows can be read again."""
        step = 1
        while not self._reads(table, columns, bad + step):
            step *= 2
            if step > _FURTHEST:
                return None
        low, high = bad + step // 2, bad + step
        while low + 1 < high:
            middle = (low + high) // 2
            if self._reads(table, columns, middle):
                high = middle
            else:
                low = middle
        return high

    def _reads(self, table: str, columns: tuple[str, ...], start: int) -> bool:
        try:
            self._connection.execute(
                f"SELECT {', '.join(columns)} FROM {table} WHERE rowid >= ? ORDER BY rowid LIMIT 1",
                (start,),
            ).fetchall()
        except _UNREADABLE as error:
            _require_damage(error)
            return False
        return True

    def _from_both_ends(
        self, table: str, names: tuple[str, ...], needed: tuple[str, ...]
    ) -> Iterator[dict[str, Any]]:
        """Rows in the order of their key, then from the end where the beginning is damaged."""
        columns = self._columns(table, names)
        keys: set[str] = set()
        if not set(needed) <= set(columns):
            self._store.is_whole = False
            return
        for order in ("ASC", "DESC"):
            try:
                rows = self._connection.execute(
                    f"SELECT {', '.join(columns)} FROM {table} ORDER BY {columns[0]} {order}"
                )
                for row in rows:
                    if row[0] not in keys:
                        keys.add(row[0])
                        yield dict(zip(columns, row, strict=True))
            except _UNREADABLE as error:
                _require_damage(error)
                self._store.is_whole = False
            else:
                return
