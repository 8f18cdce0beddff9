"""Find slow runs of a command: over a minute, and longer than nearly all in its repository."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix_tui.detect.assemble import SessionSignal

_SLOW_MS = 60_000
_PERCENTILE = 0.95
# A command that is usually quick and took long now and then was waiting for an approval.
_USUAL_MS = 5_000


def slow_runs(occurrences: Sequence[SessionSignal]) -> list[bool]:
    """Say for each session whether its longest run of the command is slow."""
    runs: dict[str, list[int]] = {}
    for session, signal in occurrences:
        runs.setdefault(session.repo, []).extend(signal.values)
    limits = {repo: _limit(sorted(times)) for repo, times in runs.items()}
    return [
        limits[session.repo] is not None and signal.ms > (limits[session.repo] or 0)
        for session, signal in occurrences
    ]


def _limit(times: list[int]) -> int | None:
    """Return the time above which a run is slow, or None where the command is usually quick."""
    if times[len(times) // 2] < _USUAL_MS:
        return None
    return max(_SLOW_MS, times[ceil(_PERCENTILE * len(times)) - 1])
