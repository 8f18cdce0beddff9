"""What jobs answer to the undo screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.engine.review.undo_preview import Restored
    from helix_tui.tui.undo.rows import UndoableVerdict


class UndoableLoaded(Fact):
    """The last verdicts, each with the title of what it was given on."""

    def __init__(self, verdicts: Sequence[UndoableVerdict]) -> None:
        super().__init__()
        self.verdicts = verdicts


class RestoredLoaded(Fact):
    """What taking one verdict back would restore."""

    def __init__(self, line_id: str, restored: Restored) -> None:
        super().__init__()
        self.line_id = line_id
        self.restored = restored
