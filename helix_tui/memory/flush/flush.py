"""A flush: what is new of a session goes to the daily log exactly once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from helix_tui.errors import InterruptedJobError, StoreBusyError
from helix_tui.memory.distill.distill import CappedError, Distillation, Distiller
from helix_tui.memory.flush.daily import add_entry, content_of, daily_path, has_entry
from helix_tui.memory.flush.entry import write_entry
from helix_tui.memory.flush.flush_log import (
    Begun,
    Done,
    FlushLog,
    FlushState,
    HeldPiece,
    flush_log,
    pack_seen,
)
from helix_tui.memory.places import MemoryPlaces
from helix_tui.program import ProgramError
from helix_tui.schema.memory import FlushAction, Flushed, MemorySettings, Piece
from helix_tui.text.safe import safe_line

# A distiller that failed is tried again later; after this many failed rounds the piece waits for
# a person.
ROUNDS = 3
_FIRST_PAUSE = timedelta(minutes=10)
_REASON_LENGTH = 300
# Earlier times are those of a clock that was never set.
_EARLIEST_MS = 946_684_800_000
# Actions after which a piece is in the daily log.
_KEPT = ("written", "noop", "fell_back")

# The piece of a session outside of these events; None where there is none.
Gather = Callable[[Collection[int]], Piece | None]


class Flusher:
    """Flush sessions into the daily logs of one store."""

    def __init__(
        self,
        places: MemoryPlaces,
        settings: MemorySettings,
        distiller: Distiller,
        now: Callable[[], datetime],
    ) -> None:
        self._places = places
        self._settings = settings
        self._distiller = distiller
        self._now = now

    def flush(self, session_id: str, gather: Gather, *, is_asked_for: bool) -> Flushed:
        """Flush one session; on a person's request it does not wait out an earlier failure."""
        log = flush_log(self._places, session_id)
        try:
            with log.leased():
                return self._flush(session_id, log, gather, is_asked_for)
        except StoreBusyError as busy:
            return self._outcome(session_id, "busy", busy.what)
        except InterruptedJobError as stopped:
            return self._outcome(session_id, "busy", stopped.what)

    def _outcome(self, session_id: str, action: FlushAction, reason: str = "") -> Flushed:
        """The result of a flush that wrote nothing."""
        return Flushed(session_id, action, reason=reason, by=self._settings.distiller)

    def _flush(self, session_id: str, log: FlushLog, gather: Gather, is_asked_for: bool) -> Flushed:
        state = log.state()
        for begun in state.unwritten:
            self._write(log, begun, state)
        outcome = self._outcome(session_id, "nothing_new")
        held_piece = state.held
        if held_piece is not None and held_piece.piece is not None:
            if not is_asked_for and (held_piece.is_dead or _ms(self._now()) < held_piece.next_at):
                return self._outcome(session_id, "failed", held_piece.reason)
            outcome = self._distill(log, held_piece.piece, held_piece.rounds)
            if outcome.action not in _KEPT:
                return outcome
            state = log.state()
        piece = gather(state.seen)
        if piece is None:
            return outcome
        if held_piece is None and (reason := self._too_soon(state)):
            return self._outcome(session_id, "busy", reason)
        whole, replaced = self._of_the_day(state, gather, piece)
        return self._distill(log, whole, 0, replaced)

    def _of_the_day(
        self, state: FlushState, gather: Gather, piece: Piece
    ) -> tuple[Piece, Sequence[Begun]]:
        """The piece with what the session did before on its day, and the entries that say that.

        What a person changed stays as it is, and so does what a model was paid for, or of which the
        events are gone.
        """
        if self._settings.distiller != "extractive":
            return piece, ()
        day = f"{_happened(piece, self._now()):%Y-%m-%d}"
        content = content_of(self._places, day)
        earlier = [
            one
            for one in state.entries
            if one.day == day and one.by == "extractive" and has_entry(content, one.text)
        ]
        whole = gather(state.seen_but(earlier)) if earlier else None
        if whole is None or whole.evicted:
            return piece, ()
        return whole, earlier

    def _too_soon(self, state: FlushState) -> str:
        """Why a session that was flushed a moment ago is not flushed again yet; else empty."""
        window = self._settings.repeat_window_seconds
        if state.last_at is None:
            return ""
        # A clock that was set back must not hold anything up.
        passed = (_ms(self._now()) - state.last_at) / 1000
        return f"it was flushed {passed:.0f} s ago" if 0 <= passed < window else ""

    def _distill(
        self, log: FlushLog, piece: Piece, rounds: int, replaced: Sequence[Begun] = ()
    ) -> Flushed:
        now = self._now()
        try:
            distillation = self._distiller(piece, f"{now:%Y-%m-%d}")
        except CappedError:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time())
            reason = f"the day's cap of {self._settings.daily_token_cap:,} tokens is reached"
            self._hold(log, piece, rounds, reason, tomorrow.astimezone())
            return self._outcome(piece.session, "capped", reason)
        except ProgramError as error:
            reason = safe_line(error.what, _REASON_LENGTH)
            again = self._now() + _FIRST_PAUSE * 6**rounds
            self._hold(log, piece, rounds + 1, reason, again)
            return self._outcome(piece.session, "failed", reason)
        if distillation.distilled is None and not all(one.is_noop for one in replaced):
            replaced = ()  # what was worth keeping before stays
        return self._keep(log, piece, distillation, replaced)

    def _hold(self, log: FlushLog, piece: Piece, rounds: int, reason: str, again: datetime) -> None:
        earlier = log.state().held
        is_known = earlier is not None and earlier.piece == piece
        log.add(
            HeldPiece(
                piece.session,
                _ms(self._now()),
                rounds,
                reason,
                _ms(again),
                rounds >= ROUNDS,
                None if is_known else piece,
            )
        )

    def _keep(
        self,
        log: FlushLog,
        piece: Piece,
        distillation: Distillation,
        replaced: Sequence[Begun],
    ) -> Flushed:
        # Distilling may have taken until tomorrow.
        now = self._now()
        mark = uuid4().hex[:16]
        happened = _happened(piece, now)
        begun = Begun(
            mark,
            piece.session,
            _ms(now),
            f"{happened:%Y-%m-%d}",
            write_entry(piece, distillation.distilled, happened, mark),
            pack_seen(piece.fingerprints),
            distillation.by,
            distillation.distilled is None,
            [one.mark for one in replaced],
        )
        log.add(begun)
        self._write(log, begun, log.state())
        action: FlushAction = "noop" if begun.is_noop else "written"
        if distillation.fell_back:
            action = "fell_back"
        return Flushed(
            piece.session,
            action,
            str(daily_path(self._places, begun.day)),
            safe_line(distillation.fell_back, _REASON_LENGTH),
            distillation.by,
            distillation.tokens,
            distillation.is_model_out,
        )

    def _write(self, log: FlushLog, begun: Begun, state: FlushState) -> None:
        """Add an entry to its daily log and record that; also finishes an interrupted one."""
        replaced = [one.text for one in state.replaced if one.mark in begun.replaces]
        add_entry(self._places, begun.day, begun.mark, begun.text, replaced)
        log.add(Done(begun.mark))


def _happened(piece: Piece, now: datetime) -> datetime:
    """When the last of a piece happened, local time; a clock that was ahead counts as now."""
    if piece.last_ts is None or not _EARLIEST_MS <= piece.last_ts <= _ms(now):
        return now
    return datetime.fromtimestamp(piece.last_ts / 1000).astimezone()


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
