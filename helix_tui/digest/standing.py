"""How each check of a session stands: one state each, of the last run that covers it."""

from __future__ import annotations

from helix_tui.digest.red_checks import covering, in_order, red_checks
from helix_tui.schema import CheckFact, Facts, RunFact


def standing_checks(facts: Facts) -> dict[str, CheckFact]:
    """The checks with their states, as what is told of red ones has them too.

    A script of which a run shows what it runs is listed as that; a check that failed and is not
    red any more has the state of the run that covers it, or none that is known.
    """
    runs = in_order(facts.runs)
    red = {run.name for run in red_checks(facts)}
    told = {run.script for run in facts.runs if run.name in red and run.script != run.name}
    found: dict[str, CheckFact] = {}
    for name, check in facts.checks.items():
        if name in red:
            found[name] = check
            continue
        at = max((at for at, run in enumerate(runs) if run.name == name), default=-1)
        state = check if at < 0 else _settled(check, runs[at], runs[at + 1 :])
        of_it = runs if state.state == "unknown" else runs[at + 1 :]
        is_told = at >= 0 and any(_shows(run, runs[at], runs) for run in of_it)
        if not is_told and not (check.state == "failed" and name in told):
            found[name] = state
    return found


def _shows(run: RunFact, script: RunFact, runs: list[RunFact]) -> bool:
    """Whether a run of a script says what it runs, and what came of that."""
    # Older digests have of a script only its program.
    is_of_program = run.script == script.script and script.name.startswith(f"{run.script} ")
    return (
        (run.script == script.name or (is_of_program and run.kind == script.kind))
        and run.name != script.name
        and run.state != "unknown"
        and _is_of(run, script, runs)
    )


def _is_of(run: RunFact, check: RunFact, runs: list[RunFact]) -> bool:
    """Whether a run within a script is that of a check, and not of another script of the call."""
    scripts = {one.script for one in runs if one.fingerprint == run.fingerprint} - {""}
    return run.kind == check.kind or len(scripts) == 1


def _settled(check: CheckFact, last: RunFact, later: list[RunFact]) -> CheckFact:
    """A check that is not red, by the run that covers its last one."""
    if check.state == "passed":
        return check
    for run in reversed(covering(last, later)):
        if _is_of(run, last, later):
            return CheckFact("passed", run.ts, run.fingerprint)
    return CheckFact("unknown", last.ts, last.fingerprint)
