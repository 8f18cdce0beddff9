"""What jobs answer to the catalog screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.engine.catalog.catalog_reader import Edition
    from helix_tui.schema.board import Listed
    from helix_tui.schema.context import Told
    from helix_tui.schema.effect import EffectState
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


class PatternsTold(Fact):
    """What instructions say already of patterns, by id; of others nothing is in the store."""

    def __init__(self, told: Mapping[str, Told]) -> None:
        super().__init__()
        self.told = told


class PageChanged(Fact):
    """A page is as a person wants it; `how` says what became of it."""

    def __init__(self, pattern_id: str, how: str) -> None:
        super().__init__()
        self.pattern_id = pattern_id
        self.how = how


class BehindPattern(Fact):
    """What a pattern was made of, as it stands now; `wanted` is what somebody asked for."""

    def __init__(
        self, wanted: str, pattern: Pattern, listed: Sequence[Listed], sessions: frozenset[str]
    ) -> None:
        super().__init__()
        self.wanted = wanted
        self.pattern = pattern
        self.listed = listed
        self.sessions = sessions


class PatternsMeasured(Fact):
    """Whether patterns helped since they were taught, by id."""

    def __init__(self, effects: Mapping[str, EffectState]) -> None:
        super().__init__()
        self.effects = effects
