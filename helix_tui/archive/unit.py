"""Turn one unit of an archive into batches: fetch its files, read them, leave nothing behind.

It depends on nothing but its arguments and the bytes of the unit, so that any machine can do it,
and do it again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from helix_tui.schema import Cursor, PartTask, Problem, UnitBatch, UnitTask
from helix_tui.workers.reading import read_and_fold

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(UnitTask).decode
_decode_batch = msgspec.msgpack.Decoder(UnitBatch).decode


def packed_task(task: UnitTask) -> bytes:
    """A task as it is sent to whoever reads it."""
    return _encode(task)


def unpacked_batches(messages: list[bytes]) -> list[UnitBatch]:
    """The batches that came back."""
    return [_decode_batch(message) for message in messages]


def batches_of_unit(message: bytes) -> list[bytes]:
    """The batches of a unit, packed; its parts are at addresses that fsspec knows."""
    task = _decode(message)
    with tempfile.TemporaryDirectory(prefix="helix-archive-") as folder:
        return [_encode(batch) for batch in _batches(task, Path(folder))]


def _batches(task: UnitTask, folder: Path) -> Iterator[UnitBatch]:
    fetched = [_fetched(part, folder) for part in task.parts]
    addresses = {here.path: part for here, part in zip(fetched, task.parts, strict=True)}
    for batch in read_and_fold(msgspec.structs.replace(task, parts=fetched)):
        part = addresses.get(batch.path)
        if part is None:
            raise ValueError(f"a batch of no part of {task.unit}")
        yield msgspec.structs.replace(
            batch,
            path=part.path,
            cursor=_as_listed(batch.cursor, part),
            problems=[_there(problem, addresses) for problem in batch.problems],
        )


def _fetched(part: PartTask, folder: Path) -> PartTask:
    """A part with a copy of its file, below folders of the same names: adapters look at these."""
    import fsspec

    files, path = fsspec.core.url_to_fs(part.path)
    local = folder.joinpath(*(step for step in path.split("/") if step not in ("", ".", "..")))
    local.parent.mkdir(parents=True, exist_ok=True)
    files.get_file(path, str(local))
    return msgspec.structs.replace(part, path=str(local))


def _as_listed(cursor: Cursor | None, part: PartTask) -> Cursor | None:
    """A cursor that knows the object by its listing, not by the copy that was read."""
    if cursor is None or cursor.stamp is None:
        return cursor
    if cursor.stamp.size != part.stamp.size:
        # It changed between listing and fetching: the next sweep looks at it again.
        return msgspec.structs.replace(cursor, stamp=None)
    return msgspec.structs.replace(cursor, stamp=part.stamp)


def _there(problem: Problem, addresses: dict[str, PartTask]) -> Problem:
    part = addresses.get(problem.path)
    return problem if part is None else msgspec.structs.replace(problem, path=part.path)
