"""A report over all machines of a team: the same tables, of what every member's sessions spent.

A conversation that lies on two machines counts once: each of its messages for whoever had it first,
and a session that has one name on both as one session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import astuple

from helix_tui.engine.digest_figures import clean
from helix_tui.engine.report import finished
from helix_tui.engine.team.ways import asking
from helix_tui.report.tables import UNKNOWN, days_at_work
from helix_tui.schema import DAY_MS
from helix_tui.schema.report import CheckRun, Period, Report, WorkedSession
from helix_tui.schema.signal import Profile
from helix_tui.schema.team import SharedFold, SharedRun, SharedSpent, origin_of, place_names
from helix_tui.store.read.costs import priced_rows
from helix_tui.team.asking import PAGE
from helix_tui.text.redact import redact

if TYPE_CHECKING:
    from helix_tui.engine.team.engine import TeamEngine
    from helix_tui.pricing import PriceTable
    from helix_tui.team.asking import Asker

_LEAST, _MOST = -(1 << 62), 1 << 62
_messages = msgspec.json.Decoder(SharedFold).decode
_profile = msgspec.json.Decoder(Profile).decode


class _Row(NamedTuple):
    """A session as the team has it."""

    ended: int
    key: int
    uid: str
    root: str
    flavor: str
    native_id: str
    repo: str
    model: str | None
    outcome: str
    first_ts: int | None
    events: int
    tool_calls: int
    profile: str
    fold: str


class _Fold(msgspec.Struct, frozen=True):
    """What a report takes of a fold; its messages, which are most of it, where there are copies."""

    title: str = ""
    spent: list[SharedSpent] = []
    corrections: int | None = None
    runs: list[SharedRun] = []


_fold = msgspec.json.Decoder(_Fold).decode


class _Shared(NamedTuple):
    """A session with what reports count of it."""

    row: _Row
    fold: _Fold


def team_report(
    engine: TeamEngine, prices: PriceTable, period: Period, *, has_excerpts: bool = False
) -> Report:
    """The report of a period over all machines, of what the team's store has now."""
    with asking(engine.config) as asker:
        return report_from(asker, engine, prices, period, has_excerpts=has_excerpts)


def report_from(
    asker: Asker,
    engine: TeamEngine,
    prices: PriceTable,
    period: Period,
    *,
    has_excerpts: bool = False,
) -> Report:
    """The same, asked over an open connection."""
    names = place_names(dict(asker.ask("places")))
    rows = [
        row
        for row in _worked(asker, period)
        if period.repo in (None, names.get(row.repo, row.repo) or UNKNOWN)
    ]
    spent = []
    sessions: dict[str, WorkedSession] = {}
    roots: dict[str, str] = {}
    for some in _by_session(rows):
        first = some[0].row.uid
        largest = max(some, key=lambda one: (one.row.events, one.row.uid))
        sessions[first] = _session(first, largest, names)
        roots[first] = largest.row.root
        spent += [(first, part) for one in some for part in one.fold.spent]
    priced = priced_rows(spent, prices)
    listed = list(sessions.values())
    at_work = days_at_work(listed, priced, period).keys()
    return finished(
        engine,
        period,
        listed,
        priced,
        {roots[name] for name in at_work},
        has_excerpts=has_excerpts,
    )


def _worked(asker: Asker, period: Period) -> Iterator[_Row]:
    """Every session that was under way in a period, page by page; without one those undated too."""
    since = _LEAST if period.since_day is None else period.since_day * DAY_MS
    until = _MOST if period.until_day is None else (period.until_day + 1) * DAY_MS
    ended, key = since, -1
    while page := [_Row._make(row) for row in asker.ask("worked", ended, ended, key, until, PAGE)]:
        yield from page
        ended, key = page[-1].ended, page[-1].key
    key = -1 if period.since_day is None else _MOST
    while page := [_Row._make(row) for row in asker.ask("undated", key, PAGE)]:
        yield from page
        key = page[-1].key


def _by_session(rows: Sequence[_Row]) -> Iterator[list[_Shared]]:
    """Sessions in order of time, those of one name in one conversation together.

    What a message cost counts for the first session that has it.
    """
    ordered = sorted(rows, key=lambda row: (row.first_ts or 0, row.uid))
    origins: dict[str, set[str]] = {}
    for row in ordered:
        origins.setdefault(row.root, set()).add(origin_of(row.uid))
    seen: dict[str, set[int]] = {root: set() for root, some in origins.items() if len(some) > 1}
    together: dict[tuple[str, str, str], list[_Shared]] = {}
    for row in ordered:
        fold = _fold(row.fold)
        if row.root in seen:
            left = _not_seen(_messages(row.fold), seen[row.root])
            fold = msgspec.structs.replace(fold, spent=left)
        together.setdefault((row.root, row.flavor, row.native_id), []).append(_Shared(row, fold))
    yield from together.values()


def _not_seen(fold: SharedFold, seen: set[int]) -> list[SharedSpent]:
    """What a session spent in messages that no earlier one of its conversation has."""
    sums = [list(astuple(one)) for one in fold.spent]
    for message in fold.messages:
        if message.mark in seen:
            for at, value in enumerate(astuple(message)[2:], start=3):
                sums[message.spent][at] -= value
    left = Counter(one.spent for one in fold.messages if one.mark not in seen)
    seen.update(one.mark for one in fold.messages)
    return [SharedSpent(*one) for number, one in enumerate(sums) if left[number]]


def _session(name: str, one: _Shared, names: dict[str, str]) -> WorkedSession:
    row, fold = one
    return WorkedSession(
        name,
        redact(fold.title),
        row.flavor,
        clean(names.get(row.repo, row.repo) or UNKNOWN),
        row.model or UNKNOWN,
        row.outcome,
        row.ended or None,
        row.tool_calls,
        _profile(row.profile).failures,
        fold.corrections,
        tuple(CheckRun(run.name or run.kind, run.kind, run.state, run.ts) for run in fold.runs),
    )
