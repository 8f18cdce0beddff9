"""How each check of a session stands: one state each, of the last run that covers it."""

from __future__ import annotations

from helix_tui.digest.red_checks import covering, in_order, red_checks
from helix_tui.schema import CheckFact, Facts, RunFact


def standing_checks(facts: Facts) -> dict[str, CheckFact]:
    """The checks with their states, as what is told of red ones has them too.

    A script that a later run tells by what it runs is listed as that; a check that failed and is
    not red any more has the state of the run that covers it, or none that is known.
    """
    runs = in_order(facts.runs)
    red = {run.name for run in red_checks(facts)}
    told = {run.script for run in facts.runs if run.name in red and run.script != run.name}
    found: dict[str, CheckFact] = {}
    for name, check in facts.checks.items():
        if name in red:
            found[name] = check
        elif not (_is_told_by_its_runs(name, runs) or (check.state == "failed" and name in told)):
            found[name] = _settled(name, check, runs)
    return found


def _is_told_by_its_runs(name: str, runs: list[RunFact]) -> bool:
    """Whether a later run of a script shows what it runs: then that is the check, and not it."""
    last = max((at for at, run in enumerate(runs) if run.name == name), default=-1)
    return last >= 0 and any(
        run.script == name and run.name != name and run.state != "unknown"
        for run in runs[last + 1 :]
    )


def _settled(name: str, check: CheckFact, runs: list[RunFact]) -> CheckFact:
    """A check that is not red, by the run that covers its last one."""
    last = next((run for run in reversed(runs) if run.name == name), None)
    if check.state == "passed" or last is None:
        return check
    later = covering(last, runs[runs.index(last) + 1 :])
    if later is not None:
        return CheckFact("passed", later.ts, later.fingerprint)
    return CheckFact("unknown", last.ts, last.fingerprint)
