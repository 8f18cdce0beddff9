"""Put something of ours into an agent's settings file, and take it out again.

A backup of the file is kept beside it; it is restored byte for byte where nobody else has changed
the file since.
"""

from __future__ import annotations

import codecs
import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import ExitCode, HelixError
from helix_tui.files.durable import FILE_MODE, FOLDER_MODE, remove_durably, told, write_atomically
from helix_tui.files.regular import read_regular

BACKUP = ".helix-backup"
_MODES = 0o7777


class SettingsFileError(HelixError):
    """An agent's settings file is not as expected; it was not touched."""

    exit_code = ExitCode.CONFIG


class Editing(NamedTuple):
    """What is ours in the text of a settings file, and how it comes in and out.

    `empty` is the text of a file that has nothing; `added` and `removed` refuse a text that they do
    not understand.
    """

    empty: str
    is_in: Callable[[str], bool]
    added: Callable[[str], str]
    removed: Callable[[str], str]


class _Content(NamedTuple):
    """A file's content: its byte order mark, which stays, and its text."""

    mark: bytes
    text: str

    @property
    def data(self) -> bytes:
        return self.mark + self.text.encode()


def backup_of(path: Path, suffix: str = BACKUP) -> Path:
    """The path of a file's backup."""
    return path.with_name(path.name + suffix)


def text_of(path: Path) -> str | None:
    """The text of a settings file; None where there is none, an error where it cannot be read."""
    content = _read(path)
    return None if content is None else content.text


def put_in(path: Path, editing: Editing, suffix: str = BACKUP) -> bool:
    """Add what is ours; return whether anything had to be changed."""
    before = _read(path)
    with named(path):
        after = editing.added(before.text if before else editing.empty)
    backup = backup_of(path, suffix)
    if before is None:
        with told(path):
            target_of(path).parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        remove_durably(backup)
    elif after == before.text:
        return False
    elif not editing.is_in(before.text if before.text.strip() else editing.empty):
        write_atomically(backup, before.data, _mode(path))
    _write(path, before, after)
    return True


def take_out(path: Path, editing: Editing, suffix: str = BACKUP) -> bool:
    """Remove what is ours; return whether there was anything."""
    content = _read(path)
    if content is None or not content.text.strip():
        return False
    with named(path):
        if not editing.is_in(content.text):
            return False
        rest = editing.removed(content.text)
    backup = _read(backup_of(path, suffix))
    if backup is not None and _is_only_ours(backup.text, content, editing):
        _write(path, content, backup.text)
    elif backup is None and rest.strip() == editing.empty.strip():
        remove_durably(target_of(path))  # made by us, or nothing but ours in it
    else:
        _write(path, content, rest)
    remove_durably(backup_of(path, suffix))
    return True


def _is_only_ours(backup: str, content: _Content, editing: Editing) -> bool:
    """Whether a file is its backup plus what is ours: nobody else has changed it."""
    try:
        return editing.added(backup) == content.text
    except SettingsFileError:
        return False


def _read(path: Path) -> _Content | None:
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsFileError(
            f"{path} cannot be read: {error.strerror or error}.", "Nothing was changed."
        ) from error
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return _Content(mark, data[len(mark) :].decode())
    except UnicodeDecodeError as error:
        raise SettingsFileError(f"{path} is not UTF-8: {error}.", "Nothing was changed.") from error


def _write(path: Path, before: _Content | None, text: str) -> None:
    """Replace a file's text, following links; refuse if somebody changed it meanwhile."""
    if _read(path) != before:
        raise SettingsFileError(
            f"{path} was changed by somebody else just now.",
            "Nothing was changed; try again.",
        )
    target, mode = target_of(path), _mode(path)
    write_atomically(target, _Content(before.mark if before else b"", text).data, mode)
    with told(target):
        if target.stat().st_mode & _MODES != mode:
            target.chmod(mode)  # a umask may have taken some of it away


def target_of(path: Path) -> Path:
    """The file itself: settings are often links into a folder under version control."""
    return Path(os.path.realpath(path))


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & _MODES
    except FileNotFoundError:
        return FILE_MODE


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Name the file in an error about its text."""
    try:
        yield
    except SettingsFileError as error:
        raise type(error)(
            f"{path} was left as it is: {error.what}",
            "Mend it, or move it away, and try again.",
        ) from error
