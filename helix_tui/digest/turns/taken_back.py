"""Tells an edit that takes an earlier one back: it puts exactly that there which was replaced."""

from __future__ import annotations

from helix_tui.digest.actions import Action
from helix_tui.digest.tables import put
from helix_tui.digest.turns.memory import TurnMemory

_MOST_EDITS = 60


def note_edit(memory: TurnMemory, action: Action) -> str:
    """Remembers an edit; returns its file, with the folder, where it takes one back.

    That is one from before the open turn: what an agent only tried out says nothing of what was
    said.
    """
    before = memory.edited.get(action.inverse, memory.heard)
    put(memory.edited, action.edit, memory.heard, _MOST_EDITS)
    is_back = memory.open >= 0 and before < memory.heard
    return in_folder(action.file) if is_back else ""


def in_folder(path: str) -> str:
    """A file by its name and its folder's: many are called alike."""
    folder, _, name = path.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{name}"
