"""What jobs answer to the catalog screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.engine.catalog.catalog_reader import Edition
    from helix_tui.tui.catalog.rows import PatternRow


class CatalogLoaded(Fact):
    """The patterns, and what is wrong with them as far as that is known."""

    def __init__(self, rows: Sequence[PatternRow], damaged: int) -> None:
        super().__init__()
        self.rows = rows
        self.damaged = damaged


class EditionsLoaded(Fact):
    """The versions of one pattern, the oldest first."""

    def __init__(self, pattern_id: str, editions: Sequence[Edition]) -> None:
        super().__init__()
        self.pattern_id = pattern_id
        self.editions = editions
