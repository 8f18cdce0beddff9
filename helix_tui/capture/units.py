"""Read one unit from its cursors to its end, as batches that can each be committed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import BinaryIO, Protocol

import msgspec

from helix_tui.capture.adapters import Adapter, Again, Row, UnitReader, adapters, fault_of
from helix_tui.capture.compressed import ZstdBytes
from helix_tui.capture.discover import ROWS, DatabaseChangedError, DatabaseError
from helix_tui.capture.draft import UnitDraft
from helix_tui.capture.tail import (
    COMPRESSED,
    MAX_LINE,
    Oversized,
    PartBytes,
    PlainBytes,
    cursor_at,
    open_readonly,
    read_lines,
    resume_offset,
    spoiled,
    stamp_of,
)
from helix_tui.schema import (
    Cursor,
    EventTuple,
    FileStamp,
    Folded,
    PartTask,
    Problem,
    UnitBatch,
    UnitTask,
)
from helix_tui.text.times import latest_believed

# A batch's share of a file: large enough to compress well, small enough to keep memory flat.
BATCH_BYTES = 1 << 20
# How far to read on where nothing is found, as in streams that repeat themselves.
IDLE_BYTES = 32 << 20


RowsTaken = Callable[[str, str, int, Sequence[Row], UnitDraft], None]


class _ExcludedError(Exception):
    """The unit belongs to a project that the person keeps out."""


class EventFolds(Protocol):
    """Fold events as they are read, part by part and session by session."""

    def restart(self, part: str) -> None:
        """Forget the folds of a part that is read again from its beginning."""

    def fold(self, part: str, session_id: str, events: Sequence[EventTuple]) -> Folded:
        """The state after these events; empty if folding failed."""


def read_unit(task: UnitTask, folds: EventFolds) -> Iterator[UnitBatch]:
    """The unit's new records; a failure costs the rest of its unit, never the sweep."""
    previous: UnitBatch | None = None
    for batch in _unit_batches(task, folds):
        if previous is not None:
            yield previous
        previous = batch
    if previous is not None:
        yield msgspec.structs.replace(previous, is_last=True)


def _unit_batches(task: UnitTask, folds: EventFolds) -> Iterator[UnitBatch]:
    part = task.parts[0]
    try:
        paths = {part.name: part.path for part in task.parts}
        adapter = adapters()[task.flavor]
        reader = adapter.reader(task.unit, paths, task.state)
        last: UnitBatch | None = None
        # The last batch of each part that was read.
        ends: dict[str, UnitBatch] = {}
        parts = _in_order(task.parts, adapter)
        for part in parts:
            if part.cursor is None or part.cursor.stamp != part.stamp or part.is_moved:
                for batch in _read_part(task, part, reader, folds, adapter):
                    if last is not None:
                        yield _unsettled(last) if last.is_reread and adapter.joins_parts else last
                    last = ends[part.name] = batch
        is_joined = False
        # Twice: one part wants to be read with what another told when it was read anew.
        for nth, part in enumerate((*parts, *parts) if adapter.joins_parts else ()):
            if nth == len(parts) and not is_joined:
                break  # nothing was told since all of them were asked
            again = _wanted_again(reader, part.name)
            if again is None:
                continue
            if last is not None and not is_joined:
                yield _unsettled(last)
            is_joined = True
            for batch in _read_again(task, part, reader, folds, again, ends.get(part.name)):
                ends[part.name] = batch
                yield _unsettled(batch)
        if last is not None and not is_joined:
            yield last
        for batch in ends.values() if adapter.joins_parts else ():
            if is_joined or (batch.is_reread and batch is not last):
                yield msgspec.structs.replace(
                    batch, state=reader.state(), bytes_read=0, problems=[], patches=[]
                )
    except (FileNotFoundError, _ExcludedError, DatabaseChangedError):
        # Deleted since it was listed, none of ours, or to be read again by the next sweep.
        yield failed_batch(task, part, None)
    except DatabaseError as error:
        yield failed_batch(task, part, str(error))
    except OSError as error:
        yield failed_batch(task, part, error.strerror or "not a regular file")
    except Exception as error:  # noqa: BLE001 - an adapter may be anybody's code
        yield failed_batch(task, part, fault_of(task.flavor, error))


