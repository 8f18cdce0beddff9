"""Records runs among a session's facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.runs.run import Run
from helix_tui.digest.runs.started import never_began
from helix_tui.schema import CheckFact, Facts, RunFact

# What makes commits; a merge that only moves a branch on makes none.
_COMMITTING = ("git commit", "git merge", "git rebase", "git cherry-pick")
_MAKES_NONE = re.compile(r"Already up[ -]to[ -]date|Fast-forward|Current branch ")
MOST_RUNS = 400
_MOST_CHECKS = 60
_REASON_LENGTH = 160


def record_run(facts: Facts, run: Run, fingerprint: int, ts: int | None) -> None:
    """Adds a run; of too many the oldest gives way."""
    if len(facts.runs) >= MOST_RUNS:
        del facts.runs[0]
    reason = excerpt_line(run.reason, _REASON_LENGTH)
    name = excerpt_line(run.name, 80)
    facts.runs.append(
        RunFact(
            fingerprint,
            ts,
            name,
            run.state,
            run.passed,
            run.failed,
            run.kind,
            run.runner,
            reason,
            run.script,
        )
    )
    if run.kind == "git":
        return
    known = facts.checks.get(name)
    if known is None and len(facts.checks) >= _MOST_CHECKS:
        del facts.checks[next(iter(facts.checks))]
    state = "unknown" if _looked_at_nothing(run) else run.state
    if known is None or state != "unknown":
        facts.checks.pop(name, None)  # the latest stands last
        facts.checks[name] = CheckFact(state, ts, fingerprint)


def mark_edited(facts: Facts) -> None:
    """Takes an edit of code after checks that failed: what they say is no longer sure."""
    for check in facts.checks.values():
        check.is_stale = check.is_stale or check.state == "failed"


def have_checks_passed(runs: Sequence[Run]) -> bool | None:
    """Whether the checks of a call passed; None where there are none, or none tells."""
    states = {run.state for run in runs if run.kind != "git" and not _looked_at_nothing(run)}
    if "failed" in states:
        return False
    return True if "passed" in states else None


def _looked_at_nothing(run: Run) -> bool:
    """Whether a run failed before it looked at anything, which tells nothing of the work."""
    return run.state == "failed" and never_began(run.reason)


def count_commits(runs: list[Run]) -> int | None:
    """How many commits a call made by git's own answer; None where it was not asked for any."""
    asked = [run for run in runs if run.name in _COMMITTING]
    if not asked:
        return None
    return sum(run.state == "passed" and not _MAKES_NONE.match(run.reason) for run in asked)


def clear_by_commit(facts: Facts) -> None:
    """Takes hooks, and what failed within a commit, for passed: a commit was made after all."""
    refused = {run.fingerprint for run in facts.runs if run.state == "failed" and run.kind == "git"}
    hooks = {run.name for run in facts.runs if run.kind == "hook"}
    for name, check in facts.checks.items():
        if check.state == "failed" and (name in hooks or check.fingerprint in refused):
            facts.checks[name] = CheckFact("passed", check.ts, check.fingerprint)
