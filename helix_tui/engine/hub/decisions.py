"""Decisions of a store: how far each got on its way to the hub, and sending them."""

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
    """Every decision in its order, those that the journal still has by id, and what to know."""

    rows: list[QueueRow]
    decisions: dict[str, Decision]
    notices: list[str]

    def count(self, state: str) -> int:
        """How many got so far."""
        return sum(row.state == state for row in self.rows)


class Synced(NamedTuple):
    """What one sending came to, and how everything stands behind it."""

    audit: Audit
    report: SyncReport
    newly_dead: list[QueueRow]
    problem: str


def journaled_decisions(config: Config) -> list[Decision]:
    """Every decision that the journal has."""
    return decisions_of(Journal(config.curate.review_log).lines().lines)


def audit(config: Config) -> Audit:
    """How every decision stands; nothing is written for that, and no store is needed."""
    path = config.curate.review_log
    read = Journal(path).lines()
    decisions = decisions_of(read.lines)
    notices = [f"{path}, line {one.number}: {one.reason}" for one in (*read.damaged, *read.unknown)]
    rows = Queue(config.curate.decision_queue).overview(decisions)
    return Audit(rows, {one.id: one for one in decisions}, notices)


def sync_all(config: Config, cancelled: Callable[[], bool]) -> Synced:
    """Enters what the journal has and the queue lacks, then tries all, whatever its next time."""
    queue = Queue(config.curate.decision_queue)
    # Some are dead as soon as they are entered: those are news, too.
    were_dead = {row.id for row in queue.rows() if row.state == "dead"}
    warning = queue.reconcile(journaled_decisions(config))
    report = send(config, queue, cancelled, is_all=True)
    now = audit(config)
    newly_dead = [row for row in now.rows if row.state == "dead" and row.id not in were_dead]
    return Synced(now, report, newly_dead, report.problem or warning)


def send(
    config: Config,
    queue: Queue,
    cancelled: Callable[[], bool],
    *,
    is_all: bool,
    budget_seconds: float | None = None,
) -> SyncReport:
    """Sends to the hub of the configuration, with the token that the environment or a file has."""
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
