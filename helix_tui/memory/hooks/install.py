"""Add our entries to an agent's hooks and remove them again (`memory/settings_file.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

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


def install(path: Path, command: str, events: Sequence[str]) -> bool:
    """Add our entries; return whether anything had to be changed."""
    return put_in(path, _editing(command, events))


def uninstall(path: Path, events: Sequence[str]) -> bool:
    """Remove our entries; return whether there were any."""
    entries = entries_in(path)
    return bool(entries) and take_out(path, _editing(entries[0].command, events))


def _editing(command: str, events: Sequence[str]) -> Editing:
    added = partial(with_entries, command=command, events=events)
    return Editing(EMPTY, lambda text: bool(our_entries(text)), added, without_entries)
