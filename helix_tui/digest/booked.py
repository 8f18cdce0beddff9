"""Books runs among a session's facts."""

from __future__ import annotations

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.runs.judge import Run
from helix_tui.schema import CheckFact, Facts, RunFact

COMMIT = "git commit"
MOST_RUNS = 400
_MOST_CHECKS = 60
_REASON_LENGTH = 160


def book_run(facts: Facts, run: Run, fingerprint: int, ts: int | None) -> None:
    """Adds a run; of too many the oldest gives way."""
    if len(facts.runs) >= MOST_RUNS:
        del facts.runs[0]
    reason = excerpt_line(run.reason, _REASON_LENGTH)
    name = excerpt_line(run.name, 80)
    facts.runs.append(
        RunFact(
            fingerprint, ts, name, run.state, run.passed, run.failed, run.kind, run.runner, reason
        )
    )
    if run.kind == "git":
        return
    known = facts.checks.get(name)
    if known is None and len(facts.checks) >= _MOST_CHECKS:
        del facts.checks[next(iter(facts.checks))]
    if known is None or run.state != "unknown":
        facts.checks.pop(name, None)  # the latest stands last
        facts.checks[name] = CheckFact(run.state, ts, fingerprint)


def verdict_on_checks(runs: list[Run]) -> bool | None:
    """Whether the checks of a call passed; None where there are none, or none tells."""
    states = {run.state for run in runs if run.kind != "git"}
    if "failed" in states:
        return False
    return True if "passed" in states else None
