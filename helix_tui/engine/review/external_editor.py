"""A page in the reviewer's own editor, which is $VISUAL or $EDITOR."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from helix_tui.errors import UsageError

_LARGEST = 1 << 20
_FILE_MODE = 0o600


def editor_command(otherwise: str = "vi") -> list[str]:
    """The command of the editor; `otherwise` where none is named, empty to refuse."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not named.strip():
        if not otherwise:
            raise UsageError("Without a terminal there is no editor.", "Name one in $EDITOR.")
        named = otherwise
    try:
        return shlex.split(named)
    except ValueError as error:
        raise UsageError(f"$VISUAL or $EDITOR is no command: {error}.") from error


def edited(text: str, name: str, command: Sequence[str], run: Callable[[list[str]], int]) -> str:
    """The text as somebody saved it; what goes wrong with the editor is told and changes nothing.

    The file is in a folder of its own that only its owner can open, and is gone afterwards. `run`
    lends the terminal to a command and returns what it ended with.
    """
    with tempfile.TemporaryDirectory(prefix="helix-edit-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"{name}.md"
        with os.fdopen(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE), "wb"
        ) as file:
            file.write(text.encode())
        try:
            code = run([*command, str(path)])
        except OSError as error:
            what = f"The editor {command[0]} cannot be started: {error.strerror}."
            raise UsageError(what, "Set $VISUAL or $EDITOR.") from error
        if code:
            raise UsageError(f"The editor ended with {code}; nothing was taken over.")
        return _saved(path)


def _saved(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(f"The page is gone: {error.strerror}.") from error
    if len(data) > _LARGEST:
        raise UsageError("The page is larger than 1 MiB; nothing was taken over.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"Line {line} of the page is no UTF-8; nothing was taken over.") from error
