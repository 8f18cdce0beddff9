"""Reads of the store; every one returns plain data and holds no transaction open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import peewee
from peewee import fn

from helix_tui.schema import (
    KINDS,
    TOOL_CALL,
    Cost,
    Cursor,
    FileStamp,
    Problem,
    Session,
    StoredEvent,
    SweepSummary,
    UsageRow,
)
from helix_tui.store.layout import StoreLayout
from helix_tui.store.models import (
    EventRow,
    FrameRow,
    PartRow,
    ProblemRow,
    SessionRow,
    SweepRow,
    UnitStateRow,
    UsageTable,
)
from helix_tui.store.packs import FramePlace, PackReader
from helix_tui.store.problems import NO_OFFSET

Stamps = dict[tuple[str, str], tuple[int, int, int, int]]

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
    SessionRow.pack_bytes,
    SessionRow.input,
    SessionRow.output,
    SessionRow.cache_read,
    SessionRow.cache_write,
    SessionRow.reasoning,
)
_IS_SESSION = SessionRow.turns > 0


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions a list shows."""

    flavor: str | None = None
    repo: str | None = None
    since_ts: int | None = None
    limit: int | None = None


def part_stamps(database: peewee.SqliteDatabase, flavor: str) -> Stamps:
    """What every part of a flavor looked like when it was read; the hot path of a warm sweep."""
    rows = database.connection().execute(
        "SELECT unit, name, device, inode, size, mtime_ns FROM part WHERE flavor = ?", (flavor,)
    )
    return {(row[0], row[1]): row[2:] for row in rows.fetchall()}


def cursor_of(
    database: peewee.SqliteDatabase, flavor: str, unit: str, part: str
) -> Cursor | None:
    """How far a part was read."""
    query = PartRow.select(
        PartRow.device,
        PartRow.inode,
        PartRow.size,
        PartRow.mtime_ns,
        PartRow.offset,
        PartRow.head_length,
        PartRow.head_hash,
        PartRow.tail_hash,
    ).where((PartRow.flavor == flavor) & (PartRow.unit == unit) & (PartRow.name == part))
    for row in query.tuples().execute(database):
        return Cursor(FileStamp(*row[:4]), *row[4:])
    return None


def unit_state(database: peewee.SqliteDatabase, flavor: str, unit: str) -> bytes:
    """What the adapter remembered of a unit."""
    query = UnitStateRow.select(UnitStateRow.state).where(
        (UnitStateRow.flavor == flavor) & (UnitStateRow.unit == unit)
    )
    for (state,) in query.tuples().execute(database):
        return bytes(state)
    return b""


def list_sessions(database: peewee.SqliteDatabase, wanted: SessionFilter) -> list[Session]:
    """Sessions, the latest first."""
    query = SessionRow.select(*_SESSION_FIELDS).where(_IS_SESSION)
    if wanted.flavor:
        query = query.where(SessionRow.flavor == wanted.flavor)
    if wanted.repo:
        query = query.where(SessionRow.repo == wanted.repo)
    if wanted.since_ts is not None:
        query = query.where(SessionRow.last_ts >= wanted.since_ts)
    query = query.order_by(SessionRow.last_ts.desc(), SessionRow.id)
    if wanted.limit is not None:
        query = query.limit(wanted.limit)
    return [_session(row) for row in query.tuples().execute(database)]


def find_sessions(database: peewee.SqliteDatabase, name: str, limit: int = 6) -> list[Session]:
    """The session of that id, or those whose id or native id begins with the name."""
    query = SessionRow.select(*_SESSION_FIELDS).where(_IS_SESSION)
    exact = query.where((SessionRow.id == name) | (SessionRow.native_id == name))
    found = [_session(row) for row in exact.tuples().execute(database)]
    if found:
        return found
    begins = query.where(
        (fn.substr(SessionRow.id, 1, len(name)) == name)
        | (fn.substr(SessionRow.native_id, 1, len(name)) == name)
    )
    matches = begins.order_by(SessionRow.id).limit(limit)
    return [_session(row) for row in matches.tuples().execute(database)]


def session_events(
    database: peewee.SqliteDatabase, layout: StoreLayout, session_id: str
) -> Iterator[tuple[int, StoredEvent, str | None]]:
    """A session's events in the order they are shown, with the tool that each belongs to."""
    key = SessionRow.select(SessionRow.key).where(SessionRow.id == session_id).scalar(database)
    rows = _ordered(
        list(
            EventRow.select(
                EventRow.part, EventRow.position, EventRow.ts, EventRow.frame, EventRow.slot
            )
            .join(PartRow, on=(PartRow.key == EventRow.part))
            .select_extend(PartRow.path)
            .where(EventRow.session == key)
            .tuples()
            .execute(database)
        )
    )
    frames = FrameRow.select(FrameRow.offset, FrameRow.length).where(FrameRow.session == key)
    lengths = dict(frames.tuples().execute(database))
    reader = PackReader(layout.pack(key))
    tools: dict[str, str] = {}
    for seq, (frame, slot) in enumerate(rows):
        event = reader.events(FramePlace(frame, lengths[frame]))[slot]
        if event.kind == TOOL_CALL and event.call_id and event.tool:
            tools[event.call_id] = event.tool
        yield seq, event, event.tool or tools.get(event.call_id or "")


