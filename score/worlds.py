"""Simulated worlds for measuring: streams of sessions whose true rates are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from helix_tui.measure.baseline import peer_of
from helix_tui.schema.context import ExposureState
from helix_tui.schema.effect import Case, Peer, Watched

SINCE = 1_767_225_600_000
HOUR = 3_600_000
LATER = 80
# A candidate is what two conversations had.
FEWEST = 2


@dataclass(frozen=True, slots=True)
class Population:
    """Candidates before anything was taught: true rates of a Beta, sessions from least to most."""

    name: str
    a: float
    b: float
    candidates: int = 40
    least: int = 30
    most: int = 30
    planted: float | None = None
    by_odd: bool = False


# From rates that differ much, so that the worst is truly bad, to rates that are all alike, where
# being the worst is luck alone.
POPULATIONS = (
    Population("far apart", 1, 9),
    Population("apart", 3, 12),
    Population("alike", 30, 120),
    Population("unequal", 3, 12, least=10, most=60),
    Population("few", 3, 12, candidates=9),
    Population("few, alike", 30, 120, candidates=9),
)


class Picked(NamedTuple):
    """The worst of the candidates: its true rate, its sessions before, and all candidates."""

    rate: float
    before: list[bool]
    peers: list[Peer]


def stream(rng: Random, rate: float, sessions: int) -> list[bool]:
    """Whether it happened, session by session."""
    return [rng.random() < rate for _ in range(sessions)]


def pick(rng: Random, population: Population) -> Picked:
    """Draws candidates until there is one to be seen, and picks that with the highest rate.

    Where a rate is planted, worlds in which another one is picked are drawn again.
    """
    while True:
        rates = [rng.betavariate(population.a, population.b) for _ in range(population.candidates)]
        if population.planted is not None:
            rates[0] = population.planted
        drawn = [
            (rate, stream(rng, rate, rng.randint(population.least, population.most)))
            for rate in rates
        ]
        listed = [one for one in drawn if sum(one[1]) >= FEWEST]
        if not listed:
            continue
        step = 2 if population.by_odd else 1
        rate, before = max(
            listed, key=lambda one: (sum(one[1][::step]) / len(one[1][::step]), rng.random())
        )
        if population.planted in (None, rate):
            return Picked(rate, before, [peer_of(outcomes) for _, outcomes in listed])


def watched(
    outcomes: Sequence[bool], start: int, group: str = "claude", saw: ExposureState = "observed_yes"
) -> list[Watched]:
    """Outcomes as sessions, one an hour."""
    return [Watched(start + at * HOUR, group, saw, True, did) for at, did in enumerate(outcomes)]


def case_of(
    before: Sequence[bool],
    after: Sequence[bool],
    peers: Sequence[Peer] = (),
    others: Sequence[Watched] = (),
) -> Case:
    """A case of one agent that saw the rule, and of others that may not have."""
    sessions = [
        *watched(before, SINCE - len(before) * HOUR, saw="assumed_no"),
        *watched(after, SINCE),
        *others,
    ]
    return Case(id="w", version="1", since=SINCE, how="ledger", sessions=sessions, peers=peers)


def unexposed(before: Sequence[bool], after: Sequence[bool]) -> list[Watched]:
    """Another agent's sessions in the same time, which never loaded the rule."""
    return [
        *watched(before, SINCE - len(before) * HOUR, "codex", "assumed_no"),
        *watched(after, SINCE, "codex", "assumed_no"),
    ]


def calls(rng: Random, rate: float, sessions: int) -> list[tuple[int, int]]:
    """Calls that went wrong of calls made, by session: most sessions have none or nearly all.

    The rate is that of calls; how a session's calls go hangs together.
    """
    made = []
    for _ in range(sessions):
        own = rng.betavariate(rate * 0.3, (1 - rate) * 0.3)
        number = rng.randint(1, 12)
        made.append((sum(stream(rng, own, number)), number))
    return made
