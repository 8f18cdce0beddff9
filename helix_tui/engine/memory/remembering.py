"""What is asked of memory: to flush sessions into it, to find in it, to bring it back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from helix_tui.engine.transcripts.sessions import Sessions
from helix_tui.schema import SessionFilter

# Jobs load what only they need: a sweep that finds nothing new is mostly start-up.
if TYPE_CHECKING:
    from helix_tui.engine.memory.checking import CheckedEntry
    from helix_tui.engine.memory.flushing import Memory
    from helix_tui.engine.memory.notes import Notes
    from helix_tui.engine.memory.places_of_repos import RepoPlace
    from helix_tui.engine.memory.recall import Recall
    from helix_tui.engine.memory.searching import MemoryHit
    from helix_tui.schema.memory import Flushed
    from helix_tui.schema.recall import Seen


def never() -> bool:
    """Answer whether a job is cancelled, where nobody can cancel it."""
    return False


class Remembering(Sessions):
    """Sessions of one store, and what is remembered of them."""

    @cached_property
    def memory(self) -> Memory:
        """Memory: daily logs, the knowledge base, and what hooks asked for."""
        from helix_tui.engine.memory.flushing import Memory

        return Memory(self.config, self._reading, self.session)

    @cached_property
    def recall(self) -> Recall:
        """What earlier sessions taught."""
        from helix_tui.engine.memory.recall import Recall

        return Recall(self.config, self._reading)

    def notes(self, now_ms: int | None = None) -> Notes:
        """Return the notes of sessions, as of now."""
        from helix_tui.engine.memory.notes import Notes

        return Notes(self, self._reading, int(time.time() * 1000) if now_ms is None else now_ms)

    def flush(self, name: str, cancelled: Callable[[], bool] = never) -> Flushed:
        """Flush what is new of a session into the daily log, and compile if that is due."""
        flushed = self.memory.flush(self.session(name), cancelled=cancelled)
        self.memory.compile_if_due()
        self.prepare_recall()
        return flushed

    def flush_since(
        self, since_ts: int | None, cancelled: Callable[[], bool] = never
    ) -> tuple[int, Iterator[Flushed]]:
        """Flush all sessions since a moment, or ever; return how many at most, and each outcome."""
        sessions = [
            one for one in self.sessions(SessionFilter(since_ts=since_ts)) if not one.parent
        ]

        def flushes() -> Iterator[Flushed]:
            yield from self.memory.flush_each(sessions, cancelled)
            self.memory.compile_if_due()

        return len(sessions), flushes()

    def prepare_recall(self, *, is_all: bool = False) -> list[str]:
        """Make ready what hooks hand out, where somebody asked for that; return messages."""
        if not (self.config.store / "memory" / "recall").is_dir():
            return []
        from helix_tui.engine.memory.preparing import prepare

        return prepare(self.config, self.recall, is_all=is_all)

    def checked_memory(self, day: str = "") -> Iterator[CheckedEntry]:
        """Hold what models wrote into memory against what their sessions said."""
        from helix_tui.engine.memory.checking import checked_entries

        return checked_entries(self.memory.places, self._reading, day)

    def search_memory(
        self, query: str, repo: str | None, since_day: str, limit: int
    ) -> tuple[list[MemoryHit], int, list[str]]:
        """Find words in what is remembered; how many places there are, and what is unreadable."""
        from helix_tui.engine.memory.searching import search_memory

        return search_memory(self.memory.places, query, repo, since_day, limit)

    def seen_before(self, message: str, repo: str) -> Seen | None:
        """What is known of the error that a message is; None where it was never seen."""
        from helix_tui.engine.memory.seen_before import seen_before

        with self._reading() as database:
            return seen_before(database, self.recall, message, repo)

    def place_of(self, folder: Path) -> RepoPlace | None:
        """The repository around a folder, if sessions ran there."""
        from helix_tui.engine.memory.places_of_repos import place_of

        place = place_of(str(folder))
        return place if place is not None and place in self.recall.roots().places() else None
