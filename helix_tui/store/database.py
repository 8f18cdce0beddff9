"""Open a store's database, bring it up to date, and say in plain words what is wrong with it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from helix_tui.errors import OutOfSpaceError, StoreError, StoreTooNewError
from helix_tui.files.durable import FILE_MODE, FOLDER_MODE
from helix_tui.store.layout import StoreLayout
from helix_tui.store.orm import peewee
from helix_tui.store.shape import (
    AUTO_VACUUM,
    SCHEMA_VERSION,
    create,
    migrate,
    trouble_in_shape,
)

_WRITER_PRAGMAS = (
    AUTO_VACUUM,
    ("journal_mode", "wal"),
    ("synchronous", "normal"),
    ("cache_size", -8_000),
    ("temp_store", "memory"),
)
_BUSY_SECONDS = 10
_HAS_EFFECTIVE_IDS = os.access in os.supports_effective_ids

# The type of an open store for the rest of Helix, which need not know that it is peewee's.
Database = peewee.SqliteDatabase


class MisshapenError(StoreError):
    """A database of an older version lacks what that version creates: it cannot be migrated."""


def open_for_writing(layout: StoreLayout, *, is_repair: bool = False) -> Database:
    """The database for the one writer, created or migrated where needed."""
    with translated(layout):
        if not is_repair:
            _refuse_unfinished_repair(layout)
            _refuse_lost_database(layout)
        layout.root.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if not layout.database.exists() and _holds_only_ours(layout):
            layout.root.chmod(FOLDER_MODE)  # an empty folder that was there before the store
        layout.packs.mkdir(mode=FOLDER_MODE, exist_ok=True)
        os.close(os.open(layout.database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
        database = Database(str(layout.database), pragmas=_WRITER_PRAGMAS, timeout=_BUSY_SECONDS)
        database.connect()
        try:
            version = schema_version(database)
            if version > SCHEMA_VERSION:
                _refuse_other(version, layout)
            if version < SCHEMA_VERSION:
                _migrate(database, layout, version)
        except BaseException:
            database.close()
            raise
    return database


def bring_up_to_date(layout: StoreLayout) -> None:
    """Migrate a sound store of an older version; refuse one of a newer.

    Only the one writer calls this: an unfinished transaction in a rollback journal is undone here,
    which SQLite does not do for a reader.
    """
    if has_log(layout) and not _holds_something(layout.database):
        return  # damaged, and SQLite would throw the log away
    mode = "rw" if has_journal(layout) else "ro"
    try:
        connection = sqlite3.connect(f"{layout.database.absolute().as_uri()}?mode={mode}", uri=True)
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            is_sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if layout.database.is_file():
            raise store_error(layout, str(error)) from error  # unreadable is not damaged
        return
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return  # damaged: repair is what it needs
    if version > SCHEMA_VERSION:
        _refuse_other(version, layout)
    if 0 < version < SCHEMA_VERSION and is_sound:
        with suppress(MisshapenError):  # damaged as well
            open_for_writing(layout).close()


def find_for_reading(layout: StoreLayout, *, leaves_no_trace: bool = False) -> Database | None:
    """The database for a reader, or None where no sweep has made one yet.

    Even a reader makes SQLite create a log and shared memory beside the database. A reader that
    must leave no trace opens the file as immutable, as long as no writer has left a log.
    """
    with translated(layout):
        if layout.root.exists() and not layout.root.is_dir():
            raise StoreError(f"{layout.root} is not a folder.", "Name another one with --store.")
        _refuse_unfinished_repair(layout)
        if not layout.database.exists():
            return None
        _refuse_lost_database(layout)
        is_writable = os.access(layout.root, os.W_OK, effective_ids=_HAS_EFFECTIVE_IDS)
        is_alone = not has_log(layout) and (leaves_no_trace or not is_writable)
        is_alone = is_alone or has_journal(layout)  # SQLite lets no reader past a journal
        mode = "mode=ro&immutable=1" if is_alone else "mode=ro"
        database = Database(
            f"{layout.database.absolute().as_uri()}?{mode}", uri=True, timeout=_BUSY_SECONDS
        )
        database.connect()
        try:
            version = schema_version(database)
            if version or _has_tables(database):
                _refuse_other(version, layout)
                _refuse_half_done(layout)
                return database
        except BaseException:
            database.close()
            raise
        # Killed between making the file and its first migration: there is nothing in it.
        database.close()
    return None


def _refuse_unfinished_repair(layout: StoreLayout) -> None:
    """Refuse a store that a repair is still making: it may be thrown away and made again."""
    if layout.unfinished_repair() is not None:
        raise StoreError(
            f"A repair of the store in {layout.root} has not come to its end.",
            "If none is running, run `helix doctor --repair`: it starts over from what was set "
            "aside.",
        )


def _refuse_half_done(layout: StoreLayout) -> None:
    if has_journal(layout):
        raise StoreError(
            f"Somebody writes to the store in {layout.root}, or was cut off there.",
            "Run `helix --sweep`: it takes back what is half done and goes on.",
        )


def _refuse_lost_database(layout: StoreLayout) -> None:
    """Refuse a store whose database is lost; an empty one after a power cut is no loss."""
    if not layout.database.exists() and has_orphaned_packs(layout):
        raise StoreError(
            f"There are packs in {layout.root}, but their database is gone.",
            "Run `helix doctor --repair`: it takes over what they hold.",
        )
    if has_log(layout) and not _holds_something(layout.database):
        # Opened like this, even to read, SQLite would throw the log away with all rows in it.
        raise StoreError(
            f"The database in {layout.root} is empty, but its log is not.",
            "Run `helix doctor --repair`: it takes over what the log holds.",
        )


def _has_tables(database: Database) -> bool:
    return database.execute_sql("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def has_orphaned_packs(layout: StoreLayout) -> bool:
    """Whether packs lie in a store that has no database to say whose they are."""
    return next(layout.packs.glob("[0-9]*/*.pack"), None) is not None


def has_log(layout: StoreLayout) -> bool:
    """Whether a writer has the database open, or died with it open."""
    return _holds_something(layout.database.with_name("store.db-wal"))


def has_journal(layout: StoreLayout) -> bool:
    """Whether a writer was cut off before the database had a log, or is at work without one."""
    return _holds_something(layout.database.with_name("store.db-journal"))


def _holds_something(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False


@contextmanager
def writing(layout: StoreLayout, *, is_repair: bool = False) -> Iterator[Database]:
    """The database while the one writer has it open."""
    database = open_for_writing(layout, is_repair=is_repair)
    try:
        with translated(layout):
            yield database
    finally:
        database.close()


@contextmanager
def reading(layout: StoreLayout, *, leaves_no_trace: bool = False) -> Iterator[Database | None]:
    """The database while a reader has it open, or None where there is none yet."""
    database = find_for_reading(layout, leaves_no_trace=leaves_no_trace)
    if database is None:
        yield None
        return
    try:
        with translated(layout):
            yield database
    finally:
        database.close()


def schema_version(database: Database) -> int:
    """The number of the last migration that the database has seen."""
    return int(database.execute_sql("PRAGMA user_version").fetchone()[0])


@contextmanager
def translated(layout: StoreLayout) -> Iterator[None]:
    """Turn errors of SQLite and the disk into a StoreError with one plain sentence."""
    try:
        yield
    except (peewee.DatabaseError, sqlite3.DatabaseError) as error:
        raise store_error(layout, _what_happened(error)) from error
    except UnicodeDecodeError as error:
        raise store_error(layout, "malformed: text in it is no text") from error
    except OSError as error:
        raise store_error(layout, error.strerror or str(error)) from error


def _what_happened(error: BaseException) -> str:
    """The message of the first failure: SQLite may have rolled back before peewee tries to."""
    while "cannot rollback" in str(error) and error.__context__ is not None:
        error = error.__context__
    return str(error)


def store_error(layout: StoreLayout, reason: str) -> StoreError:
    """The error for a reason why the store cannot be used, with what to do about it."""
    lowered = reason.lower()
    if "full" in lowered or "no space" in lowered:
        return OutOfSpaceError(
            f"The store in {layout.root} cannot be written: {reason}.",
            "Free some space and sweep again; nothing that was committed is lost.",
        )
    if "readonly" in lowered or "read-only" in lowered or "permission" in lowered:
        todo = "Make the folder writable for you, or name another one with --store."
    elif "malformed" in lowered or "not a database" in lowered:
        todo = "Run `helix doctor` to see what is damaged."
    elif "locked" in lowered:
        todo = "Another program holds the database; try again when it is done."
    else:
        todo = "Run `helix doctor` to see more."
    return StoreError(f"The store in {layout.root} cannot be used: {reason}.", todo)


def _holds_only_ours(layout: StoreLayout) -> bool:
    """Whether a folder holds only files of Helix, so that closing it to others harms nobody."""
    ours = (
        layout.lock,
        layout.logs,
        layout.packs,
        layout.database,
        layout.aside,
        layout.reserve,
        layout.forgotten.parent,
    )
    return {path.name for path in layout.root.iterdir()} <= {path.name for path in ours}


def _refuse_other(version: int, layout: StoreLayout) -> None:
    """Refuse a store of another version; only the writer may migrate one."""
    if version < 1:
        raise _misshapen(layout, version, "it has tables, and no version")
    if version < SCHEMA_VERSION:
        raise StoreError(
            f"The store in {layout.root} is from an older version of Helix.",
            "Run `helix --sweep` to bring it up to date.",
        )
    if version > SCHEMA_VERSION:
        raise StoreTooNewError(
            f"The store in {layout.root} was written by a newer version of Helix "
            f"(schema {version}, this one knows {SCHEMA_VERSION}).",
            "Upgrade Helix, or name another store with --store.",
        )


def _migrate(database: Database, layout: StoreLayout, version: int) -> None:
    """Create the tables of a new database, or run pending migrations after a backup of an old."""
    if version < 1 and _has_tables(database):
        _refuse_other(version, layout)
    if version < 1:
        create(database)
        return
    _back_up(database, layout.database.with_suffix(f".before-{SCHEMA_VERSION:04d}.db"))
    # All in one transaction, as each sets user_version: no reader meets a version in between.
    with database.atomic("IMMEDIATE"):
        try:
            migrate(database)
        except peewee.DatabaseError as error:
            if not _is_about_names(error):
                raise
            raise _misshapen(layout, version, str(error)) from error
        trouble = trouble_in_shape(database.connection())
        if trouble:
            raise _misshapen(layout, version, trouble)


def _is_about_names(error: peewee.DatabaseError) -> bool:
    """Whether a statement met a table or column that is not there, or is there already.

    SQLite has other codes for whatever disk, memory and locks may do.
    """
    code = getattr(error.args[0], "sqlite_errorcode", None) if error.args else None
    return code == sqlite3.SQLITE_ERROR


def _misshapen(layout: StoreLayout, version: int, reason: str) -> MisshapenError:
    return MisshapenError(
        f"The store in {layout.root} is not as schema {version} leaves one: {reason}.",
        "Run `helix doctor --repair`: it rebuilds the store and keeps the old files.",
    )


def _back_up(database: Database, target: Path) -> None:
    """Copy the database whole or not at all; a copy of an earlier attempt is kept."""
    if target.exists():
        return
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE))
    copy = sqlite3.connect(partial)
    try:
        database.connection().backup(copy)
    finally:
        copy.close()
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.rename(target)
