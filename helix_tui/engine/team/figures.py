"""What of a session a report counts: tokens by day and model, runs of checks, corrections."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from helix_tui.engine.digest_figures import figures_of
from helix_tui.schema import Facts, UsageClaim, day_of
from helix_tui.schema.team import SharedMessage, SharedRun, SharedSpent
from helix_tui.store.read.shared import messages_in
from helix_tui.text.hashing import hash64


def usage_in(
    connection: sqlite3.Connection, key: int, flavor: str, named: Callable[[str], str]
) -> tuple[list[SharedSpent], list[SharedMessage]]:
    """What a session spent by day, model and step, and each message that this is the sum of.

    A conversation may lie on two machines, and its messages count once: whoever reports finds the
    same ones by their marks.
    """
    spent: dict[tuple[int, str, int], list[int]] = {}
    places: dict[tuple[int, str, int], int] = {}
    messages = []
    for one in messages_in(connection, key):
        place = day_of(one.ts), named(one.model or ""), one.step()
        number = places.setdefault(place, len(places))
        sums = sums_of(one)
        total = spent.setdefault(place, [0] * len(sums))
        for at, value in enumerate(sums):
            total[at] += value
        messages.append(
            SharedMessage(hash64(f"message\0{flavor}\0{one.key}".encode()), number, *sums)
        )
    return [SharedSpent(*place, *sums) for place, sums in spent.items()], messages


def sums_of(one: UsageClaim) -> tuple[int, int, int, int, int, int, int]:
    """A message's figures in the order in which they are shared."""
    return (
        *(one.input, one.output, one.cache_read, one.cache_write, one.cache_write_1h),
        *(one.reasoning, one.cost_ticks or 0),
    )


def runs_in(facts: Facts, named: Callable[[str], str]) -> tuple[int, list[SharedRun]]:
    """How often people corrected, and every run of a check."""
    counted = figures_of(facts)
    return counted.corrections, [
        SharedRun(named(run.name), run.kind, run.state, run.ts) for run in counted.runs
    ]
