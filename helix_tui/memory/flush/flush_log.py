"""The ledger of a session's flushes, by which every flush that was begun is also finished."""

from __future__ import annotations

import base64
import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from heapq import merge
from itertools import groupby
from pathlib import Path

import msgspec

from helix_tui.files.ledger import Ledger
from helix_tui.memory.places import MemoryPlaces, file_name
from helix_tui.schema.memory import Piece


class Begun(msgspec.Struct, frozen=True, tag_field="kind", tag="entry"):
    """An entry, durable before it is in its daily log; `seen` are the events it covers.

    `replaces` are the marks of earlier entries of the session and day, whose events it covers, too.
    """

    mark: str
    session: str
    at: int
    day: str
    text: str
    seen: str
    by: str
    is_noop: bool
    replaces: list[str] = []


class Done(msgspec.Struct, frozen=True, tag_field="kind", tag="done"):
    """An entry is in its daily log."""

    mark: str


class HeldPiece(msgspec.Struct, frozen=True, tag_field="kind", tag="held"):
    """A piece that could not be distilled: how often, why, when it is tried again.

    A piece that fails again is not written twice. A dead one waits for a person.
    """

    session: str
    at: int
    rounds: int
    reason: str
    next_at: int
    is_dead: bool
    piece: Piece | None = None


_Line = Begun | Done | HeldPiece
# A line that says an entry is in its log is shorter.
_DONE_LENGTH = 256
_decoder = msgspec.json.Decoder(_Line)


class SeenEvents(Collection[int]):
    """The fingerprints of many events, eight bytes each."""

    def __init__(self, *parts: array[int]) -> None:
        # Each part is in order.
        self._sorted = array("q", (number for number, _ in groupby(merge(*parts))))

    def __contains__(self, fingerprint: object) -> bool:
        assert isinstance(fingerprint, int)
        at = bisect_left(self._sorted, fingerprint)
        return at < len(self._sorted) and self._sorted[at] == fingerprint

    def __iter__(self) -> Iterator[int]:
        return iter(self._sorted)

    def __len__(self) -> int:
        return len(self._sorted)


def joined(flushed: Collection[int], others: Iterable[SeenEvents]) -> Collection[int]:
    """The events that this session or others were flushed with."""
    more = [seen for seen in others if len(seen)]
    if not more:
        return flushed
    return frozenset(flushed).union(*more)


class FlushState(msgspec.Struct):
    """The state that the lines of a ledger add up to; `replaced` are in their log no more."""

    seen: SeenEvents = msgspec.field(default_factory=SeenEvents)
    entries: list[Begun] = []
    replaced: list[Begun] = []
    unwritten: list[Begun] = []
    held: HeldPiece | None = None

    @property
    def last_at(self) -> int | None:
        """When the session was last flushed."""
        return self.entries[-1].at if self.entries else None

    def seen_but(self, entries: Collection[Begun]) -> SeenEvents:
        """The events that other entries than these cover."""
        marks = {entry.mark for entry in entries}
        return SeenEvents(
            *(_unpack_seen(entry.seen) for entry in self.entries if entry.mark not in marks)
        )


class FlushLog:
    """The ledger of one session's flushes; its lock lets one process at a time flush."""

    def __init__(self, path: Path) -> None:
        self._ledger = Ledger(path, "flushes")

    @contextmanager
    def leased(self) -> Iterator[None]:
        """Hold the session; raise StoreBusyError at once if another process does."""
        with self._ledger.locked(seconds=0):
            yield

    def state(self) -> FlushState:
        """How far the session was flushed."""
        return _folded(_decoder.decode(line.data) for line in self._ledger.read().lines)

    def may_be_held(self) -> bool:
        """Whether its last line is anything but the end of a flush, from the last bytes alone."""
        end = self._ledger.end(_DONE_LENGTH)
        return b'"kind":"done"' not in end[end.rstrip(b"\n").rfind(b"\n") + 1 :]

    def add(self, line: _Line) -> None:
        """Append a line durably."""
        self._ledger.append([msgspec.json.encode(line, enc_hook=list)])


def flush_log(places: MemoryPlaces, session_id: str) -> FlushLog:
    """The ledger of a session."""
    return FlushLog(places.flushes / f"{file_name(session_id)}.jsonl")


def flush_logs(places: MemoryPlaces) -> list[FlushLog]:
    """The ledgers of all sessions that were ever flushed."""
    try:
        return [FlushLog(path) for path in sorted(places.flushes.glob("*.jsonl"))]
    except FileNotFoundError:
        return []


def pack_seen(fingerprints: Iterable[int]) -> str:
    """Encode sorted fingerprints as text, eight bytes each."""
    packed = array("q", fingerprints)
    if sys.byteorder == "big":
        packed.byteswap()
    return base64.b64encode(packed.tobytes()).decode()


def _unpack_seen(text: str) -> array[int]:
    packed = array("q")
    packed.frombytes(base64.b64decode(text))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed


def _folded(lines: Iterable[_Line]) -> FlushState:
    state = FlushState()
    fingerprints: list[array[int]] = []
    for line in lines:
        if isinstance(line, Begun):
            fingerprints.append(_unpack_seen(line.seen))
            replaced = frozenset(line.replaces)
            state.replaced += [entry for entry in state.entries if entry.mark in replaced]
            state.entries = [entry for entry in state.entries if entry.mark not in replaced]
            state.entries.append(line)
            state.unwritten.append(line)
            state.held = None
        elif isinstance(line, Done):
            state.unwritten = [entry for entry in state.unwritten if entry.mark != line.mark]
        else:
            piece = line.piece or (state.held.piece if state.held else None)
            state.held = msgspec.structs.replace(line, piece=piece)
    state.seen = SeenEvents(*fingerprints)
    return state
