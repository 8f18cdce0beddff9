"""Patterns that were measured, made from sessions a week: what each did, and who never saw it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from helix_tui.measure.intervals import clopper_pearson
from helix_tui.measure.verdict import judge
from helix_tui.schema.context import ExposureState
from helix_tui.schema.effect import Case, EffectMoment, EffectPoint, EffectStep, Measured, Watched

MONDAY = datetime(2026, 8, 31, tzinfo=UTC)
SINCE = 6


def _ms(week: int, hours: int = 0) -> int:
    return int((MONDAY + timedelta(weeks=week, hours=hours)).timestamp() * 1000)


def _point(week: int, did: int, of: int, *, is_control: bool) -> EffectPoint:
    low, high = clopper_pearson(did, of)
    who = "grok" if is_control else "claude"
    return EffectPoint(
        week=(MONDAY + timedelta(weeks=week)).date().isoformat(),
        is_control=is_control,
        did=did,
        opportunities=of,
        rate=did / of,
        low=low,
        high=high,
        sessions=[f"{who}:{week}-{number}" for number in range(of)],
    )


def made_measured(
    name: str,
    weeks: Sequence[tuple[int, int]],
    control: Sequence[tuple[int, int]] = (),
    *,
    title: str = "Search with `grep -rn`: `rg` is not installed",
) -> Measured:
    """A pattern that came in with the seventh week; `weeks` are those that did, of those that
    could."""
    watched = []
    points = []
    for is_control, some in ((False, weeks), (True, control)):
        for week, (did, of) in enumerate(some):
            is_seen = week >= SINCE and not is_control
            exposure: ExposureState = "observed_yes" if is_seen else "observed_no"
            group = "grok" if is_control else "claude"
            watched += [
                Watched(_ms(week, hours), group, exposure, True, hours < did) for hours in range(of)
            ]
            points += [_point(week, did, of, is_control=is_control)] if of else []
    case = Case(id=name, version="1.1.0", since=_ms(SINCE), how="ledger", sessions=watched)
    effect = judge(case)
    moment = EffectMoment(
        at=_ms(SINCE), kind="in", version="1.1.0", agents=["claude"], files=["AGENTS.md"]
    )
    step = EffectStep(
        kind="rung",
        text="It is told, seen and still violated: a guard answers before the command runs.",
        command=f"helix catalog set {name} --guard ask",
    )
    return Measured(
        id=name,
        title=title,
        rule="Search with `grep -rn`: `rg` is not installed.",
        rung="line",
        candidates=[name],
        opportunity="sessions that ran `rg` or `grep`",
        effect=replace(effect),
        moments=[moment],
        points=points,
        step=step if effect.state != "helped" else None,
    )


HELPED = made_measured(
    "command-not-found-rg",
    [(2, 5), (1, 4), (2, 6), (1, 5), (3, 6), (2, 4), (0, 6), (1, 5), (0, 7), (0, 6)],
    [(2, 4), (1, 4), (2, 5), (1, 3), (2, 4), (1, 4), (2, 4), (1, 3), (2, 4), (2, 5)],
)
WORSE = made_measured(
    "push-rejected",
    [(0, 5), (1, 6), (0, 5), (0, 5), (0, 5), (0, 4), (4, 6), (4, 5), (5, 7), (3, 6)],
    title="Run `git pull --rebase` before `git push`",
)
TOO_FEW = made_measured(
    "edit-no-match",
    [(1, 3), (1, 4), (0, 3), (1, 3), (0, 0), (0, 2), (0, 2), (0, 1)],
    title="Read a file again before it is edited",
)