def _in_order(parts: list[PartTask], adapter: Adapter) -> list[PartTask]:
    """The parts in the order in which they explain one another."""
    order: Sequence[str] = getattr(adapter, "part_order", ())
    return sorted(parts, key=lambda part: order.index(part.name) if part.name in order else -1)


def _wanted_again(reader: UnitReader, part: str) -> Again | None:
    """Where a reader that joins parts needs one once more."""
    again: Callable[[str], Again | None] | None = getattr(reader, "again", None)
    return again(part) if again else None


def _refuse_excluded(task: UnitTask, reader: UnitReader) -> None:
    """Stop reading a unit whose own records name a project that stays out."""
    project: Callable[[], str] | None = getattr(reader, "project", None)
    if task.exclude and project and any(fnmatchcase(project(), glob) for glob in task.exclude):
        raise _ExcludedError


def failed_batch(task: UnitTask, part: PartTask, reason: str | None) -> UnitBatch:
    """The batch of a unit that could not be read on: the problem, and no cursor."""
    problems = [] if reason is None else [Problem(part.path, None, reason)]
    return UnitBatch(
        task.flavor, task.unit, part.name, part.path, None, False, True, 0, b"", problems, []
    )


def _read_part(
    task: UnitTask, part: PartTask, reader: UnitReader, folds: EventFolds, adapter: Adapter
) -> Iterator[UnitBatch]:
    if part.name.startswith(ROWS):
        yield from _read_rows(task, part, reader, folds, adapter)
        return
    with open_readonly(part.path) as file:
        stamp = stamp_of(os.fstat(file.fileno()))
        if part.is_document:
            yield _read_document(task, part, reader, folds, file, stamp)
            return
        content = _bytes_of(part, file, stamp)
        start = resume_offset(content, part.cursor)
        is_reread = part.cursor is not None and start < part.cursor.offset
        if start == 0:
            reader.restart(part.name)
            folds.restart(part.name)
        yield from _read_lines(task, part, reader, folds, content, start, stamp, is_reread)


def _read_again(
    task: UnitTask,
    part: PartTask,
    reader: UnitReader,
    folds: EventFolds,
    again: Again,
    before: UnitBatch | None,
) -> Iterator[UnitBatch]:
    """Read a part once more; from scratch, it may give other events than before.

    Otherwise nothing is read that was not read before, and the cursor stays where it is.
    """
    start, is_anew = again
    cursor = before.cursor if before else part.cursor
    is_reread = is_anew or (before is not None and before.is_reread)
    with open_readonly(part.path) as file:
        stamp = stamp_of(os.fstat(file.fileno()))
        content = _bytes_of(part, file, stamp)
        if is_anew:
            reader.restart(part.name)
            folds.restart(part.name)
        elif cursor is not None:
            content.size = min(content.size, cursor.offset)
        batches = _read_lines(task, part, reader, folds, content, start, stamp, is_reread)
        for batch in batches:
            yield batch if is_anew else msgspec.structs.replace(batch, cursor=cursor)


def _unsettled(batch: UnitBatch) -> UnitBatch:
    """A batch that is not the end of its unit, so that the next sweep continues after a crash.

    A part that was being read again is then read again as a whole.
    """
    cursor = batch.cursor
    if cursor is None or cursor.stamp is None:
        return batch
    cursor = msgspec.structs.replace(cursor, stamp=None)
    return msgspec.structs.replace(batch, cursor=spoiled(cursor) if batch.is_reread else cursor)


def _bytes_of(part: PartTask, file: BinaryIO, stamp: FileStamp) -> PartBytes:
    if part.path.endswith(COMPRESSED):
        return ZstdBytes(file)
    return PlainBytes(file, stamp.size)


def _read_document(
    task: UnitTask,
    part: PartTask,
    reader: UnitReader,
    folds: EventFolds,
    file: BinaryIO,
    stamp: FileStamp,
) -> UnitBatch:
    """Read a document whole; the store drops what it already has of it."""
    reader.restart(part.name)
    folds.restart(part.name)
    draft = UnitDraft(task.flavor, part.path)
    content = _document(file, stamp.size, draft)
    reader.read_document(part.name, content, draft)
    _refuse_excluded(task, reader)
    cursor = cursor_at(PlainBytes(file, stamp.size), len(content), stamp)
    is_reread = part.cursor is not None
    return _batch(task, part, reader, folds, draft, cursor, len(content), is_reread)


