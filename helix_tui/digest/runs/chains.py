"""What one run tells of the others in `a && b`."""

from __future__ import annotations

import re

from helix_tui.digest.runs.recognise import Plan
from helix_tui.digest.runs.run import Run, State
from helix_tui.digest.runs.status import has_own_status

# Links of a chain that hardly ever end it.
_CANNOT_FAIL = ("cd", "echo", "export")
# What programs that are no checks say where they end a chain before the check runs.
_OTHERS_FAILED = re.compile(
    r"^(?:fatal|error|CONFLICT|npm ERR!|npm error|ERROR"
    r"|\w[\w.-]{0,40}: .*(?:No such file|denied))\b",
    re.MULTILINE,
)


def follow_chains(plan: Plan, runs: dict[int, list[Run]], text: str, status: int | None) -> None:
    """Settles what a run tells of those before and behind it; `runs` are those of each link."""
    ran = {at for at, listed in runs.items() if any(_has_shown_itself(run) for run in listed)}
    _pass_those_before(plan, runs, ran)
    _drop_those_behind(plan, runs, ran)
    if status not in (None, 0):
        _fail_the_open_one(plan, runs, text, f"exit status {status}")


def _pass_those_before(plan: Plan, runs: dict[int, list[Run]], ran: set[int]) -> None:
    """What ran behind `&&` tells that what stands before it passed."""
    for at in sorted(ran):
        while at > 0 and plan.pipelines[at].joint == "&&":
            at -= 1
            if at in runs and has_own_status(plan, at):
                runs[at] = _settled(runs[at], "passed", "what follows `&&` ran")


def _drop_those_behind(plan: Plan, runs: dict[int, list[Run]], ran: set[int]) -> None:
    """What stands behind a failure did not run."""
    for at in sorted(runs):
        if not any(run.state == "failed" for run in runs[at]) or not has_own_status(plan, at):
            continue
        for behind in range(at + 1, len(plan.pipelines)):
            if plan.pipelines[behind].joint != "&&":
                break
            if behind in runs and behind not in ran:
                runs[behind] = []


def _fail_the_open_one(plan: Plan, runs: dict[int, list[Run]], text: str, reason: str) -> None:
    """Of a chain that failed, the only run that is not known to have passed is the one."""
    links = plan.pipelines
    if any(run.state == "failed" for listed in runs.values() for run in listed):
        return
    start = len(links) - 1
    while start > 0 and links[start].joint == "&&":
        start -= 1
    chain = range(start, len(links))
    still_open = [
        at
        for at in chain
        if has_own_status(plan, at) and any(run.state == "unknown" for run in runs.get(at, ()))
    ]
    others = [
        at for at in chain if not runs.get(at) and links[at].stages[0].words[0] not in _CANNOT_FAIL
    ]
    is_last = still_open == [len(links) - 1] and not _OTHERS_FAILED.search(text)
    if len(still_open) == 1 and (not others or is_last) and links[-1].joint in ("", "&&", ";"):
        runs[still_open[0]] = _settled(runs[still_open[0]], "failed", reason)


def _settled(runs: list[Run], state: State, reason: str) -> list[Run]:
    """The same with a state for those that have none."""
    return [
        run._replace(state=state, reason=reason) if run.state == "unknown" else run for run in runs
    ]


def _has_shown_itself(run: Run) -> bool:
    """Whether a run's own output tells that it ran."""
    return run.state != "unknown" and not run.reason.startswith(("exit status", "nothing printed"))
