"""Ask the model about turns that nobody asked it about, the latest sessions first."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from filelock import FileLock, Timeout

from helix_tui.config import Config
from helix_tui.digest.reader.answer import fits, label_of
from helix_tui.digest.reader.question import question_of
from helix_tui.engine.candidates.grouping import group_changes
from helix_tui.engine.model import configured_model
from helix_tui.engine.reader.label_book import (
    LabelBook,
    LabelLine,
    book_of,
    labels_in,
    settled_in,
)
from helix_tui.engine.sweep.analysis import digest_of_stored
from helix_tui.errors import HelixError, InterruptedJobError, StoreBusyError
from helix_tui.files.durable import FILE_MODE, make_folder, told
from helix_tui.files.numbers import Numbers
from helix_tui.model.ask import Model
from helix_tui.model.failure import OF_THE_QUESTION, ModelError
from helix_tui.retain.plan import GROWING_MS
from helix_tui.schema import TurnFact
from helix_tui.schema.digest import TurnLabel
from helix_tui.store.database import reading, writing
from helix_tui.store.digests.folds import folds_of
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.read.unread import CountedSession, counted_sessions

log = logging.getLogger(__name__)
# How long a sweep spends on it; the next one continues.
BUDGET_SECONDS = 60.0
# So many failures in a row, and the rest waits for the next sweep.
_MOST_FAILURES = 3
# The topics given most often go along with each question.
_MOST_TOPICS = 40


class TurnsRead(NamedTuple):
    """What reading came to: questions, labels, and why it ended early, if it did."""

    asked: int
    labelled: int
    problem: str = ""


def read_after_sweep(config: Config, cancelled: Callable[[], bool]) -> list[str]:
    """Read turns after a sweep and group what that changes; return messages for a person."""
    try:
        done = TurnReader(config, cancelled).read(BUDGET_SECONDS)
        if done.labelled:
            _regroup(config)
    except HelixError as error:
        log.warning("turns were not read by the model: %s", error)
        return [f"Turns were not read by the model: {error}"]
    log.info("turns: asked about %d, %d labelled %s", done.asked, done.labelled, done.problem)
    return [f"Not all turns were read by the model: {done.problem}"] if done.problem else []


def _regroup(config: Config) -> None:
    layout = StoreLayout(config.store)
    try:
        with writer_lock(layout), writing(layout) as database:
            group_changes(config, database)
    except StoreBusyError as busy:
        log.info("labels are grouped by the next sweep: %s", busy)


class TurnReader:
    """One pass over the sessions that have turns without an answer."""

    def __init__(
        self,
        config: Config,
        cancelled: Callable[[], bool] = bool,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._config = config
        self._cancelled = cancelled
        self._now = now
        self._layout = StoreLayout(config.store.absolute())
        self._book: LabelBook = book_of(config)
        self._read = Numbers(self._layout.read_sessions)
        self._asked = self._labelled = self._failures = 0

    def read(self, seconds: float) -> TurnsRead:
        """Ask while there is time, unless somebody else does; every answer is kept as it comes."""
        with told(self._layout.labels):
            make_folder(self._layout.labels.parent)
        lock = FileLock(self._layout.labels.with_name("reading.lock"), mode=FILE_MODE)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return TurnsRead(0, 0)
        try:
            return self._read_all(time.monotonic() + seconds)
        finally:
            lock.release()

    def _read_all(self, deadline: float) -> TurnsRead:
        lines = self._book.lines()
        self._labels, self._settled = labels_in(lines), settled_in(lines)
        topics = (label.topic for label in self._labels.values())
        self._topics = Counter(topic for topic in topics if topic)
        self._noted = {(line.session, line.fingerprint) for line in lines}
        problem = ""
        complete: dict[str, int] = {}
        try:
            with configured_model(self._config, self._cancelled) as model:
                for session in self._sessions():
                    if self._is_over(deadline):
                        break
                    if self._read_session(session, model, deadline):
                        complete[session.id] = session.events
        except ModelError as error:
            problem = str(error)
        except InterruptedJobError:
            log.info("reading turns was stopped")
        finally:
            if complete:
                with self._read.changing() as done:
                    done.update(complete)
        return TurnsRead(self._asked, self._labelled, problem)

    def _is_over(self, deadline: float) -> bool:
        return self._cancelled() or time.monotonic() >= deadline

    def _sessions(self) -> Iterator[CountedSession]:
        """The sessions in which something came since all their turns were read."""
        done = self._read.read()
        with reading(self._layout) as database:
            sessions = [] if database is None else counted_sessions(database.connection())
        return (session for session in sessions if done.get(session.id) != session.events)

    def _turns(self, session: CountedSession) -> list[TurnFact]:
        """The turns of a session; nothing is held open while the model is asked."""
        with reading(self._layout) as database:
            folds = {} if database is None else folds_of(database.connection(), session.key)
        return digest_of_stored(folds.values()).facts.turns if folds else []

    def _read_session(self, session: CountedSession, model: Model, deadline: float) -> bool:
        """Ask about a session's turns; return whether none is left."""
        turns = self._turns(session)
        is_growing = session.last_ts > self._now_ms() - GROWING_MS
        is_complete = True
        for at, turn in enumerate(turns):
            # What the agent does after a turn is part of the question.
            if self._is_over(deadline) or (is_growing and at == len(turns) - 1):
                return False
            if turn.text.strip() and not self._is_settled(session, turn):
                is_complete &= self._ask(session, turns, at, model)
        return is_complete

    def _is_settled(self, session: CountedSession, turn: TurnFact) -> bool:
        """Whether a turn has its answer; one that a copy of it got is noted for this session."""
        if turn.fingerprint not in self._settled:
            return False
        label = self._labels.get(turn.fingerprint)
        if label is not None and (session.id, turn.fingerprint) not in self._noted:
            self._note(session, turn, label=label)
            self._labelled += 1
        return True

    def _ask(self, session: CountedSession, turns: list[TurnFact], at: int, model: Model) -> bool:
        """Ask about one turn; return whether that settles it."""
        turn = turns[at]
        self._asked += 1
        try:
            topics = [topic for topic, _ in self._topics.most_common(_MOST_TOPICS)]
            question = question_of(turns, at, sorted(topics))
            answer = model.ask(question, fits, f"{self._now():%Y-%m-%d}")
            label = label_of(answer.value, model.name)
        except ModelError as error:
            if error.kind in ("setup", "limited"):
                raise
            return self._fail(session, turn, error)
        self._failures = 0
        self._note(session, turn, label=label)
        self._labels[turn.fingerprint] = label
        self._topics.update([label.topic] if label.topic else [])
        self._settled.add(turn.fingerprint)
        self._labelled += 1
        return True

    def _fail(self, session: CountedSession, turn: TurnFact, error: ModelError) -> bool:
        """Leave a turn to the rules, for good where the model would answer alike."""
        self._note(session, turn, failed=error)
        if error.kind in OF_THE_QUESTION:
            self._settled.add(turn.fingerprint)
            return True
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            raise error
        return False

    def _note(
        self,
        session: CountedSession,
        turn: TurnFact,
        label: TurnLabel | None = None,
        failed: ModelError | None = None,
    ) -> None:
        kind = failed.kind if failed is not None else None
        self._book.add(LabelLine(session.id, turn.fingerprint, self._now_ms(), label, kind))
        self._noted.add((session.id, turn.fingerprint))

    def _now_ms(self) -> int:
        return int(self._now().timestamp() * 1000)