def _read_rows(
    task: UnitTask, part: PartTask, reader: UnitReader, folds: EventFolds, adapter: Adapter
) -> Iterator[UnitBatch]:
    """Read all rows of one session in a database; the store drops what is there no more.

    What changed since the session was listed makes another stamp: the next sweep reads it again.
    """
    from helix_tui.capture.databases import opened, sizes

    reader.restart(part.name)
    folds.restart(part.name)
    read: RowsTaken = getattr(reader, "read_rows")  # noqa: B009 - only readers of databases have it
    batch = partial(_batch, task, part, reader, folds)
    is_reread = part.cursor is not None
    draft = UnitDraft(task.flavor, part.path)
    position = new = 0
    with opened(part.path, adapter) as sessions:
        for name, rows in sessions.rows(part.name[len(ROWS) :]) if sessions else ():
            read(part.name, name, position, rows, draft)
            _refuse_excluded(task, reader)
            position += len(rows)
            new += sizes(rows)
            if new >= (BATCH_BYTES if draft.has_events else IDLE_BYTES) and sessions:
                sessions.require_unchanged()
                yield batch(draft, Cursor(None, position, 0, 0, 0), new, is_reread)
                draft, new = UnitDraft(task.flavor, part.path), 0
        if sessions:
            sessions.require_unchanged()
    _end(reader, part, draft)
    yield batch(draft, Cursor(part.stamp, position, 0, 0, 0), new, is_reread)


def _end(reader: UnitReader, part: PartTask, draft: UnitDraft) -> None:
    end: Callable[[str, UnitDraft], None] | None = getattr(reader, "end", None)
    if end:
        end(part.name, draft)


def _read_lines(
    task: UnitTask,
    part: PartTask,
    reader: UnitReader,
    folds: EventFolds,
    content: PartBytes,
    start: int,
    stamp: FileStamp | None,
    is_reread: bool,
) -> Iterator[UnitBatch]:
    batch = partial(_batch, task, part, reader, folds)
    draft = UnitDraft(task.flavor, part.path)
    position = committed = start
    for piece in read_lines(content, start):
        if isinstance(piece, Oversized):
            draft.problem(piece.offset, f"a line of more than {MAX_LINE >> 20} MiB")
        else:
            reader.read_lines(part.name, piece.offset, piece.lines, draft)
            _refuse_excluded(task, reader)
        position = piece.end
        new = position - committed
        if new >= (BATCH_BYTES if draft.has_events else IDLE_BYTES) and position < content.size:
            cursor = cursor_at(content, position, None)
            yield batch(draft, spoiled(cursor) if is_reread else cursor, new, is_reread)
            draft = UnitDraft(task.flavor, part.path)
            committed = position
    _end(reader, part, draft)
    if content.fault:
        draft.problem(position, content.fault)
    yield batch(draft, cursor_at(content, position, stamp), position - committed, is_reread)


def _document(file: BinaryIO, size: int, draft: UnitDraft) -> bytes:
    if size > MAX_LINE:
        draft.problem(0, f"a document of more than {MAX_LINE >> 20} MiB")
        return b""
    return file.read(size)


def _batch(
    task: UnitTask,
    part: PartTask,
    reader: UnitReader,
    folds: EventFolds,
    draft: UnitDraft,
    cursor: Cursor,
    bytes_read: int,
    is_reread: bool,
) -> UnitBatch:
    draft.drop_false_times(latest_believed(int(time.time() * 1000)))
    patches = [
        session.patch(partial(folds.fold, part.name, session.id))
        for session in draft.sessions.values()
    ]
    return UnitBatch(
        task.flavor,
        task.unit,
        part.name,
        part.path,
        cursor,
        is_reread,
        False,
        bytes_read,
        reader.state(),
        draft.problems,
        patches,
        part.is_document,
    )
