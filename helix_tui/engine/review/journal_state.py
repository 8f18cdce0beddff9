"""The journal's lines with what follows from them, kept from one transaction to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xxhash import xxh3_128_digest

from helix_tui.curate.journal.journal import Journal, JournalRead, lines_of
from helix_tui.curate.journal.projection import Projection
from helix_tui.curate.journal.standings import ReviewState
from helix_tui.schema.review import JournalLine

# A larger journal is read anew each time: what is kept stays in memory as long as Helix runs.
_LARGEST_KEPT = 16 << 20


class _Mark(NamedTuple):
    """What tells that a file still begins with what was read, and how many lines that were."""

    size: int
    digest: bytes
    lines: int


class JournalState:
    """Lines in order, how everything stands by them, and the files that they make."""

    def __init__(self, read: JournalRead) -> None:
        self.lines = read.lines
        self.damaged = read.damaged
        self.state = ReviewState(self.lines)
        self.projection = Projection(self.lines)
        self._mark: _Mark | None = None

    def take_in(self, lines: Sequence[JournalLine]) -> None:
        """Bring all of it up to further lines."""
        self.lines += lines
        for line in lines:
            self.state.apply(line)
        self.projection.add(lines)

    def mark(self, content: bytes) -> None:
        """Note that the lines are those of these bytes, so that a longer file can go on here."""
        self._mark = _Mark(len(content), xxh3_128_digest(content), len(self.lines))

    @property
    def is_marked(self) -> bool:
        """Whether a longer file can go on here."""
        return self._mark is not None

    def goes_on(self, content: bytes) -> bool:
        """Take in what a file holds behind the lines that are known; False where it is another."""
        mark = self._mark
        if mark is None or len(content) < mark.size:
            return False
        if xxh3_128_digest(memoryview(content)[: mark.size]) != mark.digest:
            return False
        behind = lines_of(content[mark.size :])
        own = self.lines[mark.lines :]
        if not _is_plain(behind) or behind.lines[: len(own)] != own:
            return False
        self.take_in(behind.lines[len(own) :])
        return True


class KeptJournal:
    """Where a transaction leaves what it knows of the journal, for the next one."""

    def __init__(self) -> None:
        self._state: JournalState | None = None

    def take(self, journal: Journal) -> JournalState:
        """The state of a journal that is locked: the one that was left here, or a new one."""
        content = journal.content()
        state, self._state = self._state, None
        is_kept = len(content) <= _LARGEST_KEPT
        if state is None or not is_kept or not state.goes_on(content):
            read = lines_of(content)
            state = JournalState(read)
            is_kept = is_kept and _is_plain(read)
        if is_kept and (not content or content.endswith(b"\n")):
            state.mark(content)
        return state

    def leave(self, state: JournalState) -> None:
        """Keep what a transaction that came to its end knows."""
        self._state = state if state.is_marked else None


def _is_plain(read: JournalRead) -> bool:
    """Whether all lines could be read, and stand in the order in which they count."""
    return not (read.damaged or read.unknown or any(line.before for line in read.lines))
