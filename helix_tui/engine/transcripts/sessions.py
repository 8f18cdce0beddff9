"""What is asked of sessions: which there are, what they came to and cost, what they say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from helix_tui.engine.open_store import OpenStore
from helix_tui.errors import NotFoundError, StoreError
from helix_tui.retain.plan import GROWING_MS
from helix_tui.schema import (
    Digest,
    SearchResult,
    Session,
    SessionEvent,
    SessionFilter,
    UsageFilter,
    UsageRow,
)
from helix_tui.store.digests.folds import folds_of, is_exact
from helix_tui.store.packs.packs import PackDamagedError
from helix_tui.store.read.active import sessions_active_within
from helix_tui.store.user_lists import pinned_sessions

# Jobs load what only they need: a sweep that finds nothing new is mostly start-up.
if TYPE_CHECKING:
    from helix_tui.engine.context.session_exposure import SessionExposure
    from helix_tui.engine.transcripts.recall import Recalled
    from helix_tui.engine.transcripts.transcript import Reading
    from helix_tui.store.packs.transcript import Transcript, TranscriptStream

_TRIES = 5


class Sessions(OpenStore):
    """Sessions of one store, their digests, transcripts and costs."""

    def sessions(self, wanted: SessionFilter) -> list[Session]:
        """List sessions, the latest first."""
        from helix_tui.store.read.sessions import list_sessions

        with self._reading() as database:
            pinned = pinned_sessions(self._layout)
            return list_sessions(database, self._prices, wanted, pinned)

    def count_sessions(self, wanted: SessionFilter) -> int:
        """Count all sessions of a filter, whether listed or not."""
        from helix_tui.store.read.sessions import count_sessions

        with self._reading() as database:
            return count_sessions(database, wanted)

    def session(self, name: str) -> Session:
        """Return the session with an id or native id, or with the beginning of either."""
        from helix_tui.store.read.sessions import find_sessions

        with self._reading() as database:
            pinned = pinned_sessions(self._layout)
            matches = find_sessions(database, self._prices, name, pinned) if name else []
        if not matches:
            raise NotFoundError(f"There is no session {name!r}.", "`helix sessions` lists them.")
        if len(matches) > 1:
            names = ", ".join(session.id for session in matches)
            raise NotFoundError(f"{name} fits more than one session: {names}.", "Say more of it.")
        return matches[0]

    def running(self, now_ms: int) -> list[str]:
        """List the sessions with an event within the last hour."""
        with self._reading() as database:
            return sessions_active_within(database, now_ms - GROWING_MS + 1, now_ms + GROWING_MS)

    def known_names(self) -> tuple[list[str], list[str]]:
        """List the agents and the repositories that sessions are of."""
        from helix_tui.store.read.names import agent_names, repo_names

        with self._reading() as database:
            return agent_names(database), repo_names(database)

    def digest(self, session: Session) -> Digest | None:
        """Return the digest of a session; None where there is none yet."""
        if not session.is_analyzed:
            return None
        from helix_tui.store.packs.transcript import session_key

        with self._reading() as database:
            key = session_key(database, session.id)
            folds = folds_of(database.connection(), key)
            if not folds:
                return None
            from helix_tui.engine.sweep.analysis import digest_of_stored

            digest = digest_of_stored(folds.values(), is_exact=is_exact(database, key))
        if self.config.detect.reader == "rules":
            return digest
        from helix_tui.digest.reader.labelled import labelled
        from helix_tui.engine.reader.label_book import labels_of

        return labelled(digest, labels_of(self.config))

    def exposure(self, session: Session) -> SessionExposure:
        """Return what a session was told, and the records that prove it."""
        from helix_tui.engine.context.session_exposure import session_exposure

        with self._reading() as database:
            return session_exposure(database, session.id)

    def search(self, query: str, wanted: SessionFilter, limit: int) -> SearchResult:
        """Find sessions by what was asked, said, run and failed in them, the best first."""
        from helix_tui.engine.search import search

        with self._reading() as database:
            return search(database, query, wanted, limit)

    def usage(self, by: str, wanted: UsageFilter | None = None) -> tuple[list[UsageRow], UsageRow]:
        """Sum tokens and cost by time, repo, model, flavor or session, with their total."""
        from helix_tui.store.read.costs import usage_by

        with self._reading() as database:
            return usage_by(database, self._prices, by, wanted or UsageFilter())

    def open_transcript(self, name: str) -> Reading:
        """Open a session's transcript, to be read in any order, a few events at a time."""
        from helix_tui.engine.transcripts.transcript import Reading
        from helix_tui.store.ingest.usage import fresh_tokens
        from helix_tui.store.packs.transcript import Transcript

        def tokens(keys: list[str]) -> dict[str, int]:
            with self._reading() as database:
                return fresh_tokens(database.connection(), keys)

        session, stored, recalled = self._look(self.session(name), Transcript)
        assert isinstance(stored, Transcript)
        return Reading(session, stored, recalled, tokens)

    def transcript(self, session: Session) -> tuple[Session, Recalled, Iterator[SessionEvent]]:
        """Return a session as it is now, its events recalled from the agent's log, and all events.

        If events are evicted meanwhile, it is read again.
        """
        from helix_tui.store.packs.transcript import TranscriptStream

        current, events, recalled = self._look(session, TranscriptStream)
        return current, recalled, self._shown(current, events, recalled)

    def session_events(self, session: Session) -> Iterator[SessionEvent]:
        """Yield a session's events in order, from the store and, where evicted, from the log."""
        return self.transcript(session)[2]

    def _look(
        self, session: Session, kind: type[Transcript | TranscriptStream]
    ) -> tuple[Session, Transcript | TranscriptStream, Recalled]:
        """Open a session's stored events; with recalled ones it is always a `Transcript`."""
        from helix_tui.engine.transcripts.recall import Recalled, recall
        from helix_tui.store.packs.transcript import Transcript, session_key

        for _ in range(_TRIES):
            with self._reading() as database:
                key = session_key(database, session.id)
                damage: PackDamagedError | None = None
                try:
                    stored = kind(database, self._layout, key)
                except PackDamagedError as error:
                    damage = error
                else:
                    missing = session.events - stored.stored_count
                    recalled = recall(database, key, session.id) if missing else Recalled([], 0)
                    if recalled.events and not isinstance(stored, Transcript):
                        stored.close()
                        stored = Transcript(database, self._layout, key)
            current = self.session(session.id)
            if current.events == session.events and current.raw == session.raw:
                if damage is None:
                    return current, stored, recalled
                raise StoreError(
                    f"The transcript of {session.id} is damaged: {damage}.",
                    "Run `helix doctor` to see what else is.",
                ) from damage
            session = current
        raise StoreError(f"{session.id} is changing too quickly to be shown.", "Try again.")

    def _shown(
        self, session: Session, stored: Transcript | TranscriptStream, recalled: Recalled
    ) -> Iterator[SessionEvent]:
        from helix_tui.engine.transcripts.transcript import event_of
        from helix_tui.store.packs.transcript import Transcript, with_tools

        with closing(stored):
            if isinstance(stored, Transcript):
                events = stored.events(recalled.events)
            else:
                events = stored.events()
            for seq, event, tool in with_tools(events):
                yield event_of(session, seq, event, tool)
