"""What memory holds, part by part: what cannot be read is told, and hides nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from helix_tui.errors import HelixError, StoreError
from helix_tui.files.regular import read_regular, read_regular_text
from helix_tui.memory.distill.spending import Spending
from helix_tui.memory.flush.agenda import Agenda
from helix_tui.memory.flush.daily import daily_logs
from helix_tui.memory.flush.entry import read_entries
from helix_tui.memory.flush.flush_log import FlushState, flush_log, flush_logs
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.knowledge.article import count_lines
from helix_tui.memory.knowledge.compile import articles, title_of
from helix_tui.memory.notes.file import list_files, notes_of
from helix_tui.memory.places import MemoryPlaces
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

_Found = TypeVar("_Found")
_MOST_OF_A_PAGE = 4 << 20


class _Looked:
    """Looks at one thing after the other, and keeps what went wrong."""

    def __init__(self) -> None:
        self.troubles: list[str] = []

    def at(self, read: Callable[[], _Found]) -> list[_Found]:
        """What is there, as the one item of a list."""
        try:
            return [read()]
        except OSError as error:
            self.troubles.append(f"{error.filename} cannot be read: {error.strerror}.")
        except HelixError as error:
            self.troubles.append(error.what)
        return []

    def all(self, read: Callable[[], Iterable[_Found]]) -> list[_Found]:
        """All that is there."""
        return [one for found in self.at(lambda: list(read())) for one in found]

    def each(self, paths: Iterable[Path], read: Callable[[Path], _Found]) -> list[_Found]:
        """What can be read of each file."""
        return [found for path in paths for found in self.at(lambda path=path: read(path))]  # type: ignore[misc]


def overview_of(places: MemoryPlaces, day: str, token_cap: int) -> MemoryOverview:
    """What there is, and what waits; `day` is today."""
    look = _Looked()
    days = look.all(lambda: daily_logs(places))
    written = look.all(lambda: articles(places))
    logs = look.all(lambda: flush_logs(places))
    states = [state for log in yielding(logs) for state in look.at(log.state)]
    failures = [one for one in map(_failure, states) if one is not None]
    failing = {one.session for one in failures}
    agenda = look.all(lambda: Agenda(places).read().items())
    return MemoryOverview(
        look.each(reversed(days), _daily),
        look.each(written, _article),
        sorted(failures, key=lambda one: -one.at),
        look.all(Spool(places.spool).read),
        next(iter(look.at(lambda: Spending(places).spent(day))), 0),
        token_cap,
        [Waiting(name, at) for name, at in agenda if name not in failing],
        look.troubles,
        look.all(lambda: list_files(places)),
    )


def memory_of(places: MemoryPlaces, session_id: str) -> SessionMemory:
    """What there is of one session."""
    state = flush_log(places, session_id).state()
    entries = reversed(state.entries)
    flushes = [FlushNote(one.at, one.day, one.by, one.is_noop, one.text) for one in entries]
    return SessionMemory(flushes, _failure(state), notes_of(places, session_id))


def read_page(path: Path) -> str:
    """What a file says; the end of one that is very long is left out."""
    try:
        content = read_regular(path, _MOST_OF_A_PAGE + 1)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read: {error.strerror}.", "Look at the file and its folder."
        ) from error
    more = "\n\n…\n" if len(content) > _MOST_OF_A_PAGE else ""
    return content[:_MOST_OF_A_PAGE].decode("utf-8", "replace") + more


def _failure(state: FlushState) -> Failure | None:
    one = state.held
    if one is None:
        return None
    return Failure(one.session, one.reason, one.rounds, one.at, one.next_at, one.is_dead)


def _daily(path: Path) -> DailyLog:
    content = read_regular_text(path, "replace")
    entries = sum(1 for _ in read_entries(content))
    return DailyLog(path.stem, str(path), entries, path.stat().st_size)


def _article(path: Path) -> Article:
    text = read_regular_text(path, "replace")
    return Article(title_of(text, path), str(path), count_lines(text))
