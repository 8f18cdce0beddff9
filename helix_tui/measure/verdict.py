"""The verdict of one pattern, and what many patterns do to it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helix_tui.measure.baseline import corrected
from helix_tui.measure.chance import chance_of_less
from helix_tui.measure.control import Count, difference, fell
from helix_tui.measure.cusum import alarm
from helix_tui.measure.intervals import clopper_pearson
from helix_tui.measure.looks import ALPHA, LOOKS, Looked, can_tell, look, needed
from helix_tui.measure.many import benjamini_hochberg
from helix_tui.measure.sentence import sentence
from helix_tui.measure.tally import Tallied, tally
from helix_tui.measure.warnings import Basis, warnings_of
from helix_tui.schema.effect import (
    Baseline,
    Case,
    Effect,
    EffectState,
    EffectWarning,
    Rate,
)


def judge(case: Case) -> Effect:
    """The verdict of one pattern by itself; `settle` then weighs it among the others."""
    return verdict_of(case, tally(case))


def verdict_of(case: Case, tallied: Tallied) -> Effect:
    """The same by what its sessions come to."""
    before, after = tallied.before, tallied.after
    baseline = corrected(before, case.peers, case.picked)
    looked = look(baseline, after)
    state = state_of(baseline, looked, after) if tallied.sessions else "not_seen"
    fell_at = _decided_with(state, baseline, looked, after)
    lower, upper = _interval(baseline)
    control, control_before = tallied.control_after, tallied.control_before
    counted = Count(baseline.lower, baseline.of)
    since = Count(sum(after), len(after))
    has_fallen = fell(control_before, control)
    counts = tallied.exposure
    effect = Effect(
        id=case.id,
        version=case.version,
        since=case.since,
        how=case.how,
        state=state,
        before=rate(Count(sum(before), len(before))),
        baseline=baseline.rate,
        baseline_low=lower,
        baseline_high=upper,
        baseline_method=baseline.method,
        sessions=tallied.sessions,
        after=rate(since),
        control=rate(control) if control.of else None,
        control_before=rate(control_before) if control.of else None,
        control_groups=tallied.control_groups,
        difference=difference(counted, since, control_before, control),
        p=_side(state, looked.lower, looked.higher),
        q=None,
        lower=looked.lower,
        higher=looked.higher,
        chance=chance_of_less(*counted, *since) if baseline.of and after else None,
        needed=needed(baseline, *since) if state == "too_few" else None,
        exposure=counts,
        weeks=tallied.weeks,
        warnings=warnings_of(
            Basis(
                state,
                baseline,
                counts,
                has_fallen,
                can_tell(baseline),
                tallied.models,
                tallied.agent_versions,
            )
        ),
        decided_at=tallied.times[fell_at - 1] if fell_at else None,
    )
    return msgspec.structs.replace(effect, sentence=sentence(effect))


def settle(effects: Sequence[Effect]) -> list[Effect]:
    """The verdicts as they stand among all: what may be the luck of many looks is taken back.

    Each side is a family of its own; a p counts as often as there are looks (Bonferroni), and the
    patterns by Benjamini and Hochberg.
    """
    lower = _family([effect.lower for effect in effects])
    higher = _family([effect.higher for effect in effects])
    return [_settled(*row) for row in zip(effects, lower, higher, strict=True)]


def state_of(baseline: Baseline, looked: Looked, after: Sequence[int]) -> EffectState:
    """What the looks say, and whether what had stopped has come back since."""
    if looked.worse_at is not None:
        return "worse"
    if looked.helped_at is not None:
        is_back = _came_back(baseline, after, looked.helped_at) is not None
        return "regressed" if is_back else "helped"
    return "no_change" if len(after) >= LOOKS[-1] and can_tell(baseline) else "too_few"


def _came_back(baseline: Baseline, after: Sequence[int], at: int) -> int | None:
    """After how many sessions behind the look that decided it was back; None where it is not."""
    # One more of each kind: none of ten is not proof of never.
    good = (sum(after[:at]) + 1) / (at + 2)
    return alarm(after[at:], good, baseline.rate or 0.0)


def _decided_with(
    state: EffectState, baseline: Baseline, looked: Looked, after: Sequence[int]
) -> int | None:
    """With which of the later sessions the verdict fell."""
    if state == "worse":
        return looked.worse_at
    if state == "helped":
        return looked.helped_at
    if state == "regressed" and looked.helped_at is not None:
        return looked.helped_at + (_came_back(baseline, after, looked.helped_at) or 0)
    return LOOKS[-1] if state == "no_change" else None


def _family(p_values: Sequence[float | None]) -> list[float | None]:
    known = [min(1.0, p * len(LOOKS)) for p in p_values if p is not None]
    adjusted = iter(benjamini_hochberg(known))
    return [None if p is None else next(adjusted) for p in p_values]


def _settled(effect: Effect, lower: float | None, higher: float | None) -> Effect:
    q = _side(effect.state, lower, higher)
    if effect.state not in ("helped", "worse", "regressed") or q is None or q <= ALPHA:
        return msgspec.structs.replace(effect, q=q)
    is_over = effect.after.opportunities >= LOOKS[-1]
    next_look = [at for at in LOOKS if at > effect.after.opportunities]
    warning = EffectWarning(
        "many",
        f"By itself it would count as {effect.state}; among all patterns measured this may be luck "
        f"(q = {q:.2g}).",
    )
    weaker = msgspec.structs.replace(
        effect,
        state="no_change" if is_over else "too_few",
        q=q,
        needed=None if is_over else next_look[0] - effect.after.opportunities,
        decided_at=effect.decided_at if is_over else None,
        warnings=[*effect.warnings, warning],
    )
    return msgspec.structs.replace(weaker, sentence=sentence(weaker))


def _side(state: EffectState, lower: float | None, higher: float | None) -> float | None:
    return higher if state == "worse" else lower


def _interval(baseline: Baseline) -> tuple[float, float]:
    """The interval of the corrected rate, whichever way it is rounded to whole sessions."""
    low, _ = clopper_pearson(baseline.lower, baseline.of)
    _, high = clopper_pearson(baseline.upper, baseline.of)
    return low, high


def rate(counted: Count) -> Rate:
    """A count with its share and its interval."""
    low, high = clopper_pearson(*counted)
    return Rate(
        counted.did, counted.of, counted.did / counted.of if counted.of else None, low, high
    )
