"""Settle the catalog and serve hub and memory after a sweep, when nobody waits."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from helix_tui.config import Config
from helix_tui.engine.sweep.settled_marker import (
    Settled,
    has_review,
    is_there,
    last_settled,
    queue_mark,
    queued_decisions,
    remember_settled,
    review_mark,
)
from helix_tui.errors import HelixError, StoreBusyError
from helix_tui.store.database import reading
from helix_tui.store.detection.grouping_state import renamed_ids
from helix_tui.store.layout import StoreLayout
from helix_tui.text.human import plural

if TYPE_CHECKING:
    from helix_tui.curate.hub.queue import Queue

log = logging.getLogger(__name__)
_BUDGET_SECONDS = 30


def after_sweep(config: Config, cancelled: Callable[[], bool]) -> list[str]:
    """Record hand edits, finish interrupted writes and send what is due; return messages.

    The store's lock is no longer held: a slow hub keeps no other sweep out.
    """
    if not has_review(config):
        return []
    messages = []
    try:
        messages += _settle(config)
    except StoreBusyError as error:
        log.info("the catalog is looked at by the next sweep: %s", error)
    except HelixError as error:
        log.warning("the catalog was not looked at: %s", error)
        messages.append(f"The catalog was not looked at: {error}")
    if not cancelled():
        messages += send_due(config, cancelled)
    return messages


def has_memory_work(config: Config) -> bool:
    """Whether hooks reported something, or something waits to be flushed or compiled.

    It reads no file and loads no module.
    """
    try:
        names = os.listdir(config.store)
    except OSError:
        return False  # reported by whatever opens the store
    if any(name.startswith("spool.jsonl") for name in names):
        return True
    memory = config.store / "memory"
    return "memory" in names and (is_there(memory / "agenda.json") or _is_uncompiled(memory))


def _is_uncompiled(memory: Path) -> bool:
    """Whether a daily log was written since the last compilation."""
    try:
        with os.scandir(memory / "daily") as logs:
            latest = max((log.stat().st_mtime_ns for log in logs if log.name[:1] != "."), default=0)
        return latest > (memory / "knowledge" / ".state.json").stat().st_mtime_ns
    except FileNotFoundError:
        return is_there(memory / "daily")
    except OSError:
        return False  # reported by `helix compile`


def _settle(config: Config) -> list[str]:
    """Open the journal as a verdict would, unless nothing changed since the last sweep."""
    with reading(StoreLayout(config.store)) as database:
        renamed = {} if database is None else renamed_ids(database.connection())
    review, queue = review_mark(config, renamed), queue_mark(config)
    last = last_settled(config)
    if last is not None and (last.review, last.queue) == (review, queue):
        return []
    from helix_tui.engine.review.transaction import review_transaction

    with review_transaction(config, renamed, seconds=0) as transaction:
        is_queued = not transaction.enqueue()
        is_done = is_queued and not transaction.unfinished()
        notices = transaction.notices
    # The next sweep handles what changed meanwhile, by us or by others.
    is_quiet = (review, queue) == (review_mark(config, renamed), queue_mark(config))
    if (
        review
        and queue
        and is_done
        and is_quiet
        and (queued := queued_decisions(config)) is not None
    ):
        remember_settled(config, Settled(review, queue, queued))
    for notice in notices:
        log.warning("%s", notice)
    more = f" And {len(notices) - 1:,} more: `helix doctor` tells." if notices[1:] else ""
    return [f"{notice}{more}" for notice in notices[:1]]


def send_due(config: Config, cancelled: Callable[[], bool]) -> list[str]:
    """Send what is due to the hub, if there is one; return messages."""
    if not config.hub.url or queued_decisions(config) == 0:
        return []
    from helix_tui.curate.hub.queue import Queue
    from helix_tui.engine.hub.decisions import send

    queue = Queue(config.curate.decision_queue)
    # The last request may begin when the budget ends.
    budget = max(1, _BUDGET_SECONDS - config.hub.timeout_seconds)
    report = send(config, queue, cancelled, is_all=False, budget_seconds=budget)
    log.info("hub: %d sent, %d queued, %d refused", report.sent, report.queued, report.dead)
    messages = []
    if report.dead:
        refused = plural(report.dead, "decision")
        messages.append(f"The hub refused {refused} for good: `helix decisions list` tells why.")
    if report.queued and not cancelled():
        waiting = plural(report.queued, "decision waits", "decisions wait")
        messages.append(f"{waiting} for the hub: {report.problem or _earlier_problem(queue)}")
    elif report.problem:
        messages.append(f"Nothing more was sent to the hub: {report.problem}")
    for message in messages:
        log.warning("%s", message)
    return messages


def _earlier_problem(queue: Queue) -> str:
    """Say why decisions wait that were not tried just now."""
    for row in queue.rows():
        if row.state == "queued" and row.error:
            return f"{row.error} Tried again from {row.next_at} on."
    return "there was no time for more; the next sweep goes on."
