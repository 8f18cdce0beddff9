"""Notes files on disk: one a session, one writer at a time, written whole or not at all."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helix_tui.errors import ConfigError, StoreBusyError, StoreError
from helix_tui.files.durable import FILE_MODE, make_folder, remove_leftovers, told, write_atomically
from helix_tui.files.regular import read_regular, read_regular_text
from helix_tui.memory.notes.page import default_template, read_page
from helix_tui.memory.places import MemoryPlaces, file_name
from helix_tui.schema.memory import NotesFile

# A larger file is not notes, and is left alone.
MOST_BYTES = 1 << 20
_SUFFIX = ".md"


def notes_path(places: MemoryPlaces, session_id: str) -> Path:
    """Where the notes of a session are, or would be."""
    return places.notes / f"{file_name(session_id)}{_SUFFIX}"


def read_text(path: Path) -> str:
    """The content of a notes file, byte for byte; empty where there is none."""
    with unreadable_named(path):
        try:
            if path.stat().st_size > MOST_BYTES:
                raise StoreError(
                    f"{path} is larger than notes may be ({MOST_BYTES:,} bytes).",
                    "Move it away; it is left as it is.",
                )
            return read_regular(path).decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""


def write_text(path: Path, text: str) -> None:
    """Replace a notes file."""
    write_atomically(path, text.encode("utf-8", "surrogateescape"), FILE_MODE)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock one session's notes; raise StoreBusyError at once if another process has them.

    The lock is on the file itself, so that there is no file beside it; if the file was replaced
    meanwhile, the new one is locked. The kernel frees the lock when its holder dies.
    """
    with told(path):
        make_folder(path.parent)
        remove_leftovers(path.parent)
        descriptor = _held(path)
    try:
        yield
    finally:
        # A file that was created only to be locked is removed if nothing was written.
        with told(path):
            if os.fstat(descriptor).st_size == 0 and _is_at(path, descriptor):
                path.unlink()
            os.close(descriptor)


def _held(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        descriptor = os.open(path, flags, FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(path, descriptor):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise StoreBusyError(
                f"{path} is being written by another process.", "Try again when it is done."
            ) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def list_files(places: MemoryPlaces) -> list[NotesFile]:
    """All notes, latest first."""
    with unreadable_named(places.notes):
        try:
            paths = [path for path in places.notes.iterdir() if path.suffix == _SUFFIX]
        except FileNotFoundError:
            return []
    files = [file for path in paths if (file := _file(path)) is not None]
    return sorted(files, key=lambda file: (-(file.updated_at or 0), file.path))


def notes_of(places: MemoryPlaces, session_id: str) -> NotesFile | None:
    """The notes of one session, or None."""
    return _file(notes_path(places, session_id))


def _file(path: Path) -> NotesFile | None:
    try:
        text = read_text(path)
    except StoreError:
        return NotesFile("", str(path), "", None, 0, path.lstat().st_size, [])
    if not text:
        return None  # just being written
    page = read_page(text)
    state = page.state
    return NotesFile(
        state.session if state else "",
        str(path),
        page.title(),
        state.updated_at if state else None,
        state.meter.tokens if state else 0,
        len(text.encode("utf-8", "surrogateescape")),
        page.kept() if state else [],
    )


def read_template(path: Path | None) -> str:
    """The headings of new notes: the user's own, or ours."""
    if path is None:
        return default_template()
    try:
        return read_regular_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError([f"memory.notes_template: {path} cannot be read: {reason}"]) from error


@contextmanager
def unreadable_named(path: Path) -> Iterator[None]:
    """Turn an error on reading into a StoreError that names the file."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read: {error.strerror or error}.",
            "Look at the file and what may be done with it.",
        ) from error
