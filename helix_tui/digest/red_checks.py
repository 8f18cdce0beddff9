"""Which checks are red where a session ends, and were not made green later."""

from __future__ import annotations

from itertools import groupby

from helix_tui.digest.runs.recognise import kind_of
from helix_tui.digest.runs.run import NOTHING_SEEN
from helix_tui.digest.runs.started import never_began
from helix_tui.schema import Facts, RunFact
from helix_tui.text.lazy import lazy

# What tells more of the work than a linter's taste does.
_WEIGHTY = frozenset({"test", "build", "types", "ci", "check", "hook"})
# What a script that checks everything covers, besides whatever it is seen to run.
_OF_ALL = frozenset({"lint", "types", "format", "check"})

# How scripts end that run all of their kind.
_OF_ALL_PARTS = lazy(r"(?:^|[:_-])(?:all|ci|full|everything)$")


def red_checks(facts: Facts) -> list[RunFact]:
    """The last run of each check whose last known state is failed, in their order."""
    runs = [run for run in in_order(facts.runs) if not _tells_nothing(run)]
    last: dict[str, tuple[int, RunFact]] = {}
    for at, run in enumerate(runs):
        if run.kind == "git":
            continue
        if run.state != "unknown":
            last[run.name] = at, run
        elif run.reason == NOTHING_SEEN:
            last.pop(run.name, None)  # what was looked for in its output is gone
    red = [
        run
        for at, run in last.values()
        if run.state == "failed"
        and _is_red(facts, run.name)
        and not any(_makes_up_for(later, run) for later in runs[at + 1 :])
        and not _is_covered(run, runs[at + 1 :])
        and not _went_on(run, runs[at + 1 :])
    ]
    # A script is red by what it runs, and that says more.
    told = {run.script for run in red if run.script != run.name}
    return [run for run in red if run.name not in told]


def was_left_behind(red: RunFact, facts: Facts) -> bool:
    """Whether the work went on behind a red check: another one passed, and it was committed."""
    later = _after(red, facts)
    return _has_passed_check(later) and any(
        run.state == "passed" and run.name == "git commit" for run in later
    )


def deciding(red: list[RunFact], facts: Facts) -> list[RunFact]:
    """Those of which the outcome is told.

    Not a linter's where a weightier check passed later, nor what the work went on behind.
    """
    going = [run for run in red if not was_left_behind(run, facts)]
    if facts.last_check_passed:
        return [run for run in going if run.kind in _WEIGHTY]
    return going


def is_green(facts: Facts) -> bool:
    """Whether the last check passed, and no code was edited after it."""
    return bool(facts.last_check_passed) and not facts.ending.code_edits


def failed_push(facts: Facts) -> RunFact | None:
    """The last push, where it failed and the person did not say that nothing is to be pushed."""
    pushes = [run for run in in_order(facts.runs) if run.name == "git push"]
    if not pushes or pushes[-1].state != "failed" or facts.ending.is_push_forbidden:
        return None
    return pushes[-1]


def _tells_nothing(run: RunFact) -> bool:
    return run.state == "failed" and run.kind != "git" and never_began(run.reason)


def in_order(runs: list[RunFact]) -> list[RunFact]:
    """Runs by time, where each has one: files that were written side by side overlap."""
    if any(run.ts is None for run in runs):
        return runs
    return sorted(runs, key=lambda run: run.ts or 0)


def _after(red: RunFact, facts: Facts) -> list[RunFact]:
    runs = in_order(facts.runs)
    at = next((at for at, run in enumerate(runs) if run is red), len(runs))
    return [run for run in runs[at + 1 :] if run.fingerprint != red.fingerprint]


def _has_passed_check(runs: list[RunFact]) -> bool:
    return any(run.state == "passed" and run.kind != "git" for run in runs)


def _is_red(facts: Facts, name: str) -> bool:
    check = facts.checks.get(name)
    return check is not None and check.state == "failed"


def _makes_up_for(later: RunFact, red: RunFact) -> bool:
    """Whether a script of the same kind, by the same program, passed later."""
    return (
        later.state == "passed"
        and later.kind == red.kind
        and bool(red.script)
        and _program(later) == _program(red)
    )


def covering(check: RunFact, later: list[RunFact]) -> list[RunFact]:
    """Which later runs passed and check what a check does: of each call one.

    Those of the script that it is, or stood in, or of one of its program that checks more, with
    nothing in it that failed; of several scripts in one call one of its kind, if there is any.
    """
    found: list[RunFact] = []
    for _, group in groupby(later, key=lambda run: run.fingerprint):
        of_one = [run for run in group if run.kind != "git"]
        if any(run.state == "failed" for run in of_one):
            continue
        passed = [run for run in of_one if run.state == "passed" and _covers(run, check)]
        passed.sort(key=lambda run: run.kind != check.kind)
        found += passed[:1]
    return found


def _is_covered(red: RunFact, later: list[RunFact]) -> bool:
    """Whether later runs say that a red check passes, or that it no longer matters.

    One covers it; or another check of its kind passed, and the work was committed.
    """
    if covering(red, later):
        return True
    at = next(
        (at for at, run in enumerate(later) if run.state == "passed" and run.kind == red.kind), None
    )
    return at is not None and any(
        run.state == "passed" and run.name == "git commit" for run in later[at:]
    )


def _went_on(red: RunFact, later: list[RunFact]) -> bool:
    """Whether a red check was run again, its output not seen, and the work then committed."""
    at = next((at for at, run in enumerate(later) if run.name == red.name), None)
    return at is not None and any(
        run.state == "passed" and run.name == "git commit" for run in later[at:]
    )


def _covers(run: RunFact, red: RunFact) -> bool:
    if not run.script or not red.script:
        return False
    if run.script in (red.script, red.name):
        return True
    if _program(run) != _program(red):
        return False
    called, part = run.script.partition(" ")[2], red.script.partition(" ")[2]
    if called and kind_of(called) == "check":
        return red.kind in _OF_ALL
    if red.kind == "test":  # `test` is mostly the quick ones alone
        return run.kind == "test" and _OF_ALL_PARTS.search(called) is not None
    return part.startswith(f"{called}:") and _OF_ALL_PARTS.search(part) is None


def _program(run: RunFact) -> str:
    return run.script.partition(" ")[0]
