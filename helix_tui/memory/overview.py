"""List what memory holds; what cannot be read is reported and hides nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from helix_tui.errors import HelixError, StoreError
from helix_tui.files.regular import read_regular, read_regular_text
from helix_tui.memory.flush.agenda import Agenda
from helix_tui.memory.flush.daily import daily_logs
from helix_tui.memory.flush.entry import read_entries
from helix_tui.memory.flush.flush_log import FlushState, flush_log, flush_logs
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.knowledge.article import count_lines
from helix_tui.memory.knowledge.compile import articles, title_of
from helix_tui.memory.notes.file import list_files, notes_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.model.spending import Spending
from helix_tui.schema.memory import (
    Article,
    DailyLog,
    Failure,
    FlushNote,
    MemoryOverview,
    SessionMemory,
    Waiting,
)
from helix_tui.yielding import yielding

T = TypeVar("T")
_MOST_OF_A_PAGE = 4 << 20


class _LenientReader:
    """Read one thing after the other, and collect what went wrong."""

    def __init__(self) -> None:
        self.troubles: list[str] = []

    def at(self, read: Callable[[], T]) -> list[T]:
        """The result as the one item of a list, which is empty if reading failed."""
        try:
            return [read()]
        except OSError as error:
            self.troubles.append(f"{error.filename} cannot be read: {error.strerror}.")
        except HelixError as error:
            self.troubles.append(error.what)
        return []

    def all(self, read: Callable[[], Iterable[T]]) -> list[T]:
        """All items of a result."""
        return [item for items in self.at(lambda: list(read())) for item in items]

    def each(self, paths: Iterable[Path], read: Callable[[Path], T]) -> list[T]:
        """The results for each file that can be read."""
        return [item for path in paths for item in self.at(lambda path=path: read(path))]  # type: ignore[misc]


def overview_of(
    places: MemoryPlaces, day: str, token_cap: int, spent: Path | None = None
) -> MemoryOverview:
    """Everything in memory, and what waits; `day` is today.

    `spent` is the file of the tokens that are capped, where it is not that of a program.
    """
    reader = _LenientReader()
    days = reader.all(lambda: daily_logs(places))
    article_paths = reader.all(lambda: articles(places))
    logs = reader.all(lambda: flush_logs(places))
    states = [state for log in yielding(logs) for state in reader.at(log.state)]
    failures = [failure for failure in map(_failure, states) if failure is not None]
    failing = {failure.session for failure in failures}
    agenda = reader.all(lambda: Agenda(places).read().items())
    return MemoryOverview(
        reader.each(reversed(days), _daily),
        reader.each(article_paths, _article),
        sorted(failures, key=lambda failure: -failure.at),
        reader.all(Spool(places.spool).read),
        next(iter(reader.at(lambda: Spending(spent or places.spent).spent(day))), 0),
        token_cap,
        [Waiting(name, at) for name, at in agenda if name not in failing],
        reader.troubles,
        reader.all(lambda: list_files(places)),
    )


def memory_of(places: MemoryPlaces, session_id: str) -> SessionMemory:
    """What memory has of one session."""
    state = flush_log(places, session_id).state()
    entries = reversed(state.entries)
    flushes = [
        FlushNote(entry.at, entry.day, entry.by, entry.is_noop, entry.text) for entry in entries
    ]
    return SessionMemory(flushes, _failure(state), notes_of(places, session_id))


def read_page(path: Path) -> str:
    """The content of a page, without the end of a very long one."""
    try:
        content = read_regular(path, _MOST_OF_A_PAGE + 1)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read: {error.strerror}.", "Look at the file and its folder."
        ) from error
    more = "\n\n…\n" if len(content) > _MOST_OF_A_PAGE else ""
    return content[:_MOST_OF_A_PAGE].decode("utf-8", "replace") + more


def _failure(state: FlushState) -> Failure | None:
    piece = state.held
    if piece is None:
        return None
    return Failure(
        piece.session, piece.reason, piece.rounds, piece.at, piece.next_at, piece.is_dead
    )


def _daily(path: Path) -> DailyLog:
    content = read_regular_text(path, "replace")
    entries = sum(1 for _ in read_entries(content))
    return DailyLog(path.stem, str(path), entries, path.stat().st_size)


def _article(path: Path) -> Article:
    text = read_regular_text(path, "replace")
    return Article(title_of(text, path), str(path), count_lines(text))
