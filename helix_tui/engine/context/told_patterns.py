"""Whether instructions already say what a pattern teaches, where its sessions were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from helix_tui.config import Config
from helix_tui.context.files import Disk
from helix_tui.context.matching.sought import sought_rules
from helix_tui.curate.page.pattern import Pattern
from helix_tui.engine.context.told import ToldFinder, sought_of
from helix_tui.schema.candidate import Candidate, Member
from helix_tui.schema.context import Told
from helix_tui.store.database import Database, reading
from helix_tui.store.detection.candidates import candidates_by_id
from helix_tui.store.layout import StoreLayout


def told_patterns(config: Config, patterns: Iterable[Pattern]) -> dict[str, Told]:
    """What is told of patterns by id; those are missing of which nothing is in the store."""
    asked = list(patterns)
    if not asked:
        return {}
    with reading(StoreLayout(config.store)) as database:
        return told_in(database, asked) if database is not None else {}


def told_in(database: Database, patterns: Sequence[Pattern]) -> dict[str, Told]:
    """What is told of patterns: of the candidates that they were made of, and of their guidance."""
    names = {name for pattern in patterns for name in pattern.candidates}
    known = {one.id: one for one in candidates_by_id(database, names)}
    finder = ToldFinder.of_store(database.connection(), Disk()) if known else None
    told: dict[str, Told] = {}
    for pattern in patterns:
        behind = [known[name] for name in pattern.candidates if name in known]
        if behind and finder is not None:
            wanted = [*map(sought_of, behind), *sought_rules(pattern.guidance)]
            told[pattern.id] = finder.about(wanted, _members(behind))
    return told


def _members(candidates: Sequence[Candidate]) -> Mapping[str, Member]:
    """The conversations of all of them."""
    return {name: member for one in candidates for name, member in one.members.items()}
