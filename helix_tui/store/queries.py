"""Reads of the store; every one returns plain data and holds no transaction open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import peewee
from peewee import fn

from helix_tui.schema import (
    TOOL_CALL,
    Cost,
    Problem,
    Session,
    SessionFilter,
    StoredEvent,
    SweepSummary,
    UsageRow,
)
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout
from helix_tui.store.models import (
    EventRow,
    FrameRow,
    PartRow,
    ProblemRow,
    SessionRow,
    SweepRow,
    UsageTable,
)
from helix_tui.store.packs import FramePlace, PackReader
from helix_tui.store.problems import NO_OFFSET

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
)
_TOKEN_FIELDS = (
    SessionRow.input,
    SessionRow.output,
    SessionRow.cache_read,
    SessionRow.cache_write,
    SessionRow.reasoning,
)
_IS_SESSION = SessionRow.turns > 0


def list_sessions(database: Database, wanted: SessionFilter) -> list[Session]:
    """Sessions, the latest first."""
    query = SessionRow.select(*_SESSION_FIELDS, *_TOKEN_FIELDS).where(_IS_SESSION)
    if wanted.flavor:
        query = query.where(SessionRow.flavor == wanted.flavor)
    if wanted.repo:
        query = query.where(SessionRow.repo == wanted.repo)
    if wanted.since_ts is not None:
        query = query.where(SessionRow.last_ts >= wanted.since_ts)
    query = query.order_by(SessionRow.last_ts.desc(), SessionRow.id)
    return [_session(row) for row in query.tuples().execute(database)]


def find_sessions(database: Database, name: str, limit: int = 6) -> list[Session]:
    """The session of that id, or those whose id or native id begins with the name.

    A session and its sub-agents begin alike: sub-agents are only meant where no session fits.
    """
    query = SessionRow.select(*_SESSION_FIELDS, *_TOKEN_FIELDS).where(_IS_SESSION)
    begins = (fn.substr(SessionRow.id, 1, len(name)) == name) | (
        fn.substr(SessionRow.native_id, 1, len(name)) == name
    )
    for fits in (
        (SessionRow.id == name) | (SessionRow.native_id == name),
        begins & SessionRow.parent.is_null(),
        begins,
    ):
        matches = query.where(fits).order_by(SessionRow.id).limit(limit)
        found = [_session(row) for row in matches.tuples().execute(database)]
        if found:
            return found
    return []


def session_events(
    database: Database, layout: StoreLayout, session_id: str
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
    if lengths:
        reader.prove(FramePlace(offset, length) for offset, length in lengths.items())
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


def usage_by(database: Database, by: str) -> list[UsageRow]:
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


def usage_total(database: Database) -> UsageRow:
    """All tokens there are."""
    (row,) = _usage_query(peewee.Value("total")).tuples().execute(database)
    return _usage_row(row)


def _usage_query(key: object) -> peewee.ModelSelect[UsageTable]:
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


def count_problems(database: Database) -> int:
    """How many things could not be read, as far as is known."""
    return int(ProblemRow.select(fn.count()).scalar(database))


def list_problems(database: Database, limit: int) -> list[Problem]:
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


def last_sweep(database: Database) -> SweepSummary | None:
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


def record_sweep(database: Database, sweep: SweepSummary) -> None:
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


def _session(row: tuple[Any, ...]) -> Session:
    first_token = len(_SESSION_FIELDS)
    return Session(*(*row[:first_token], Cost(*row[first_token:])))
