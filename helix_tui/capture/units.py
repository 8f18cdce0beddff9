"""Reads one unit from its cursors to its end, as batches that can each be committed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO, Protocol

from helix_tui.capture.adapters import UnitReader, adapters
from helix_tui.capture.draft import Draft
from helix_tui.capture.tail import (
    MAX_LINE,
    Oversized,
    cursor_at,
    open_readonly,
    read_lines,
    resume_offset,
    stamp_of,
)
from helix_tui.schema import (
    NOT_FOLDED,
    Cursor,
    EventTuple,
    Folded,
    PartTask,
    Problem,
    UnitBatch,
    UnitTask,
)

# A batch's share of a file: large enough to compress well, small enough to keep memory flat.
BATCH_BYTES = 1 << 20


class EventFolds(Protocol):
    """Folds events as they are read, part by part and session by session."""

    def restart(self, part: str) -> None:
        """Forgets the folds of a part that is read again from its beginning."""

    def fold(self, part: str, session_id: str, events: Sequence[EventTuple]) -> Folded:
        """The state behind these events; empty if there is none to be had."""


def read_unit(task: UnitTask, folds: EventFolds) -> Iterator[UnitBatch]:
    """The unit's new records; what fails costs the rest of its unit, never the sweep."""
    part = task.parts[0]
    try:
        reader = adapters()[task.flavor].reader(task.unit, part.path, task.state)
        for number, part in enumerate(task.parts, start=1):
            yield from _read_part(task, part, reader, folds, number == len(task.parts))
    except FileNotFoundError:
        yield failed_batch(task, part, None)  # deleted since it was listed: nothing is wrong
    except OSError as error:
        yield failed_batch(task, part, error.strerror or "not a regular file")
    except Exception as error:  # noqa: BLE001 - an adapter may be anybody's code
        reason = f"the {task.flavor} adapter failed: {type(error).__name__}: {error}"
        yield failed_batch(task, part, reason)


def failed_batch(task: UnitTask, part: PartTask, reason: str | None) -> UnitBatch:
    """What is committed of a unit that could not be read on: the problem, and no cursor."""
    problems = [] if reason is None else [Problem(part.path, None, reason)]
    return UnitBatch(
        task.flavor, task.unit, part.name, part.path, None, False, True, 0, b"", problems, []
    )


def _read_part(
    task: UnitTask, part: PartTask, reader: UnitReader, folds: EventFolds, is_last: bool
) -> Iterator[UnitBatch]:
    with open_readonly(part.path) as file:
        stamp = stamp_of(os.fstat(file.fileno()))
        draft = Draft(task.flavor, part.path)
        batch = partial(_batch, task, part, reader, folds)
        if part.is_document:
            # A document is taken whole each time; what the store already has of it is dropped.
            reader.restart(part.name)
            folds.restart(part.name)
            content = _document(file, stamp.size, draft)
            reader.read_document(part.name, content, draft)
            cursor = cursor_at(file, len(content), stamp)
            is_reread = part.cursor is not None
            yield batch(draft, cursor, len(content), is_reread, is_last)
            return
        start = resume_offset(file, part.cursor, stamp.size)
        is_reread = part.cursor is not None and start < part.cursor.offset
        if start == 0:
            reader.restart(part.name)
            folds.restart(part.name)
        done = committed = start
        for piece in read_lines(file, start, stamp.size):
            if isinstance(piece, Oversized):
                draft.problem(piece.offset, f"a line of more than {MAX_LINE >> 20} MiB")
            else:
                reader.read_lines(part.name, piece.offset, piece.lines, draft)
            done = piece.end
            if done - committed >= BATCH_BYTES and done < stamp.size:
                cursor = cursor_at(file, done, None)
                yield batch(draft, cursor, done - committed, is_reread, False)
                draft = Draft(task.flavor, part.path)
                committed = done
        cursor = cursor_at(file, done, stamp)
        yield batch(draft, cursor, done - committed, is_reread, is_last)


def _document(file: BinaryIO, size: int, draft: Draft) -> bytes:
    if size > MAX_LINE:
        draft.problem(0, f"a document of more than {MAX_LINE >> 20} MiB")
        return b""
    return file.read(size)


def _batch(
    task: UnitTask,
    part: PartTask,
    reader: UnitReader,
    folds: EventFolds,
    draft: Draft,
    cursor: Cursor,
    bytes_read: int,
    is_reread: bool,
    is_last: bool,
) -> UnitBatch:
    patches = [
        session.patch(
            folds.fold(part.name, session.id, session.events) if session.events else NOT_FOLDED
        )
        for session in draft.sessions.values()
    ]
    return UnitBatch(
        task.flavor,
        task.unit,
        part.name,
        part.path,
        cursor,
        is_reread,
        is_last,
        bytes_read,
        reader.state(),
        draft.problems,
        patches,
        part.is_document,
    )
