"""Whether measuring tells the truth: verdicts and intervals over simulated worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate
from random import Random
from statistics import fmean

from helix_tui.measure.baseline import FEWEST_PEERS
from helix_tui.measure.fisher import fisher
from helix_tui.measure.looks import ALPHA, LEVEL, LOOKS
from helix_tui.measure.verdict import judge, settle
from helix_tui.schema.effect import Case, Effect
from score.figures import Board, Figure, Goal, share
from score.worlds import (
    LATER,
    POPULATIONS,
    Picked,
    Population,
    calls,
    case_of,
    pick,
    stream,
    unexposed,
)

WORLDS = 2000
BEFORE, AFTER = 0.3, 0.05
SESSIONS = 30
RARELY = Goal(0.05, is_least=False)
COVERS = Goal(0.95)
HELPED = ("helped", "regressed")


def board(worlds: int = WORLDS) -> Board:
    """All questions, each over its own worlds; the same at each call."""
    rest = [
        *_looks(worlds),
        *_power(worlds),
        *_many(-(-worlds // 10)),
        *_intervals(worlds),
        *_correlated(worlds),
        *_drift(worlds),
        *_unloaded(worlds),
        *_back(worlds),
    ]
    return Board(f"Did it help? {worlds:,} simulated worlds each", [*_no_effect(worlds), *rest])


def measured(case: Case) -> Effect:
    """The verdict as a command would give it."""
    return settle([judge(case)])[0]


def said_helped(found: Counter[str]) -> int:
    """How often it was said to have helped, also where that was taken back when it came back."""
    return sum(found[state] for state in HELPED)


def states(cases: Iterable[Case]) -> Counter[str]:
    """How often each verdict is given."""
    return Counter(measured(case).state for case in cases)


def picks(population: Population, worlds: int) -> Iterable[tuple[Random, Picked]]:
    """Worlds of a population, each with the numbers that follow in it."""
    for world in range(worlds):
        rng = Random(f"{population}{world}")
        yield rng, pick(rng, population)


def false_verdicts(population: Population, worlds: int, is_corrected: bool) -> Counter[str]:
    """Verdicts on the worst candidate where nothing was done about it."""
    return states(
        case_of(one.before, stream(rng, one.rate, LATER), one.peers if is_corrected else ())
        for rng, one in picks(population, worlds)
    )


def _no_effect(worlds: int) -> Iterable[Figure]:
    populations = [*POPULATIONS, replace(POPULATIONS[-1], name="few, by odd", by_odd=True)]
    for population in populations:
        found = false_verdicts(population, worlds, True)
        yield share(f"{population.name}: false helped", said_helped(found), worlds, RARELY)
        yield share(f"{population.name}: false worse", found["worse"], worlds, RARELY)
    # The same worlds have to fail without the correction, or they prove nothing.
    for population in POPULATIONS[:3]:
        found = false_verdicts(population, worlds, False)
        yield share(f"{population.name}: uncorrected", said_helped(found), worlds, Goal(0.05))


def _looks(worlds: int) -> Iterable[Figure]:
    """Nothing selected and nothing done: four looks, against one after every session."""
    found = Counter[str]()
    always = 0
    for rng in _seeds("looks", worlds):
        before, later = stream(rng, BEFORE, SESSIONS), stream(rng, BEFORE, LATER)
        found[measured(case_of(before, later)).state] += 1
        counts = enumerate(accumulate(later), 1)
        always += any(
            fisher(sum(before), SESSIONS, then, at, "less") <= ALPHA for at, then in counts
        )
    yield share("unselected: false helped", said_helped(found), worlds, RARELY)
    yield share("unselected: false worse", found["worse"], worlds, RARELY)
    yield share("at .05 after every session", always, worlds)


def _many(worlds: int) -> Iterable[Figure]:
    """Twenty patterns at a time, of which five help: how many of those said to help do not."""
    false = true = 0
    for rng in _seeds("many", worlds):
        rates = [AFTER] * 5 + [BEFORE] * 15
        effects = settle(
            [
                judge(case_of(stream(rng, BEFORE, SESSIONS), stream(rng, rate, LATER)))
                for rate in rates
            ]
        )
        true += sum(effect.state in HELPED for effect in effects[:5])
        false += sum(effect.state in HELPED for effect in effects[5:])
    yield share("5 of 20 help: false of helped", false, false + true, RARELY)
    yield share("5 of 20 help: found", true, 5 * worlds)


def _power(worlds: int) -> Iterable[Figure]:
    for population in POPULATIONS:
        if population.most != SESSIONS:
            continue
        planted = replace(population, planted=BEFORE)
        found = states(
            case_of(one.before, stream(rng, AFTER, LATER), one.peers)
            for rng, one in picks(planted, worlds)
        )
        # With few candidates half of the sessions before is all there is; no goal is set for that.
        goal = None if population.candidates < FEWEST_PEERS else Goal(0.6)
        yield share(f"{population.name}: .3 to .05 helped", said_helped(found), worlds, goal)
    found = states(
        case_of(stream(rng, BEFORE, SESSIONS), stream(rng, AFTER, LATER))
        for rng in _seeds("power", worlds)
    )
    yield share("unselected: .3 to .05 helped", said_helped(found), worlds, Goal(0.75))


def _intervals(worlds: int) -> Iterable[Figure]:
    after = []
    for population in POPULATIONS:
        corrected, raw = [], []
        for rng, one in picks(population, worlds):
            effect = measured(case_of(one.before, stream(rng, one.rate, LATER), one.peers))
            corrected.append((effect.baseline_low, one.rate, effect.baseline_high))
            raw.append((effect.before.low, one.rate, effect.before.high))
            after.append((effect.after.low, one.rate, effect.after.high))
        yield _covered(f"{population.name}: before", corrected, COVERS)
        yield _covered(f"{population.name}: before, raw", raw, None)
    yield _covered("after", after, COVERS)
    unselected, stopped = [], []
    for rng in _seeds("intervals", worlds):
        before, later = stream(rng, BEFORE, SESSIONS), stream(rng, AFTER, LATER)
        seen = [measured(case_of(before, later[:at])) for at in LOOKS]
        first = next((one for one in seen if one.state in ("helped", "worse")), seen[-1])
        unselected.append((first.before.low, BEFORE, first.before.high))
        stopped.append((first.after.low, AFTER, first.after.high))
    yield _covered("unselected: before", unselected, COVERS)
    yield _covered("after, when decided", stopped, COVERS)


def _covered(name: str, intervals: list[tuple[float, float, float]], goal: Goal | None) -> Figure:
    hits = sum(low <= true <= high for low, true, high in intervals)
    covers = share(f"{name}: covers", hits, len(intervals), goal)
    width = fmean(high - low for low, _, high in intervals)
    return replace(covers, note=f"{covers.note}, mean width {width:.3f}")


def _correlated(worlds: int) -> Iterable[Figure]:
    by_session = by_event = 0
    for rng in _seeds("correlated", worlds):
        before, later = calls(rng, BEFORE, SESSIONS), calls(rng, BEFORE, LATER)
        sessions = case_of([bad > 0 for bad, _ in before], [bad > 0 for bad, _ in later])
        by_session += said_helped(states([sessions]))
        first = [sum(column) for column in zip(*before, strict=True)]
        looks = ([sum(column) for column in zip(*later[:at], strict=True)] for at in LOOKS)
        by_event += any(fisher(*first, *then, "less") <= LEVEL for then in looks)
    yield share("correlated calls: false helped", by_session, worlds, RARELY)
    yield share("the same by call", by_event, worlds)


def _drift(worlds: int) -> Iterable[Figure]:
    """All agents' rates fall by themselves, also where the rule was never loaded."""
    helped = warned = 0
    for rng in _seeds("drift", worlds):
        others = unexposed(stream(rng, BEFORE, 60), stream(rng, 0.1, LATER))
        case = case_of(stream(rng, BEFORE, SESSIONS), stream(rng, 0.1, LATER), others=others)
        effect = measured(case)
        helped += effect.state in HELPED
        kinds = {warning.kind for warning in effect.warnings}
        warned += effect.state in HELPED and "control_fell" in kinds
    yield share("drift .3 to .1: helped", helped, worlds)
    yield share("drift: of these warned", warned, helped, Goal(0.8))


