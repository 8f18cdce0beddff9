"""What jobs answer to the context screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.schema.context import ContextFile, RepoContext


class ContextsLoaded(Fact):
    """What agents load in each repository."""

    def __init__(self, contexts: Sequence[RepoContext]) -> None:
        super().__init__()
        self.contexts = contexts


class BelowFound(Fact):
    """The instruction files further down, of the context that is shown."""

    def __init__(self, row_id: tuple[str, str], files: Sequence[ContextFile]) -> None:
        super().__init__()
        self.row_id = row_id
        self.files = files
