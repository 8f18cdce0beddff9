"""The sessions, weeks and times behind one verdict."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.engine.effect.cases import Built, Row
from helix_tui.engine.effect.sessions import Sessions
from helix_tui.measure.control import Count
from helix_tui.measure.fisher import fisher
from helix_tui.measure.intervals import clopper_pearson
from helix_tui.measure.verdict import count, judge, rate, role_of, sides_of
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
    sides = sides_of(built.case)
    rows = [
        *((row, role_of(built.case, sides, row.watched)) for row in built.rows),
        *((row, "left_out") for row in built.beside),
    ]
    listed = [_session(row, part, sessions) for row, part in rows]
    listed.sort(key=lambda one: (one.at, one.session))
    reached = [row for row in (*built.rows, *built.beside) if row.watched.group in sides.of_rule]
    periods = _periods(measured, reached)
    return replace(
        measured,
        sessions=listed,
        points=_points(listed),
        agents=_agents(built),
        periods=periods,
        experiment=_experiment(periods),
    )


def _session(row: Row, part: SessionPart, sessions: Sessions) -> EffectSession:
    one = sessions.all[row.number]
    return EffectSession(
        session=one.root,
        at=one.at,
        week=monday_of(one.at),
        agent=one.agent,
        repo=one.repo,
        did=row.watched.did,
        part=part,
        exposure=row.watched.exposure,
        proof=row.proof,
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


def _agents(built: Built) -> list[AgentEffect]:
    """Each agent by itself."""
    agents = sorted({row.watched.group.partition(" in ")[0] for row in built.rows})
    found = []
    for agent in agents:
        own = [row.watched for row in built.rows if row.watched.group.partition(" in ")[0] == agent]
        effect = judge(replace(built.case, sessions=own, idle=0))
        found.append(
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
    return found


def _periods(measured: Measured, rows: list[Row]) -> list[EffectPeriod]:
    """The times between two moments, of those who came to see it."""
    moments = measured.moments
    ends = [*(one.at for one in moments), None]
    starts: list[int | None] = [None, *(one.at for one in moments)]
    found = []
    for at, (since, until) in enumerate(zip(starts, ends, strict=True)):
        some = [
            row.watched
            for row in rows
            if (since is None or row.watched.ts >= since)
            and (until is None or row.watched.ts < until)
        ]
        found.append(
            EffectPeriod(
                since=since,
                until=until,
                is_in=at > 0 and moments[at - 1].kind != "out",
                version=moments[at - 1].version if at else "",
                rate=rate(count(some)),
            )
        )
    return found


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
