"""The verdict of one pattern, and what many patterns do to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from helix_tui.measure.baseline import corrected
from helix_tui.measure.chance import chance_of_less
from helix_tui.measure.control import Count, difference, fell
from helix_tui.measure.cusum import alarm
from helix_tui.measure.intervals import clopper_pearson
from helix_tui.measure.looks import ALPHA, LOOKS, Looked, can_tell, look, needed
from helix_tui.measure.many import benjamini_hochberg
from helix_tui.measure.sentence import sentence
from helix_tui.measure.warnings import Basis, warnings_of
from helix_tui.measure.weeks import monday_of
from helix_tui.schema.effect import (
    Baseline,
    Case,
    Effect,
    EffectState,
    EffectWarning,
    ExposureCounts,
    Rate,
    SessionPart,
    Watched,
    Week,
)

_SEEN = ("observed_yes", "assumed_yes")


class Parts(NamedTuple):
    """The sessions of a case: of those who came to see the rule, and of those who never did.

    `after` are later sessions that saw it, `later` all later ones of the same groups.
    """

    before: list[Watched]
    after: list[Watched]
    later: list[Watched]
    control_before: list[Watched]
    control_after: list[Watched]


def judge(case: Case) -> Effect:
    """The verdict of one pattern by itself; `settle` then weighs it among the others."""
    parts = part(case)
    before = [session.did for session in parts.before if session.could]
    after = [session.did for session in parts.after if session.could]
    baseline = corrected(before, case.peers, case.picked)
    looked = look(baseline, after)
    state = state_of(baseline, looked, after) if parts.after or case.idle else "not_seen"
    fell_at = _decided_with(state, baseline, looked, after)
    times = [session.ts for session in parts.after if session.could]
    lower, upper = _interval(baseline)
    control, control_before = count(parts.control_after), count(parts.control_before)
    counted = Count(baseline.lower, baseline.of)
    has_fallen = fell(control_before, control)
    counts = _exposure(parts.later)
    effect = Effect(
        id=case.id,
        version=case.version,
        since=case.since,
        how=case.how,
        state=state,
        before=rate(count(parts.before)),
        baseline=baseline.rate,
        baseline_low=lower,
        baseline_high=upper,
        baseline_method=baseline.method,
        sessions=len(parts.after) + case.idle,
        after=rate(count(parts.after)),
        control=rate(control) if control.of else None,
        control_before=rate(control_before) if control.of else None,
        control_groups=sorted({session.group for session in parts.control_after if session.could}),
        difference=difference(counted, count(parts.after), control_before, control),
        p=_side(state, looked.lower, looked.higher),
        q=None,
        lower=looked.lower,
        higher=looked.higher,
        chance=chance_of_less(*counted, sum(after), len(after)) if baseline.of and after else None,
        needed=needed(baseline, sum(after), len(after)) if state == "too_few" else None,
        exposure=counts,
        weeks=_weeks([*parts.before, *parts.after]),
        warnings=warnings_of(
            Basis(state, baseline, counts, has_fallen, can_tell(baseline), changed_models(parts))
        ),
        decided_at=times[fell_at - 1] if fell_at else None,
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


class Sides(NamedTuple):
    """Groups that came to see a rule, those of which nobody knows, and those that never did."""

    reached: set[str]
    unsure: set[str]
    others: set[str]
    # Nobody saw it: then everybody's rate before is worth showing, and there is nothing to control.
    of_rule: set[str]


def is_later(case: Case, session: Watched) -> bool:
    """Whether a session began when the rule was in where it worked."""
    return session.ts >= case.since_by.get(session.group, case.since)


def sides_of(case: Case) -> Sides:
    """Who came to see the rule and who never did."""
    later = [session for session in case.sessions if is_later(case, session)]
    reached = {session.group for session in later if session.exposure in _SEEN}
    # Where it is unknown whether a group saw it, the group is neither.
    unsure = {session.group for session in later if session.exposure == "unknown"} - reached
    active = {session.group for session in later}
    everybody = {session.group for session in case.sessions}
    return Sides(reached, unsure, active - reached - unsure, reached or everybody)


def role_of(case: Case, sides: Sides, session: Watched) -> SessionPart:
    """What a session counts as."""
    is_seen = session.exposure in _SEEN
    if is_later(case, session):
        if is_seen:
            return "after"
        return "control_after" if session.group in sides.others else "left_out"
    # A session that began earlier and saw it all the same, as when it was resumed, is neither.
    if is_seen:
        return "left_out"
    if session.group in sides.of_rule:
        return "before"
    return "control_before" if session.group in sides.others else "left_out"


def part(case: Case) -> Parts:
    """Who came to see the rule and who never did, before and after it came in."""
    sides = sides_of(case)
    parts = Parts([], [], [], [], [])
    for session in sorted(case.sessions, key=lambda session: session.ts):
        match role_of(case, sides, session):
            case "before":
                parts.before.append(session)
                if session.group in sides.others:
                    parts.control_before.append(session)
            case "after":
                parts.after.append(session)
            case "control_before":
                parts.control_before.append(session)
            case "control_after":
                parts.control_after.append(session)
            case _:
                pass
        if is_later(case, session) and session.group in sides.reached | sides.unsure:
            parts.later.append(session)
    return parts


def state_of(baseline: Baseline, looked: Looked, after: Sequence[bool]) -> EffectState:
    """What the looks say, and whether what had stopped has come back since."""
    if looked.worse_at is not None:
        return "worse"
    if looked.helped_at is not None:
        is_back = _came_back(baseline, after, looked.helped_at) is not None
        return "regressed" if is_back else "helped"
    return "no_change" if len(after) >= LOOKS[-1] and can_tell(baseline) else "too_few"


def _came_back(baseline: Baseline, after: Sequence[bool], at: int) -> int | None:
    """After how many sessions behind the look that decided it was back; None where it is not."""
    # One more of each kind: none of ten is not proof of never.
    good = (sum(after[:at]) + 1) / (at + 2)
    return alarm(after[at:], good, baseline.rate or 0.0)


def _decided_with(
    state: EffectState, baseline: Baseline, looked: Looked, after: Sequence[bool]
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


def count(sessions: Sequence[Watched]) -> Count:
    """Sessions in which it happened, of those in which it could."""
    could = [session for session in sessions if session.could]
    return Count(sum(session.did for session in could), len(could))


def rate(counted: Count) -> Rate:
    """A count with its share and its interval."""
    low, high = clopper_pearson(*counted)
    return Rate(
        counted.did, counted.of, counted.did / counted.of if counted.of else None, low, high
    )


def changed_models(parts: Parts) -> list[tuple[str, str, str]]:
    """Agents that mostly worked with another model before: their names, that model, today's."""
    changed = []
    agents = {session.group.partition(" in ")[0] for session in parts.after if session.model}
    for agent in sorted(agents):
        before, after = (
            _usual_model([one for one in some if one.group.partition(" in ")[0] == agent])
            for some in (parts.before, parts.after)
        )
        if before and after and before != after:
            changed.append((agent, before, after))
    return changed


def _usual_model(sessions: Sequence[Watched]) -> str:
    """The model of more than half of some sessions; nothing where none is."""
    models = Counter(session.model for session in sessions if session.could and session.model)
    name, number = max(models.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return name if 2 * number > models.total() else ""


def _exposure(later: Sequence[Watched]) -> ExposureCounts:
    states = Counter(session.exposure for session in later if session.could)
    unseen = states["observed_no"] + states["assumed_no"]
    return ExposureCounts(states["observed_yes"], states["assumed_yes"], states["unknown"], unseen)


def _weeks(sessions: Sequence[Watched]) -> list[Week]:
    could, did = Counter[str](), Counter[str]()
    for session in sessions:
        if session.could:
            monday = monday_of(session.ts)
            could[monday] += 1
            did[monday] += session.did
    return [Week(week, did[week], could[week]) for week in sorted(could)]
