"""The gate: compare a candidate with what a pattern needs, floor by floor."""

from __future__ import annotations

from typing import Literal, NamedTuple

from helix_tui.curate.page.pattern import PatternEvidence
from helix_tui.schema.candidate import Ranked
from helix_tui.schema.curation import Floors

_AGENTS = 2


class Weight(NamedTuple):
    """The figures that the gate compares, of a candidate or of a pattern's evidence."""

    frequency: int
    sessions: int
    cost_impact: int
    agents: int


class FloorResult(NamedTuple):
    """One floor by its name in `[curate.gate]`, the candidate's figure and the figure needed."""

    name: str
    actual: int
    needed: int
    is_met: bool
    is_distribution: bool


class GateVerdict(NamedTuple):
    """A candidate's result for every floor, and the status that an approval gives it."""

    floors: list[FloorResult]
    clears_promotion: bool
    clears_distribution: bool
    status: Literal["provisional", "approved"]
    distribution_ready: bool

    def missed(self) -> list[FloorResult]:
        """List the floors of promotion that the candidate does not reach."""
        return [floor for floor in self.floors if not (floor.is_met or floor.is_distribution)]


def weight_of(ranked: Ranked) -> Weight:
    """Return the figures of a candidate."""
    sessions = ranked.brief.sessions
    return Weight(ranked.frequency, sessions, ranked.cost_impact, len(ranked.flavors))


def weight_of_evidence(evidence: PatternEvidence) -> Weight:
    """Return the figures of a pattern's evidence, which may exceed what is stored here."""
    return Weight(
        evidence.frequency, evidence.sessions, evidence.cost_impact, len(evidence.flavors)
    )


def gate(weight: Weight, floors: Floors, *, has_words: bool = True) -> GateVerdict:
    """Compare a candidate with the floors; a success costs nothing and so clears no cost floor.

    One session of a second agent meets the floor of two agents, as `cross_flavor` does in every
    list; the floors of frequency and cost keep out thin evidence. A candidate that clears only the
    floors of promotion is provisional, and so is one that a person approves below them.
    """
    needed_agents = _AGENTS if floors.dist_require_cross_flavor else 1
    rows = (
        ("min_frequency", weight.frequency, floors.min_frequency, False),
        ("min_sessions", weight.sessions, floors.min_sessions, False),
        ("min_cost_impact", weight.cost_impact, floors.min_cost_impact, False),
        ("words", int(has_words), 1, not floors.require_words),
        ("dist_require_cross_flavor", weight.agents, needed_agents, True),
        ("dist_min_frequency", weight.frequency, floors.dist_min_frequency, True),
        ("dist_min_cost_impact", weight.cost_impact, floors.dist_min_cost_impact, True),
    )
    results = [
        FloorResult(name, actual, needed, actual >= needed, is_distribution)
        for name, actual, needed, is_distribution in rows
    ]
    promotes = all(result.is_met for result in results if not result.is_distribution)
    # Distribution requires promotion, even where somebody set its floors lower.
    distributes = promotes and all(result.is_met for result in results)
    return GateVerdict(
        results, promotes, distributes, "approved" if distributes else "provisional", distributes
    )
