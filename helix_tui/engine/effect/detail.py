"""The sessions, weeks and times behind one verdict."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from helix_tui.engine.effect.cases import Built, Row
from helix_tui.engine.effect.sessions import Sessions
from helix_tui.measure.intervals import clopper_pearson
from helix_tui.measure.verdict import judge, role_of, sides_of
from helix_tui.schema.effect import (
    AgentEffect,
    EffectPoint,
    EffectSession,
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
    return replace(measured, sessions=listed, points=_points(listed), agents=_agents(built))


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


def monday_of(ts: int) -> str:
    """The Monday of the week of a time."""
    day = datetime.fromtimestamp(ts / 1000, UTC).date()
    return (day - timedelta(days=day.weekday())).isoformat()


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
