"""Queries for sessions; each returns plain data and leaves no transaction open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from helix_tui.schema import Evictable, RawState, Session, SessionFilter
from helix_tui.schema.session import UNKNOWN_INSTRUCTIONS, Instructions
from helix_tui.store.database import Database
from helix_tui.store.detection.signals import unpack_profile
from helix_tui.store.ingest.instructions import instructions_of
from helix_tui.store.models import SessionRow
from helix_tui.store.orm import peewee
from helix_tui.store.packs.space import raw_bytes
from helix_tui.store.read.costs import NO_MONEY, Money, cost_of, session_money
from helix_tui.store.sql import marks
from helix_tui.yielding import yielding

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
    SessionRow.agent_version,
    SessionRow.profile,
    SessionRow.key,
)
_AT_EVENTS = [field.name for field in _SESSION_FIELDS].index("events")
_AT_VERDICT = len(_SESSION_FIELDS)
_AT_RAW = _AT_VERDICT + len(_VERDICT_FIELDS)
_AT_TOKENS = _AT_RAW + len(_RAW_FIELDS)
_IS_SESSION = SessionRow.turns > 0
# Above this many sessions it is faster to compute the cost of all than to select by key.
_FEW = 500


def list_sessions(
    database: Database, prices: PriceTable, session_filter: SessionFilter, pinned: Collection[str]
) -> list[Session]:
    """Sessions, latest first."""
    query = SessionRow.select(*_ALL_FIELDS).where(*_fits(session_filter))
    query = query.order_by(SessionRow.last_ts.desc(), SessionRow.id).limit(session_filter.most)
    return _sessions(database, prices, query, pinned)


def count_sessions(database: Database, session_filter: SessionFilter) -> int:
    """How many sessions match, whatever limit the filter has."""
    query = SessionRow.select(peewee.fn.count()).where(*_fits(session_filter))
    return int(query.scalar(database))


def _fits(session_filter: SessionFilter) -> list[peewee.Expression]:
    conditions = [_IS_SESSION]
    if session_filter.flavor:
        conditions.append(SessionRow.flavor == session_filter.flavor)
    if session_filter.repo:
        conditions.append(SessionRow.repo == session_filter.repo)
    if session_filter.since_ts is not None:
        conditions.append(SessionRow.last_ts >= session_filter.since_ts)
    if session_filter.until_ts is not None:
        conditions.append(SessionRow.last_ts <= session_filter.until_ts)
    if session_filter.outcome:
        conditions.append(SessionRow.outcome == session_filter.outcome)
    return conditions


def _sessions(
    database: Database,
    prices: PriceTable,
    query: peewee.ModelSelect[SessionRow],
    pinned: Collection[str],
) -> list[Session]:
    with database.atomic():  # tokens and costs as of the same moment
        # Plain tuples: models would convert each of millions of fields.
        rows = database.execute_sql(*query.bind(database).sql()).fetchall()
        keys = [row[-1] for row in rows]
        money = session_money(database, prices, keys if len(keys) <= _FEW else None)
        gates = gates_of(database, keys if len(keys) <= _FEW else None)
        counted = conversations_of(database, keys if len(keys) <= _FEW else None)
        given = instructions_of(database.connection(), keys if len(keys) <= _FEW else None)
    return [
        _session(
            row,
            money.get(row[-1], NO_MONEY),
            gates.get(row[-1]),
            pinned,
            counted,
            given.get(row[-1], UNKNOWN_INSTRUCTIONS),
        )
        for row in yielding(rows)
    ]


def gates_of(database: Database, keys: Sequence[int] | None = None) -> dict[int, str]:
    """By session, of some or all, the rule that keeps it from counting, as of the last grouping."""
    condition = f" AND key IN ({marks(keys)})" if keys is not None else ""
    rows = database.execute_sql(
        f"SELECT key, gate FROM counted WHERE gate IS NOT NULL{condition}", keys or ()
    )
    return dict(rows.fetchall())


def conversations_of(database: Database, keys: Sequence[int] | None = None) -> dict[int, str]:
    """By session, of some or all, the first of its conversation, where that is another one."""
    condition = f" AND key IN ({marks(keys)})" if keys is not None else ""
    rows = database.execute_sql(
        f"SELECT key, root FROM counted WHERE root <> id{condition}", keys or ()
    )
    return dict(rows.fetchall())


def same_conversation(database: Database, session_id: str) -> list[str]:
    """The other sessions of a conversation, as of the last grouping."""
    rows = database.execute_sql(
        "SELECT b.id FROM counted a JOIN counted b ON b.root = a.root WHERE a.id = ? AND b.id <> ?",
        (session_id, session_id),
    )
    return [name for (name,) in rows.fetchall()]


def titled(database: Database, sessions: Iterable[Evictable]) -> list[Evictable]:
    """These sessions with what each is called; a plan of what goes does without."""
    rows = database.execute_sql("SELECT key, profile FROM session WHERE profile IS NOT NULL")
    profiles: dict[int, bytes] = dict(rows.fetchall())
    return [
        msgspec.structs.replace(one, title=unpack_profile(profiles.get(one.key)).title)
        for one in sessions
    ]


def find_sessions(
    database: Database, prices: PriceTable, name: str, pinned: Collection[str], limit: int = 6
) -> list[Session]:
    """The session of that id, or those whose id or native id begins with the name.

    A session and its sub-agents have the same prefix: sub-agents are only meant where no session
    matches. `claude:ef958aa1.a36efb2a` is a sub-agent by the beginnings of both of its names.
    """
    parent, dot, agent = name.rpartition(".")
    query = SessionRow.select(*_ALL_FIELDS).where(_IS_SESSION)
    begins = (peewee.fn.substr(SessionRow.id, 1, len(name)) == name) | (
        peewee.fn.substr(SessionRow.native_id, 1, len(name)) == name
    )
    for condition in (
        SessionRow.id == name,  # uses an index; agents' own ids have none
        SessionRow.native_id == name,
        begins & SessionRow.parent.is_null(),
        begins,
        (peewee.fn.substr(SessionRow.id, 1, len(parent)) == parent)
        & (peewee.fn.instr(SessionRow.id, f".{agent}") > len(parent))
        if dot and parent and agent
        else None,
    ):
        if condition is None:
            continue
        matches = query.where(condition).order_by(SessionRow.id).limit(limit)
        sessions = _sessions(database, prices, matches, pinned)
        if sessions:
            return sessions
    return []


def has_session(database: Database, session_id: str) -> bool:
    """Whether the store has a session of exactly this id."""
    query = SessionRow.select(SessionRow.id).where(_IS_SESSION, SessionRow.id == session_id)
    return bool(list(query.tuples().execute(database)))


def session_counts(database: Database) -> dict[str, tuple[int, int]]:
    """How many sessions each flavor has, and how many of them are children."""
    query = (
        SessionRow.select(SessionRow.flavor, peewee.fn.count(), peewee.fn.count(SessionRow.parent))
        .where(_IS_SESSION)
        .group_by(SessionRow.flavor)
    )
    return {
        flavor: (count, children) for flavor, count, children in query.tuples().execute(database)
    }


def pack_bytes(database: Database) -> int:
    """The size of all packs, by the sessions' rows."""
    size = peewee.fn.coalesce(peewee.fn.sum(SessionRow.pack_bytes), 0)
    return int(SessionRow.select(size).scalar(database))


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
    row: tuple[Any, ...],
    money: Money,
    gate: str | None,
    pinned: Collection[str],
    conversations: Mapping[int, str],
    instructions: Instructions,
) -> Session:
    facts, raw = row[:_AT_VERDICT], row[_AT_RAW:_AT_TOKENS]
    *verdict, is_analyzed = row[_AT_VERDICT:_AT_RAW]
    packed, evicted = raw
    events = facts[_AT_EVENTS]
    state: RawState = "full"
    if evicted:
        state = "evicted" if evicted == events else "partial"
    size = raw_bytes(packed, events - evicted)
    cost = cost_of(row[_AT_TOKENS:-3], money)
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
        profile.title or None,
        conversations.get(row[-1], facts[0]),
        profile.left_open,
        instructions,
        row[-3],
    )
    return Session(*values)
