"""Every figure of a report but what candidates wasted (`detect/rank.py`), from plain data.

A session is of the days on which it spent tokens, and of the day it ended. It is in a report when
one of these days is, and then its calls, outcome and checks count whole; tokens and cost are those
of the report's days alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from helix_tui.report.greens import check_rows
from helix_tui.schema import OUTCOMES, TICKS_PER_USD, UNDATED, Cost, day_of
from helix_tui.schema.report import (
    CostRow,
    DearRow,
    Gathered,
    OutcomeRow,
    Period,
    RateRow,
    Report,
    Spent,
    TaughtPattern,
    Wasting,
    WorkedSession,
)
from helix_tui.text.times import EARLIEST

DEAREST = 10
UNKNOWN = "unknown"
_EPOCH = date(1970, 1, 1)
_EARLIEST_DAY = day_of(EARLIEST)
# 1970 began on a Thursday; weeks begin on Mondays.
_SINCE_MONDAY = 3


class _Place(NamedTuple):
    """What one row of spending belongs to."""

    spent: Spent
    session: WorkedSession


def report_of(gathered: Gathered) -> Report:
    """All tables of a report."""
    period = gathered.period
    spent = [one for one in gathered.spent if period.has_day(one.day)]
    by_id = {session.id: session for session in gathered.sessions}
    days = days_at_work(gathered.sessions, spent, period)
    worked = [session for session in gathered.sessions if session.id in days]
    places = [_Place(one, by_id[one.session]) for one in spent if one.session in by_id]
    total = CostRow("total", summed(place.spent for place in places), None, _ids(worked))
    # Clocks that were never set do not say when work began.
    dated = sorted({d for of_session in days.values() for d in of_session if d >= _EARLIEST_DAY})
    return Report(
        period,
        dated[0] if dated else None,
        dated[-1] if dated else None,
        total,
        _weeks(places, days, total),
        _by_cost(_grouped(places, worked, lambda session: session.repo, total)),
        _by_cost(_grouped(places, worked, lambda session: session.flavor, total)),
        _by_cost(_models(places, total)),
        _outcomes(places, worked),
        check_rows(worked),
        [
            *_rates(worked, "agent", lambda session: session.flavor),
            *_rates(worked, "model", lambda session: session.model),
        ],
        _waste(gathered.wasting),
        _dearest(places),
        _taught(gathered.taught, period),
    )


def summed(spent: Iterable[Spent]) -> Cost:
    """Tokens and their cost, which is known only where each of them has a price."""
    sums = [0] * 7
    is_known = False
    for one in spent:
        for number, value in enumerate(one[3:10]):
            sums[number] += value
        is_known = is_known or one.is_known
    fresh, output, from_cache, to_cache, reasoning, ticks, unpriced = sums
    priced = ticks / TICKS_PER_USD if is_known else None
    usd = None if unpriced else priced
    return Cost(fresh, output, from_cache, to_cache, reasoning, usd, priced, unpriced)


def tokens_of(cost: Cost) -> int:
    """All tokens of a cost; reasoning is part of the output."""
    return cost.input + cost.output + cost.cache_read + cost.cache_write


def week_name(day: int) -> str:
    """The Monday of a day's week; weeks begin on Mondays, UTC."""
    return day_name(day if day == UNDATED else day - (day + _SINCE_MONDAY) % 7)


def day_name(day: int) -> str:
    """A day as a date."""
    return UNKNOWN if day == UNDATED else (_EPOCH + timedelta(days=day)).isoformat()


def days_at_work(
    sessions: Iterable[WorkedSession], spent: Iterable[Spent], period: Period
) -> dict[str, set[int]]:
    """The sessions of a report, each with the days of it on which it was at work."""
    days: dict[str, set[int]] = {}
    for one in spent:
        if period.has_day(one.day):
            days.setdefault(one.session, set()).add(one.day)
    for session in sessions:
        ended = day_of(session.last_ts)
        if period.has_day(ended):
            days.setdefault(session.id, set()).add(ended)
    return days


def _ids(sessions: Iterable[WorkedSession]) -> list[str]:
    return sorted(session.id for session in sessions)


def _share(cost: Cost, total: Cost) -> float | None:
    """The part of all that is priced; None where nothing is."""
    if not total.usd_priced:
        return None
    return round((cost.usd_priced or 0) / total.usd_priced, 4)


