"""List the decisions of a store and their progress, and send them to the hub."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.curate.hub.decisions import Decision, decisions_of
from helix_tui.curate.hub.queue import Queue, QueueRow
from helix_tui.curate.hub.sync import SyncReport, sync
from helix_tui.curate.journal.journal import Journal


class Audit(NamedTuple):
    """Every decision in order, those still in the journal by id, and notices."""

    rows: list[QueueRow]
    decisions: dict[str, Decision]
    notices: list[str]

    def count(self, state: str) -> int:
        """Count the decisions in a state."""
        return sum(row.state == state for row in self.rows)


class Synced(NamedTuple):
    """The result of sending, and the state of all decisions after it."""

    audit: Audit
    report: SyncReport
    newly_dead: list[QueueRow]
    problem: str


def journaled_decisions(config: Config) -> list[Decision]:
    """List every decision in the journal."""
    return decisions_of(Journal(config.curate.review_log).lines().lines)


def audit(config: Config) -> Audit:
    """Return the state of every decision; write nothing, and need no store."""
    path = config.curate.review_log
    read = Journal(path).lines()
    decisions = decisions_of(read.lines)
    notices = [
        f"{path}, line {line.number}: {line.reason}" for line in (*read.damaged, *read.unknown)
    ]
    rows = Queue(config.curate.decision_queue).overview(decisions)
    return Audit(rows, {decision.id: decision for decision in decisions}, notices)


def sync_all(config: Config, cancelled: Callable[[], bool]) -> Synced:
    """Queue the decisions that are missing, then try all, whether due or not."""
    queue = Queue(config.curate.decision_queue)
    # Some are dead as soon as they are queued: those are new, too.
    were_dead = {row.id for row in queue.rows() if row.state == "dead"}
    warning = queue.reconcile(journaled_decisions(config))
    report = send(config, queue, cancelled, is_all=True)
    current = audit(config)
    newly_dead = [row for row in current.rows if row.state == "dead" and row.id not in were_dead]
    return Synced(current, report, newly_dead, report.problem or warning)


def send(
    config: Config,
    queue: Queue,
    cancelled: Callable[[], bool],
    *,
    is_all: bool,
    budget_seconds: float | None = None,
) -> SyncReport:
    """Send to the configured hub, with the token from the environment or a file."""
    from helix_tui.curate.hub.hub import Hub

    with Hub(config.hub, os.environ) as hub:
        return sync(
            queue,
            hub,
            int(time.time() * 1000),
            is_all=is_all,
            cancelled=cancelled,
            budget_seconds=budget_seconds,
        )
