"""The gate: what a candidate has of what a pattern needs, floor by floor."""

from __future__ import annotations

from typing import Literal, NamedTuple

from helix_tui.curate.page.pattern import PatternEvidence
from helix_tui.schema.candidate import Ranked
from helix_tui.schema.curation import Floors

_AGENTS = 2


class Weight(NamedTuple):
    """What the gate weighs: of a candidate, or of what a pattern shows."""

    frequency: int
    sessions: int
    cost_impact: int
    agents: int


class FloorResult(NamedTuple):
    """One floor by its name in `[curate.gate]`, what the candidate has and what it needs."""

    name: str
    actual: int
    needed: int
    is_met: bool
    is_distribution: bool


class GateVerdict(NamedTuple):
    """How a candidate stands against every floor, and what an approve makes of it."""

    floors: list[FloorResult]
    clears_promotion: bool
    clears_distribution: bool
    status: Literal["provisional", "approved"]
    distribution_ready: bool

    def missed(self) -> list[FloorResult]:
        """The floors of promotion that the candidate does not reach."""
        return [floor for floor in self.floors if not (floor.is_met or floor.is_distribution)]


def weight_of(ranked: Ranked) -> Weight:
    """What a candidate weighs."""
    sessions = len(ranked.candidate.members)
    return Weight(ranked.frequency, sessions, ranked.cost_impact, len(ranked.flavors))


def weight_of_evidence(evidence: PatternEvidence) -> Weight:
    """What the evidence of a pattern weighs, which may be more than is stored here."""
    return Weight(
        evidence.frequency, evidence.sessions, evidence.cost_impact, len(evidence.flavors)
    )


def gate(weight: Weight, floors: Floors) -> GateVerdict:
    """Compares a candidate to the floors; a success costs nothing and so clears none of cost.

    Two agents are met by one session of the second: the floor is what `cross_flavor` says in every
    list, and frequency and cost beside it keep out what is thin. What clears only the floors of
    promotion is real and provisional; what a person approves below them is provisional as well.
    """
    needed_agents = _AGENTS if floors.dist_require_cross_flavor else 1
    rows = (
        ("min_frequency", weight.frequency, floors.min_frequency, False),
        ("min_sessions", weight.sessions, floors.min_sessions, False),
        ("min_cost_impact", weight.cost_impact, floors.min_cost_impact, False),
        ("dist_require_cross_flavor", weight.agents, needed_agents, True),
        ("dist_min_frequency", weight.frequency, floors.dist_min_frequency, True),
        ("dist_min_cost_impact", weight.cost_impact, floors.dist_min_cost_impact, True),
    )
    results = [
        FloorResult(name, actual, needed, actual >= needed, is_distribution)
        for name, actual, needed, is_distribution in rows
    ]
    promotes = all(one.is_met for one in results if not one.is_distribution)
    # The second floor stands on the first, also where somebody set it lower.
    distributes = promotes and all(one.is_met for one in results)
    return GateVerdict(
        results, promotes, distributes, "approved" if distributes else "provisional", distributes
    )