def _weeks(places: Sequence[_Place], days: dict[str, set[int]], total: CostRow) -> list[CostRow]:
    spent: dict[str, list[Spent]] = {}
    sessions: dict[str, set[str]] = {}
    for place in places:
        spent.setdefault(week_name(place.spent.day), []).append(place.spent)
    for name, of_session in days.items():
        for day in of_session:
            sessions.setdefault(week_name(day), set()).add(name)
    costs = {week: summed(spent.get(week, ())) for week in sessions}
    return [
        CostRow(week, costs[week], _share(costs[week], total.cost), sorted(sessions[week]))
        for week in sorted(sessions)
    ]


def _grouped(
    places: Sequence[_Place],
    worked: Sequence[WorkedSession],
    key: Callable[[WorkedSession], str],
    total: CostRow,
) -> list[CostRow]:
    sessions: dict[str, list[str]] = {}
    spent: dict[str, list[Spent]] = {}
    for session in worked:
        sessions.setdefault(key(session), []).append(session.id)
    for place in places:
        spent.setdefault(key(place.session), []).append(place.spent)
    return [_cost_row(name, spent.get(name, ()), ids, total) for name, ids in sessions.items()]


def _models(places: Sequence[_Place], total: CostRow) -> list[CostRow]:
    """By the model that each message names; a session may have several."""
    spent: dict[str, list[Spent]] = {}
    for place in places:
        spent.setdefault(place.spent.model or UNKNOWN, []).append(place.spent)
    return [
        _cost_row(name, rows, {one.session for one in rows}, total) for name, rows in spent.items()
    ]


def _cost_row(name: str, spent: Iterable[Spent], ids: Iterable[str], total: CostRow) -> CostRow:
    cost = summed(spent)
    return CostRow(name, cost, _share(cost, total.cost), sorted(ids))


def _by_cost(rows: list[CostRow]) -> list[CostRow]:
    return sorted(
        rows, key=lambda row: (-(row.cost.usd_priced or 0), -tokens_of(row.cost), row.key)
    )


def _outcomes(places: Sequence[_Place], worked: Sequence[WorkedSession]) -> list[OutcomeRow]:
    rows = []
    for outcome in OUTCOMES:
        ids = _ids(session for session in worked if session.outcome == outcome)
        cost = summed(place.spent for place in places if place.session.outcome == outcome)
        if ids:
            rows.append(OutcomeRow(outcome, cost, round(len(ids) / len(worked), 4), ids))
    return rows


def _rates(
    worked: Sequence[WorkedSession], by: str, key: Callable[[WorkedSession], str]
) -> list[RateRow]:
    """Only sessions whose failures are known: where no output is left, calls say nothing."""
    groups: dict[str, list[WorkedSession]] = {}
    for session in worked:
        if session.failures is not None:
            groups.setdefault(key(session), []).append(session)
    rows = [
        RateRow(
            name,
            "agent" if by == "agent" else "model",
            sum(session.calls for session in of_key),
            sum(session.failures or 0 for session in of_key),
            sum(session.corrections or 0 for session in of_key),
            _ids(of_key),
        )
        for name, of_key in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row.calls, row.key))


def _waste(wasting: Iterable[Wasting]) -> list[Wasting]:
    rows = [one for one in wasting if one.tokens]
    return sorted(rows, key=lambda one: (-one.tokens, one.id))


def _dearest(places: Sequence[_Place]) -> list[DearRow]:
    spent: dict[str, list[Spent]] = {}
    sessions: dict[str, WorkedSession] = {}
    for place in places:
        spent.setdefault(place.session.id, []).append(place.spent)
        sessions[place.session.id] = place.session
    rows = [
        DearRow(
            name,
            sessions[name].title,
            sessions[name].repo,
            sessions[name].flavor,
            sessions[name].outcome,
            sessions[name].last_ts,
            summed(of_session),
        )
        for name, of_session in spent.items()
    ]
    rows.sort(key=lambda row: (-(row.cost.usd_priced or 0), -tokens_of(row.cost), row.key))
    return rows[:DEAREST]


def _taught(taught: Iterable[TaughtPattern], period: Period) -> list[TaughtPattern]:
    rows = [
        one
        for one in taught
        if period.has_day(_day_of_date(one.at)) and period.repo in (None, *one.repos)
    ]
    return sorted(rows, key=lambda one: (one.at, one.id))


def _day_of_date(text: str) -> int:
    return (date.fromisoformat(text[:10]) - _EPOCH).days
