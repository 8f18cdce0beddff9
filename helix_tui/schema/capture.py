"""What capture hands to the store: tasks, batches, cursors and patches of sessions."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from helix_tui.schema.event import EventRow
from helix_tui.schema.spend import RECORDED, step_of


class UsageClaim(msgspec.Struct, array_like=True, gc=False):
    """The usage of a message by one session's records; each field is a maximum.

    `cost_ticks` is the cost that the agent recorded, in 1e-10 USD; `cache_write_1h` is a part of
    `cache_write`; `requests` is how many requests the figures sum up.
    """

    key: str
    ts: int | None
    model: str | None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost_ticks: int | None = None
    cache_write_1h: int = 0
    requests: int = 1

    def raise_to(self, other: UsageClaim) -> None:
        """Raise each token field to the maximum, and keep the earliest time with its model."""
        self.input = max(self.input, other.input)
        self.output = max(self.output, other.output)
        self.cache_read = max(self.cache_read, other.cache_read)
        self.cache_write = max(self.cache_write, other.cache_write)
        self.reasoning = max(self.reasoning, other.reasoning)
        self.cache_write_1h = max(self.cache_write_1h, other.cache_write_1h)
        self.requests = max(self.requests, other.requests)
        if other.cost_ticks is not None:
            self.cost_ticks = max(other.cost_ticks, self.cost_ticks or 0)
        if other.ts is not None and (
            self.ts is None or (other.ts, other.model or "") < (self.ts, self.model or "")
        ):
            self.ts, self.model = other.ts, other.model

    def tokens(self) -> tuple[int, int, int, int, int]:
        """Return the token fields, in the order in which totals are kept."""
        return self.input, self.output, self.cache_read, self.cache_write, self.reasoning

    def step(self) -> int:
        """Return the step whose sums it belongs to: recorded, or by the size of its prompt."""
        if self.cost_ticks is not None:
            return RECORDED
        return step_of((self.input + self.cache_read + self.cache_write) // max(self.requests, 1))


class Dated(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A value with the time of the record that said it."""

    ts: int
    value: str


class Instructed(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Instructions that a log records its agent was given; hash 0 where it says there were none.

    `hash` and `size`, in bytes, are those of the text as the log has it; `text` is redacted and
    compressed. `cut` is the byte at which the agent cut it, `source` the record that has it.
    """

    hash: int
    source: str
    ts: int | None
    size: int = 0
    cut: int | None = None
    text: bytes = b""


class Frame(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A run of events, compressed for a pack, with the rows that will point into it."""

    payload: bytes
    size: int
    checksum: int
    rows: list[EventRow]


class Folded(NamedTuple):
    """A fold after some events, and their searchable texts; both packed."""

    state: bytes
    texts: bytes


NOT_FOLDED = Folded(b"", b"")


class SessionPatch(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What one read of a unit adds to one session.

    `fold` is the state of the part's fold after these events; empty if folding failed. `texts` are
    the searchable texts of these events alone.
    """

    id: str
    flavor: str
    native_id: str
    parent: str | None
    first_ts: int | None
    last_ts: int | None
    cwd: Dated | None
    branch: Dated | None
    model: Dated | None
    frame: Frame | None
    usage: list[UsageClaim]
    fold: bytes
    texts: bytes = b""
    # The git remote that the log recorded for the folder.
    remote: str = ""
    instructions: list[Instructed] = []
    # The agent's own version, where its log records it.
    agent_version: Dated | None = None


class Problem(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Something in the agents' logs that could not be read, and where."""

    path: str
    offset: int | None
    reason: str


class FileStamp(NamedTuple):
    """What shows, without opening a file, that it has not changed."""

    device: int
    inode: int
    size: int
    mtime_ns: int


class FolderMark(NamedTuple):
    """A folder whose parts are all captured, with a digest of its listing.

    Parts that are a unit of their own are counted; the units of other parts are named.
    """

    digest: int
    own_units: int
    shared_units: list[str]


class Cursor(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """How far a part was read, with hashes that reveal a rewritten file."""

    stamp: FileStamp | None
    offset: int
    head_length: int
    head_hash: int
    tail_hash: int


class PartTask(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One part of a unit that has something new, or is needed to understand one that has.

    `folds` are the folds so far, by session; `is_moved` says that the part had another path before.
    """

    name: str
    path: str
    is_document: bool
    stamp: FileStamp
    cursor: Cursor | None
    folds: dict[str, bytes]
    is_moved: bool = False


class UnitTask(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A unit to read: its changed parts and the adapter's memory of earlier reads.

    `exclude` are the globs of projects that stay out, for units that name theirs only inside.
    """

    flavor: str
    unit: str
    parts: list[PartTask]
    state: bytes
    exclude: tuple[str, ...] = ()
    # Files of further rows for the table of runners.
    runners: tuple[str, ...] = ()


class UnitBatch(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A stretch of a unit that is committed at once: sessions, cursor and state together."""

    flavor: str
    unit: str
    part: str
    path: str
    cursor: Cursor | None
    is_reread: bool
    is_last: bool
    bytes_read: int
    state: bytes
    problems: list[Problem]
    patches: list[SessionPatch]
    is_document: bool = False
    read_seconds: float = 0.0
    digest_seconds: float = 0.0