def _ordered(rows: list[tuple[int, int, int | None, int, int, str]]) -> list[tuple[int, int]]:
    """Frame and slot by (time made monotonic within a part, part, position)."""
    placed: list[tuple[int, str, int, int, int]] = []
    rows.sort(key=itemgetter(5, 1))
    for path, group in groupby(rows, key=itemgetter(5)):
        latest = -(1 << 62)
        for _, position, ts, frame, slot, _ in group:
            latest = max(latest, ts if ts is not None else latest)
            placed.append((latest, path, position, frame, slot))
    placed.sort()
    return [(frame, slot) for _, _, _, frame, slot in placed]


def usage_by(database: peewee.SqliteDatabase, by: str) -> list[UsageRow]:
    """Tokens summed by day, repo, model, flavor or session."""
    keys = {
        "day": fn.coalesce(fn.strftime("%Y-%m-%d", UsageTable.ts / 1000, "unixepoch"), "unknown"),
        "repo": fn.coalesce(SessionRow.repo, "unknown"),
        "model": fn.coalesce(UsageTable.model, "unknown"),
        "flavor": SessionRow.flavor,
        "session": SessionRow.id,
    }
    key = keys[by]
    query = _usage_query(key).group_by(key).order_by(key)
    return [_usage_row(row) for row in query.tuples().execute(database)]


def usage_total(database: peewee.SqliteDatabase) -> UsageRow:
    """All tokens there are."""
    (row,) = _usage_query(peewee.Value("total")).tuples().execute(database)
    return _usage_row(row)


def _usage_query(key: object) -> peewee.ModelSelect:
    tokens = (
        fn.coalesce(fn.sum(column), 0)
        for column in (
            UsageTable.input,
            UsageTable.output,
            UsageTable.cache_read,
            UsageTable.cache_write,
            UsageTable.reasoning,
        )
    )
    return UsageTable.select(key, fn.count(UsageTable.session.distinct()), *tokens).join(
        SessionRow, on=(SessionRow.key == UsageTable.session)
    )


def _usage_row(row: tuple[str, int, int, int, int, int, int]) -> UsageRow:
    return UsageRow(row[0], row[1], Cost(*row[2:]))


def session_counts(database: peewee.SqliteDatabase) -> dict[str, tuple[int, int]]:
    """How many sessions, and how many of them children, each flavor has."""
    query = (
        SessionRow.select(SessionRow.flavor, fn.count(), fn.count(SessionRow.parent))
        .where(_IS_SESSION)
        .group_by(SessionRow.flavor)
    )
    return {flavor: (count, children) for flavor, count, children in query.tuples().execute(database)}


def pack_bytes(database: peewee.SqliteDatabase) -> int:
    """What all packs hold, by the rows."""
    return int(SessionRow.select(fn.coalesce(fn.sum(SessionRow.pack_bytes), 0)).scalar(database))


def count_problems(database: peewee.SqliteDatabase) -> int:
    """How many things could not be read, as far as is known."""
    return int(ProblemRow.select(fn.count()).scalar(database))


def list_problems(database: peewee.SqliteDatabase, limit: int) -> list[Problem]:
    """What could not be read, the newest first."""
    query = (
        ProblemRow.select(ProblemRow.path, ProblemRow.offset, ProblemRow.reason)
        .order_by(ProblemRow.first_ts.desc(), ProblemRow.path, ProblemRow.offset)
        .limit(limit)
    )
    return [
        Problem(path, None if offset == NO_OFFSET else offset, reason)
        for path, offset, reason in query.tuples().execute(database)
    ]


def last_sweep(database: peewee.SqliteDatabase) -> SweepSummary | None:
    """How the latest sweep went."""
    query = (
        SweepRow.select(
            SweepRow.started_ts,
            SweepRow.seconds,
            SweepRow.discovered,
            SweepRow.ingested,
            SweepRow.skipped_unchanged,
            SweepRow.bytes_read,
            SweepRow.new_problems,
            SweepRow.is_complete,
        )
        .order_by(SweepRow.key.desc())
        .limit(1)
    )
    for row in query.tuples().execute(database):
        return SweepSummary(*row)
    return None


def record_sweep(database: peewee.SqliteDatabase, sweep: SweepSummary) -> None:
    """Remembers how a sweep went."""
    SweepRow.insert(
        started_ts=sweep.started_ts,
        seconds=sweep.seconds,
        discovered=sweep.discovered,
        ingested=sweep.ingested,
        skipped_unchanged=sweep.skipped_unchanged,
        bytes_read=sweep.bytes_read,
        new_problems=sweep.new_problems,
        is_complete=sweep.is_complete,
    ).execute(database)


def _session(row: tuple[object, ...]) -> Session:
    *facts, input_, output, cache_read, cache_write, reasoning = row
    cost = Cost(input_, output, cache_read, cache_write, reasoning)  # type: ignore[arg-type]
    return Session(*facts, cost)  # type: ignore[arg-type]


def kind_name(kind: int) -> str:
    """A stored kind in words."""
    return KINDS[kind]
