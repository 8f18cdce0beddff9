"""Reads of sessions; every one returns plain data and holds no transaction open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import peewee
from peewee import fn

from helix_tui.schema import RawState, Session, SessionFilter
from helix_tui.store.database import Database
from helix_tui.store.detection.signals import unpack_profile
from helix_tui.store.models import SessionRow
from helix_tui.store.packs.space import raw_bytes
from helix_tui.store.read.costs import NO_MONEY, Money, cost_of, session_money
from helix_tui.store.sql import marks
from helix_tui.yielding import politely

if TYPE_CHECKING:
    from helix_tui.pricing import PriceTable

_SESSION_FIELDS = (
    SessionRow.id,
    SessionRow.flavor,
    SessionRow.native_id,
    SessionRow.parent,
    SessionRow.repo,
    SessionRow.cwd,
    SessionRow.branch,
    SessionRow.model,
    SessionRow.first_ts,
    SessionRow.last_ts,
    SessionRow.events,
    SessionRow.prompts,
    SessionRow.tool_calls,
    SessionRow.tool_errors,
    SessionRow.compactions,
)
_VERDICT_FIELDS = (
    SessionRow.ended,
    SessionRow.outcome,
    SessionRow.outcome_confidence,
    SessionRow.outcome_reason,
    SessionRow.is_analyzed,
)
_RAW_FIELDS = (SessionRow.pack_bytes, SessionRow.evicted_events)
_TOKEN_FIELDS = (
    SessionRow.input,
    SessionRow.output,
    SessionRow.cache_read,
    SessionRow.cache_write,
    SessionRow.reasoning,
)
_ALL_FIELDS = (
    *_SESSION_FIELDS,
    *_VERDICT_FIELDS,
    *_RAW_FIELDS,
    *_TOKEN_FIELDS,
    SessionRow.profile,
    SessionRow.key,
)
_AT_EVENTS = [field.name for field in _SESSION_FIELDS].index("events")
_AT_VERDICT = len(_SESSION_FIELDS)
_AT_RAW = _AT_VERDICT + len(_VERDICT_FIELDS)
_AT_TOKENS = _AT_RAW + len(_RAW_FIELDS)
_IS_SESSION = SessionRow.turns > 0
# Above so many, what all sessions cost is found sooner than what each of some does.
_FEW = 500


def list_sessions(
    database: Database, prices: PriceTable, wanted: SessionFilter, pinned: Collection[str]
) -> list[Session]:
    """Sessions, the latest first."""
    query = SessionRow.select(*_ALL_FIELDS).where(*_fits(wanted))
    query = query.order_by(SessionRow.last_ts.desc(), SessionRow.id).limit(wanted.most)
    return _sessions(database, prices, query, pinned)


def count_sessions(database: Database, wanted: SessionFilter) -> int:
    """How many sessions fit, whatever the most is that are to be listed."""
    query = SessionRow.select(fn.count()).where(*_fits(wanted))
    return int(query.scalar(database))


def _fits(wanted: SessionFilter) -> list[peewee.Expression]:
    fits = [_IS_SESSION]
    if wanted.flavor:
        fits.append(SessionRow.flavor == wanted.flavor)
    if wanted.repo:
        fits.append(SessionRow.repo == wanted.repo)
    if wanted.since_ts is not None:
        fits.append(SessionRow.last_ts >= wanted.since_ts)
    if wanted.outcome:
        fits.append(SessionRow.outcome == wanted.outcome)
    return fits


def _sessions(
    database: Database,
    prices: PriceTable,
    query: peewee.ModelSelect[SessionRow],
    pinned: Collection[str],
) -> list[Session]:
    with database.atomic():  # a session's tokens and what they cost are of the same moment
        # As SQLite has them: models would look at each of millions of fields.
        rows = database.execute_sql(*query.bind(database).sql()).fetchall()
        keys = [row[-1] for row in rows]
        money = session_money(database, prices, keys if len(keys) <= _FEW else None)
        gates = gates_of(database, keys if len(keys) <= _FEW else None)
    return [
        _session(row, money.get(row[-1], NO_MONEY), gates.get(row[-1]), pinned)
        for row in politely(rows)
    ]


def gates_of(database: Database, keys: Sequence[int] | None = None) -> dict[int, str]:
    """By session, of some or of all, the rule that keeps it from counting, as last grouped."""
    some = f" AND key IN ({marks(keys)})" if keys is not None else ""
    rows = database.execute_sql(
        f"SELECT key, gate FROM counted WHERE gate IS NOT NULL{some}", keys or ()
    )
    return dict(rows.fetchall())


def find_sessions(
    database: Database, prices: PriceTable, name: str, pinned: Collection[str], limit: int = 6
) -> list[Session]:
    """The session of that id, or those whose id or native id begins with the name.

    A session and its sub-agents begin alike: sub-agents are only meant where no session fits.
    """
    query = SessionRow.select(*_ALL_FIELDS).where(_IS_SESSION)
    begins = (fn.substr(SessionRow.id, 1, len(name)) == name) | (
        fn.substr(SessionRow.native_id, 1, len(name)) == name
    )
    for fits in (
        SessionRow.id == name,  # by its index; agents' own ids have none
        SessionRow.native_id == name,
        begins & SessionRow.parent.is_null(),
        begins,
    ):
        matches = query.where(fits).order_by(SessionRow.id).limit(limit)
        found = _sessions(database, prices, matches, pinned)
        if found:
            return found
    return []


def session_counts(database: Database) -> dict[str, tuple[int, int]]:
    """How many sessions, and how many of them children, each flavor has."""
    query = (
        SessionRow.select(SessionRow.flavor, fn.count(), fn.count(SessionRow.parent))
        .where(_IS_SESSION)
        .group_by(SessionRow.flavor)
    )
    return {
        flavor: (count, children) for flavor, count, children in query.tuples().execute(database)
    }


def pack_bytes(database: Database) -> int:
    """What all packs hold, by the rows."""
    return int(SessionRow.select(fn.coalesce(fn.sum(SessionRow.pack_bytes), 0)).scalar(database))


def raw_states(database: Database) -> dict[RawState, int]:
    """How many sessions have all, some or none of their raw bytes."""
    full, partial, evicted = database.execute_sql(
        "SELECT coalesce(sum(evicted_events = 0), 0), "
        "coalesce(sum(evicted_events > 0 AND evicted_events < events), 0), "
        "coalesce(sum(evicted_events > 0 AND evicted_events = events), 0) "
        "FROM session WHERE turns > 0"
    ).fetchone()
    return {"full": full, "partial": partial, "evicted": evicted}


def session_ids(database: Database) -> dict[str, bool]:
    """Every session by id, and whether its digest covers it exactly."""
    rows = database.execute_sql("SELECT id, is_analyzed AND is_exact FROM session WHERE turns > 0")
    return {name: bool(is_whole) for name, is_whole in rows.fetchall()}


def _session(
    row: tuple[Any, ...], money: Money, gate: str | None, pinned: Collection[str]
) -> Session:
    facts, raw = row[:_AT_VERDICT], row[_AT_RAW:_AT_TOKENS]
    *verdict, is_analyzed = row[_AT_VERDICT:_AT_RAW]
    packed, evicted = raw
    events = facts[_AT_EVENTS]
    state: RawState = "full"
    if evicted:
        state = "evicted" if evicted == events else "partial"
    size = raw_bytes(packed, events - evicted)
    cost = cost_of(row[_AT_TOKENS:-2], money)
    profile = unpack_profile(row[-2])
    values: tuple[Any, ...] = (
        *facts,
        size,
        state,
        *verdict,
        bool(is_analyzed),
        gate,
        facts[0] in pinned,
        cost,
        profile.failures,
        profile.checks,
    )
    return Session(*values)
