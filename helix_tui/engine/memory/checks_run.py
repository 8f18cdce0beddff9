"""The checks of a session by their last runs, and how much was edited behind each."""

from __future__ import annotations

from helix_tui.digest.runs.recognise import plan_of
from helix_tui.engine.memory.verdicts import is_over_nothing, never_began
from helix_tui.engine.memory.work_tree import WorkTree
from helix_tui.schema import Facts, RunFact
from helix_tui.schema.memory import CheckRun

_NAME_LENGTH = 60


def checks_run(facts: Facts, work: WorkTree) -> list[CheckRun]:
    """Each check by its last run with a known outcome, in the order of these runs."""
    last: dict[str, RunFact] = {}
    for run in facts.runs:
        is_telling = run.state != "unknown" and not is_over_nothing(run)
        if run.kind != "git" and is_telling and not never_began(facts, run):
            last.pop(run.name, None)
            last[run.name] = run
    commits = [run.fingerprint for run in facts.runs if run.name == "git commit"]
    total = work.stands().code_edits
    found = []
    for name, run in last.items():
        before = work.edits_before(run.fingerprint)
        since = 0 if before is None else total - before
        found.append(
            CheckRun(
                name[:_NAME_LENGTH],
                run.kind,
                run.state,
                since,
                before == 0 and total > 0,
                run.fingerprint in commits[-1:],
            )
        )
    return found


def parted(passed: list[str], checks: list[CheckRun]) -> tuple[list[str], list[str]]:
    """Commands that passed behind the last edit of code, and those that did so before it.

    What ran before the first edit alone says nothing of the work, and is in neither.
    """
    by_name = {one.name: one for one in checks}
    now: list[str] = []
    before: list[str] = []
    for command in passed:
        names = {part.name for part in plan_of(command).parts if part.is_check}
        known = [by_name[name] for name in names if name in by_name]
        if known and all(one.is_baseline for one in known):
            continue
        (before if known and all(one.edits_since for one in known) else now).append(command)
    return now, before