def _unloaded(worlds: int) -> Iterable[Figure]:
    """Half of the sessions are of an agent that never loads it, and goes on as before."""
    found, pooled, nobody = Counter[str](), Counter[str](), Counter[str]()
    for rng in _seeds("unloaded", worlds):
        before, later = stream(rng, BEFORE, SESSIONS), stream(rng, AFTER, 40)
        others = unexposed(stream(rng, BEFORE, SESSIONS), stream(rng, BEFORE, 40))
        found[measured(case_of(before, later, others=others)).state] += 1
        mixed = [did for pair in zip(later, stream(rng, BEFORE, 40), strict=True) for did in pair]
        pooled[measured(case_of(before, mixed)).state] += 1
        nobody[measured(case_of([], [], others=others)).state] += 1
    yield share("half unloaded: helped", said_helped(found), worlds)
    yield share("the same, all counted", said_helped(pooled), worlds)
    yield share("never loaded: not seen", nobody["not_seen"], worlds, Goal(1.0))


def _back(worlds: int) -> Iterable[Figure]:
    """What helped stays so for 80 more sessions, or is as bad again as it was."""
    kinds: tuple[tuple[str, float, Goal], ...] = (
        ("stays: false regressed", AFTER, RARELY),
        ("comes back: regressed", BEFORE, Goal(0.8)),
    )
    for name, rate, goal in kinds:
        found = _of_helped(worlds, rate)
        yield share(name, found["regressed"], said_helped(found), goal)


def _of_helped(worlds: int, rate: float) -> Counter[str]:
    return states(
        case_of(stream(rng, BEFORE, SESSIONS), stream(rng, AFTER, 40) + stream(rng, rate, LATER))
        for rng in _seeds(f"back{rate}", worlds)
    )


def _seeds(name: str, worlds: int) -> Iterable[Random]:
    return (Random(f"{name}{world}") for world in range(worlds))
