"""Look at files that others own, and write them whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from helix_tui.errors import ChangedError, StoreError
from helix_tui.files.durable import remove_durably, remove_leftovers, sync_folder, told
from helix_tui.files.durable import write_atomically as write_whole
from helix_tui.files.regular import open_regular
from helix_tui.schema.distribute import Found, RefusalKind

_FILE_MODE, _FOLDER_MODE = 0o644, 0o755
_MODES = 0o7777
_LARGEST = 4 << 20


def look_at(path: str, root: str, homes: Sequence[str] = ()) -> Found:
    """A file as it is, and why it may not be written; nothing outside of its root ever is."""
    if not Path(root).is_dir():
        return Found(None, ("folder", f"{root} is not there"))
    real = os.path.realpath(path)
    allowed = [os.path.realpath(one) for one in (root, *homes)]
    if not any(real.startswith(f"{one.rstrip('/')}/") for one in allowed):
        return Found(None, ("link", f"it is a link that leads out of {root}, to {real}"), real)
    if any(part == ".git" for part in Path(real).parts):
        return Found(None, ("link", f"it leads into {real}"), real)
    try:
        with open_regular(real) as file:
            status = os.fstat(file.fileno())
            data = file.read(_LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return Found(None, _folder_trouble(real), real)
    except OSError as error:
        return Found(None, ("unreadable", f"it cannot be read: {error.strerror or error}"), real)
    return Found(data, _file_trouble(data, status), real)


def _file_trouble(data: bytes, status: os.stat_result) -> tuple[RefusalKind, str] | None:
    if len(data) > _LARGEST:
        return "unreadable", "it is larger than 4 MiB"
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        return "read_only", "it is read-only"
    if status.st_nlink > 1:
        return "link", "it has several names (hard links), which writing it would part"
    return None


def _folder_trouble(real: str) -> tuple[RefusalKind, str] | None:
    """Whether a file could be made there."""
    folder = Path(real).parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        return "unreadable", f"{folder} is no folder"
    return None if os.access(folder, os.W_OK) else ("read_only", f"{folder} is read-only")


def missing_folders(path: str) -> list[str]:
    """The folders that writing a file would make, the topmost first."""
    missing = []
    folder = Path(os.path.realpath(path)).parent
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    return missing[::-1]


def put(path: str, root: str, before: bytes | None, after: bytes | None, homes: Sequence[str],
        folders: Sequence[str]) -> None:  # fmt: skip
    """Replace a file, make it or take it away; refused where it is not as it was."""
    present = look_at(path, root, homes)
    if present.data != before or present.trouble is not None:
        raise ChangedError(
            f"{path} was changed by somebody else just now.",
            "It was left as it is; look at the plan again.",
        )
    real = Path(present.real)
    if after is None:
        remove_durably(real)
        _remove_folders(folders)
        return
    made = missing_folders(path)
    try:
        with told(real):
            for folder in made:
                Path(folder).mkdir(_FOLDER_MODE, exist_ok=True)
                sync_folder(Path(folder).parent)
            mode = real.stat().st_mode & _MODES if before is not None else None
        write_whole(real, after, _FILE_MODE if mode is None else mode)
    except BaseException:
        _remove_folders(made)
        raise
    with told(real):
        if mode is not None and real.stat().st_mode & _MODES != mode:
            real.chmod(mode)  # a umask may have taken some of it away


def _remove_folders(folders: Sequence[str]) -> None:
    """Take away folders that were made for a file; left alone where anything else is in them."""
    for folder in reversed(folders):
        try:
            Path(folder).rmdir()
        except OSError:
            return


def clear_leftovers(paths: Sequence[str]) -> None:
    """Remove what a killed process left beside files that it was writing."""
    for folder in dict.fromkeys(Path(os.path.realpath(path)).parent for path in paths):
        if folder.is_dir():
            try:
                remove_leftovers(folder)
            except StoreError:
                continue  # a folder that cannot be read holds nothing that was written
