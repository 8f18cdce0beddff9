"""Send what is queued: in order, effectively once, and within a time budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from msgspec.structs import replace

from helix_tui.curate.hub.decisions import outward_body
from helix_tui.curate.hub.hub import Failed, Hub, Sent
from helix_tui.curate.hub.queue import Queue, QueueRow
from helix_tui.errors import InterruptedJobError, StoreBusyError, StoreError
from helix_tui.text.redact import redact
from helix_tui.text.times import iso, parse_iso

SHORTEST_SECONDS = 60
LONGEST_SECONDS = 6 * 60 * 60
# A decision that the hub fails on, but does not refuse, must not hold up all others.
_LATE_ATTEMPTS = 3
_FILE_MODE = 0o600


class SyncReport(NamedTuple):
    """How many decisions were sent, still wait, or were given up, and what was wrong."""

    sent: int
    queued: int
    dead: int
    problem: str


def delay_seconds(attempts: int, retry_after: float | None = None) -> int:
    """Return how long a decision waits after so many failures, or as the hub asks."""
    if retry_after is not None:
        return int(min(max(retry_after, SHORTEST_SECONDS), LONGEST_SECONDS))
    return min(SHORTEST_SECONDS << min(attempts - 1, 16), LONGEST_SECONDS)


def is_due(row: QueueRow, now: int) -> bool:
    """Whether a sweep tries a row; a time too far ahead came from a wrong clock."""
    next_ts = parse_iso(row.next_at) if row.next_at else None
    return next_ts is None or not now < next_ts <= now + LONGEST_SECONDS * 1000


def in_turn(rows: list[QueueRow]) -> list[QueueRow]:
    """Order the queued rows; a row that failed often goes last, with all of its candidate."""
    late: set[str] = set()
    turns: tuple[list[QueueRow], list[QueueRow]] = ([], [])
    for row in rows:
        if row.state == "queued":
            if row.attempts >= _LATE_ATTEMPTS:
                late.add(row.candidate)
            turns[row.candidate in late].append(row)
    return turns[0] + turns[1]


def eligible(rows: list[QueueRow], now: int, is_all: bool) -> list[QueueRow]:
    """List the rows to try, in turn; no row overtakes a waiting one of its candidate."""
    waiting: set[str] = set()
    due = []
    for row in in_turn(rows):
        if row.candidate in waiting or not (is_all or is_due(row, now)):
            waiting.add(row.candidate)
        else:
            due.append(row)
    return due


def sync(
    queue: Queue,
    hub: Hub,
    now: int,
    *,
    is_all: bool,
    cancelled: Callable[[], bool] = lambda: False,
    budget_seconds: float | None = None,
) -> SyncReport:
    """Send what is due, or all that is queued, until the hub fails or the time is over.

    The last request begins within the budget and ends within the hub's own time limit.
    """
    run = _Run(queue, hub, now, cancelled, budget_seconds)
    try:
        rows = queue.rows()
        waiting = [row for row in rows if row.state == "queued"]
        if not hub.is_configured or not eligible(rows, now, is_all):
            return SyncReport(0, len(waiting), 0, "")
        if problem := hub.problem():
            return SyncReport(0, len(waiting), 0, problem)
        with _alone(queue.path) as is_alone:
            if not is_alone:
                problem = "Another process is sending decisions to the hub just now."
                return SyncReport(0, len(waiting), 0, problem)
            # The last holder of the lock may have sent some of them.
            rows = queue.rows()
            run.send(rows, is_all)
            queue.compact()
    except (StoreError, StoreBusyError) as error:
        run.problem = run.problem or str(error)
    return SyncReport(run.sent, run.queued, run.dead, run.problem)


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    # Not the lock of the rows: verdicts are queued while the hub takes its time.
    lock = FileLock(path.with_name(f"{path.name}.sync.lock"), mode=_FILE_MODE, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        yield False
        return
    except OSError as error:
        raise StoreError(f"The lock beside {path} cannot be made: {error.strerror}.") from error
    try:
        yield True
    finally:
        lock.release()


class _Run:
    """One run of `sync`, and its result so far."""

    def __init__(
        self,
        queue: Queue,
        hub: Hub,
        now: int,
        cancelled: Callable[[], bool],
        budget_seconds: float | None,
    ) -> None:
        self._queue = queue
        self._hub = hub
        self._now = now
        self._cancelled = cancelled
        self._budget_seconds = budget_seconds
        self._started = time.monotonic()
        self.sent = self.queued = self.dead = 0
        self.problem = ""

    def _passed(self) -> float:
        return time.monotonic() - self._started

    def _moment(self, seconds_ahead: int = 0) -> str:
        return iso(self._now + int(self._passed() * 1000) + seconds_ahead * 1000) or ""

    def _may_go_on(self) -> bool:
        is_in_time = self._budget_seconds is None or self._passed() < self._budget_seconds
        return is_in_time and not self._cancelled()

    def send(self, rows: list[QueueRow], is_all: bool) -> None:
        self.queued = sum(row.state == "queued" for row in rows)
        turn = eligible(rows, self._now, is_all)
        for number, row in enumerate(turn):
            if not self._may_go_on():
                return
            try:
                answer = self._answer(row)
            except InterruptedJobError:
                return  # it may have arrived; sending it again under the same key is harmless
            if isinstance(answer, Failed) and not answer.is_permanent:
                self.problem = answer.reason
                self._put_off(row, answer, turn[number + 1 :])
                return
            self._settle(row, answer)

    def _answer(self, row: QueueRow) -> Sent | Failed:
        # It was checked when it was queued, perhaps by a version that knew fewer secrets.
        if not row.body.isascii() or redact(row.body) != row.body:
            return Failed("Not sent: it holds what looks like a secret.", is_permanent=True)
        return self._hub.send(row.id, outward_body(row.body), self._cancelled)

    def _settle(self, row: QueueRow, answer: Sent | Failed) -> None:
        attempts = row.attempts + 1
        moment = self._moment()
        if isinstance(answer, Sent):
            settled = replace(
                row, state="sent", attempts=attempts, sent_at=moment, body="", next_at="", error=""
            )
        else:
            settled = replace(row, state="dead", attempts=attempts, next_at="", error=answer.reason)
        self._queue.record([settled])
        self.sent += settled.state == "sent"
        self.dead += settled.state == "dead"
        self.queued -= 1

    def _put_off(self, row: QueueRow, answer: Failed, following: list[QueueRow]) -> None:
        # The hub is at fault: the rows behind would only fail the same way.
        attempts = row.attempts + 1
        next_at = self._moment(delay_seconds(attempts, answer.retry_after))
        failed = replace(row, attempts=attempts, next_at=next_at, error=answer.reason)
        postponed = [
            replace(other, next_at=next_at)
            for other in following
            if is_due(other, self._now) or other.next_at < next_at
        ]
        self._queue.record([failed, *postponed])
