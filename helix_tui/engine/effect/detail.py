"""The sessions, weeks and times behind one verdict."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.engine.effect.before_after_control import Built, parted
from helix_tui.engine.effect.sessions import Sessions, members
from helix_tui.measure.control import Count
from helix_tui.measure.fisher import fisher
from helix_tui.measure.intervals import clopper_pearson
from helix_tui.measure.verdict import rate, verdict_of
from helix_tui.measure.weeks import monday_of
from helix_tui.schema.effect import (
    AgentEffect,
    EffectPeriod,
    EffectPoint,
    EffectSession,
    Experiment,
    Measured,
    SessionPart,
)


def detailed(measured: Measured, built: Built, sessions: Sessions) -> Measured:
    """A verdict with everything that it rests on."""
    parts = dict(built.parts)
    parts["control_before"] &= ~parts["before"]
    parts["left_out"] = built.counted.could
    for name in ("before", "after", "control_before", "control_after"):
        parts["left_out"] &= ~parts[name]
    listed = [
        _session(at, part, built, sessions)
        for part, numbers in parts.items()
        for at in members(numbers)
    ]
    listed.sort(key=lambda one: (one.at, one.session))
    reached = parts["before"] | parts["after"] | built.beside & _of_rule(built, sessions)
    periods = _periods(measured, reached, built.counted.did, sessions)
    return replace(
        measured,
        sessions=listed,
        points=_points(listed),
        agents=agents_of(built, sessions),
        periods=periods,
        experiment=_experiment(periods),
    )


def _of_rule(built: Built, sessions: Sessions) -> int:
    """The conversations of those who came to see the rule."""
    number = 0
    for numbers in sessions.places.values():
        if numbers & built.parts["after"]:
            number |= numbers
    return number


def _session(at: int, part: SessionPart, built: Built, sessions: Sessions) -> EffectSession:
    one = sessions.all[at]
    exposure = built.subject.proof(at)
    return EffectSession(
        session=one.root,
        at=one.at,
        week=monday_of(one.at),
        agent=one.agent,
        repo=one.repo,
        did=bool(built.counted.did >> at & 1),
        part=part,
        exposure=exposure.state,
        proof=exposure.proof,
    )


def _points(listed: list[EffectSession]) -> list[EffectPoint]:
    weeks: dict[tuple[bool, str], list[EffectSession]] = {}
    for one in listed:
        if one.part != "left_out":
            is_control = one.part in ("control_before", "control_after")
            weeks.setdefault((is_control, one.week), []).append(one)
    return [_point(*key, some) for key, some in sorted(weeks.items())]


def _point(is_control: bool, week: str, some: list[EffectSession]) -> EffectPoint:
    did = sum(one.did for one in some)
    low, high = clopper_pearson(did, len(some))
    return EffectPoint(
        week=week,
        is_control=is_control,
        did=did,
        opportunities=len(some),
        rate=did / len(some),
        low=low,
        high=high,
        sessions=[one.session for one in sorted(some, key=lambda one: not one.did)],
    )


def agents_of(built: Built, sessions: Sessions) -> list[AgentEffect]:
    """Each agent by itself."""
    agents = []
    counted = built.counted
    for agent in sorted({place.agent for place in sessions.places}):
        own = sessions.at_places(None, (agent,))
        if not own & counted.could:
            continue
        alone = counted._replace(
            domain=counted.domain & own, could=counted.could & own, did=counted.did & own
        )
        part = parted(built.subject, built.case, alone, sessions)
        effect = verdict_of(part.case, part.tallied)
        agents.append(
            AgentEffect(
                agent=agent,
                state=effect.state,
                before=effect.before,
                after=effect.after,
                needed=effect.needed,
                exposure=effect.exposure,
                sentence=effect.sentence,
            )
        )
    return agents


def _periods(measured: Measured, numbers: int, did: int, sessions: Sessions) -> list[EffectPeriod]:
    """The times between two moments, of those who came to see it."""
    moments = measured.moments
    ends = [*(one.at for one in moments), None]
    starts: list[int | None] = [None, *(one.at for one in moments)]
    periods = []
    for at, (since, until) in enumerate(zip(starts, ends, strict=True)):
        some = numbers & (-1 if since is None else ~sessions.before(since))
        some &= -1 if until is None else sessions.before(until)
        periods.append(
            EffectPeriod(
                since=since,
                until=until,
                is_in=at > 0 and moments[at - 1].kind != "out",
                version=moments[at - 1].version if at else "",
                rate=rate(Count((some & did).bit_count(), some.bit_count())),
            )
        )
    return periods


def _experiment(periods: list[EffectPeriod]) -> Experiment | None:
    """The times with and without it, where it went out and came in again."""
    since_first = periods[1:]
    ins = [one.rate for one in since_first if one.is_in]
    outs = [one.rate for one in since_first[:-1] if not one.is_in]
    if not outs or not since_first[-1].is_in:
        return None
    inside, outside = (
        Count(sum(one.did for one in some), sum(one.opportunities for one in some))
        for some in (ins, outs)
    )
    return Experiment(
        with_rule=rate(inside),
        without_rule=rate(outside),
        p=fisher(*outside, *inside, "less"),
    )
