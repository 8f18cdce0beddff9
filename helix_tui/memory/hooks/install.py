"""Add our entries to an agent's settings file and remove them again.

A backup of the file is kept beside it; it is restored byte for byte where nobody else has changed
the file since.
"""

from __future__ import annotations

import codecs
import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.files.durable import (
    FILE_MODE,
    FOLDER_MODE,
    remove_durably,
    remove_leftovers,
    told,
    write_atomically,
)
from helix_tui.files.regular import read_regular
from helix_tui.memory.hooks.entries import (
    EMPTY,
    HookEntry,
    HookFileError,
    check,
    our_entries,
    with_entries,
    without_entries,
)

BACKUP = ".helix-backup"
_MODES = 0o7777


class _Content(NamedTuple):
    """A file's content: its byte order mark, which stays, and its text."""

    mark: bytes
    text: str

    @property
    def data(self) -> bytes:
        return self.mark + self.text.encode()


def backup_of(path: Path) -> Path:
    """The path of a file's backup."""
    return path.with_name(path.name + BACKUP)


def entries_in(path: Path) -> list[HookEntry]:
    """Our entries in a file; none where there is no file, an error where it cannot be read."""
    content = _read(path)
    if content is None or not content.text.strip():
        return []
    with _named(path):
        check(content.text)
        return our_entries(content.text)


def install(
    path: Path, command: str, events: Sequence[str], guard: str = "", timeout: int = 5
) -> bool:
    """Add our entries; return whether anything had to be changed."""
    before = _read(path)
    with _named(path):
        after = with_entries(before.text if before else EMPTY, command, events, guard, timeout)
    if before is None:
        with told(path):
            _target(path).parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        remove_durably(backup_of(path))
    elif after == before.text:
        return False
    elif not our_entries(before.text if before.text.strip() else EMPTY):
        write_atomically(backup_of(path), before.data, _mode(path))
    _write(path, before, after)
    return True


def uninstall(path: Path, events: Sequence[str], timeout: int = 5) -> bool:
    """Remove our entries; return whether there were any."""
    entries = entries_in(path)
    content = _read(path)
    if not entries or content is None:
        _tidy(path)
        return False
    command, guard = (
        next((entry.command for entry in entries if entry.is_guard is is_guarding), "")
        for is_guarding in (False, True)
    )
    backup = _read(backup_of(path))
    wanted = command, events, guard, timeout
    if backup is not None and _is_only_ours(backup.text, content, *wanted):
        _write(path, content, backup.text)
    else:
        rest = without_entries(content.text)
        if backup is None and rest.strip() == EMPTY.strip():
            remove_durably(_target(path))  # made by us, or nothing but ours in it
        else:
            _write(path, content, rest)
    _tidy(path)
    return True


def _tidy(path: Path) -> None:
    """Remove the backup of a file without our entries, and what a killed process left beside it."""
    if backup_of(path).exists():
        remove_durably(backup_of(path))
    for folder in {path.parent, _target(path).parent}:
        if folder.is_dir():
            remove_leftovers(folder)


def _is_only_ours(
    backup: str,
    content: _Content,
    command: str,
    events: Sequence[str],
    guard: str,
    timeout: int,
) -> bool:
    """Whether a file is its backup plus our entries: nobody else has changed it."""
    try:
        return with_entries(backup, command, events, guard, timeout) == content.text
    except HookFileError:
        return False


def _read(path: Path) -> _Content | None:
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HookFileError(
            f"{path} cannot be read: {error.strerror or error}.", "Nothing was changed."
        ) from error
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return _Content(mark, data[len(mark) :].decode())
    except UnicodeDecodeError as error:
        raise HookFileError(f"{path} is not UTF-8: {error}.", "Nothing was changed.") from error


def _write(path: Path, before: _Content | None, text: str) -> None:
    """Replace a file's text, following links; refuse if somebody changed it meanwhile."""
    if _read(path) != before:
        raise HookFileError(
            f"{path} was changed by somebody else just now.",
            "Nothing was changed; try again.",
        )
    target, mode = _target(path), _mode(path)
    write_atomically(target, _Content(before.mark if before else b"", text).data, mode)
    with told(target):
        if target.stat().st_mode & _MODES != mode:
            target.chmod(mode)  # a umask may have taken some of it away


def _target(path: Path) -> Path:
    """The file itself: settings are often links into a folder under version control."""
    return Path(os.path.realpath(path))


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & _MODES
    except FileNotFoundError:
        return FILE_MODE


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in an error about its text."""
    try:
        yield
    except HookFileError as error:
        raise HookFileError(
            f"{path} was left as it is: {error.what}",
            "Mend it, or move it away, and try again.",
        ) from error
