"""Add our entries to an agent's hooks and remove them again (`memory/settings_file.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from helix_tui.files.durable import remove_durably, remove_leftovers
from helix_tui.memory.hooks.entries import (
    EMPTY,
    HookEntry,
    check,
    our_entries,
    with_entries,
    without_entries,
)
from helix_tui.memory.settings_file import (
    BACKUP,
    Editing,
    backup_of,
    named,
    put_in,
    take_out,
    target_of,
    text_of,
)

__all__ = ["BACKUP", "backup_of", "entries_in", "install", "uninstall"]


def entries_in(path: Path) -> list[HookEntry]:
    """Our entries in a file; none where there is no file, an error where it cannot be read."""
    text = text_of(path)
    if text is None or not text.strip():
        return []
    with named(path):
        check(text)
        return our_entries(text)


def install(
    path: Path, command: str, events: Sequence[str], guard: str = "", timeout: int = 5
) -> bool:
    """Add our entries; return whether anything had to be changed."""
    return put_in(path, _editing(command, events, guard, timeout))


def uninstall(path: Path, events: Sequence[str], timeout: int = 5) -> bool:
    """Remove our entries; return whether there were any."""
    entries = entries_in(path)
    command, guard = (
        next((entry.command for entry in entries if entry.is_guard is is_guarding), "")
        for is_guarding in (False, True)
    )
    is_out = bool(entries) and take_out(path, _editing(command, events, guard, timeout))
    _tidy(path)
    return is_out


def _editing(command: str, events: Sequence[str], guard: str, timeout: int) -> Editing:
    added = partial(with_entries, command=command, events=events, guard=guard, timeout=timeout)
    return Editing(EMPTY, lambda text: bool(our_entries(text)), added, without_entries)


def _tidy(path: Path) -> None:
    """Remove the backup of a file without our entries, and what a killed process left beside it."""
    if backup_of(path).exists():
        remove_durably(backup_of(path))
    for folder in {path.parent, target_of(path).parent}:
        if folder.is_dir():
            remove_leftovers(folder)
