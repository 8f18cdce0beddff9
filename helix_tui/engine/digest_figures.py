"""What reports take of a session's digest, here and of a team."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from helix_tui.digest.turns.judge import kind_of
from helix_tui.schema import Facts
from helix_tui.schema.report import CheckRun
from helix_tui.text.redact import redact
from helix_tui.text.times import EARLIEST


class DigestFigures(NamedTuple):
    """How often people corrected, and the runs of checks in order of time."""

    corrections: int
    runs: tuple[CheckRun, ...]


def figures_of(facts: Facts) -> DigestFigures:
    """The figures of a digest; names of checks are redacted."""
    runs = [run for run in facts.runs if run.kind != "git"]
    # Parts of a session that ran side by side stand one behind the other.
    runs.sort(key=lambda run: EARLIEST if run.ts is None else run.ts)
    return DigestFigures(
        sum(kind_of(turn).kind == "correction" for turn in facts.turns),
        tuple(CheckRun(clean(run.name), run.kind, run.state, run.ts) for run in runs),
    )


@lru_cache(maxsize=4096)
def clean(name: str) -> str:
    """A name that many sessions have, redacted."""
    return redact(name)
