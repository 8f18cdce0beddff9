"""Which checks are red where a session ends, and were not made green later."""

from __future__ import annotations

from helix_tui.schema import Facts, RunFact

# What tells more of the work than a linter's taste does.
_WEIGHTY = frozenset({"test", "build", "types", "ci", "check", "hook"})


def red_checks(facts: Facts) -> list[RunFact]:
    """The last run of each check whose last known state is failed, in their order."""
    runs = _in_order(facts.runs)
    last: dict[str, tuple[int, RunFact]] = {}
    for at, run in enumerate(runs):
        if run.kind != "git" and run.state != "unknown":
            last[run.name] = at, run
    return [
        run
        for at, run in last.values()
        if run.state == "failed"
        and _is_red(facts, run.name)
        and not any(_makes_up_for(later, run) for later in runs[at + 1 :])
    ]


def deciding(red: list[RunFact], facts: Facts) -> list[RunFact]:
    """Those of which the outcome is told: not a linter's, where a weightier check passed later."""
    if facts.last_check_passed:
        return [run for run in red if run.kind in _WEIGHTY]
    return red


def is_green(facts: Facts) -> bool:
    """Whether the last check passed, and no code was edited after it."""
    return bool(facts.last_check_passed) and not facts.ending.code_edits


def _in_order(runs: list[RunFact]) -> list[RunFact]:
    """Runs by time, where each has one: files that were written side by side overlap."""
    if any(run.ts is None for run in runs):
        return runs
    return sorted(runs, key=lambda run: run.ts or 0)


def _is_red(facts: Facts, name: str) -> bool:
    check = facts.checks.get(name)
    return check is not None and check.state == "failed"


def _makes_up_for(later: RunFact, red: RunFact) -> bool:
    """Whether a script of the same kind, by the same program, passed later."""
    return (
        later.state == "passed"
        and later.kind == red.kind
        and bool(red.script)
        and later.script == red.script
    )
