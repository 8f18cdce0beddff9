"""What came of one call: of its command, what it printed, and what the agent says of its end."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.digest.runs.judge import judged, listed
from helix_tui.digest.runs.output import Output, read_output
from helix_tui.digest.runs.recognise import Plan, plan_of
from helix_tui.digest.runs.run import Run
from helix_tui.digest.runs.status import statuses_of
from helix_tui.digest.runs.told import failure_told
from helix_tui.text.lazy import lazy

# The agent says that it failed, and not how it exited.
_SOME = -1


# How a sandbox answers what it kept from running, or from ending.
_DENIED = lazy(r"failed in sandbox \S{1,40} with execution error: sandbox denied exec error\b")


class Reading(NamedTuple):
    """The runs of a call, and the line by which its output tells of a failure that they do not."""

    runs: list[Run]
    told: str = ""


def runs_of(command: str, text: str, exit_code: int | None, is_error: bool) -> list[Run]:
    """What came of the checks, commits and pushes in a command."""
    return reading_of(command, text, exit_code, is_error).runs


def reading_of(command: str, text: str, exit_code: int | None, is_error: bool) -> Reading:
    """What came of a command, as far as its output and its status tell."""
    output = read_output(text)
    status = exit_code
    if status is None:
        status = output.status
    if status is None and not output.is_running:
        status = _SOME if is_error else 0
    plan = plan_of(command)
    found = judged(plan, output, status)
    runs = listed(found)
    if _DENIED.match(text):
        runs = [_as_denied(run) for run in runs]
    if status != 0 or output.is_timed_out or any(run.state == "failed" for run in runs):
        return Reading(runs)
    return _told(plan, output, found, runs)


def _as_denied(run: Run) -> Run:
    """A run of which nothing tells but a status that a sandbox gave it: it tells nothing."""
    is_by_status = run.state == "failed" and run.reason.startswith("exit status")
    return run._replace(state="unknown", reason="the sandbox denied it") if is_by_status else run


def _told(plan: Plan, output: Output, found: dict[int, list[Run]], runs: list[Run]) -> Reading:
    """The same where a status of 0 may be another program's; a single unknown run is the one."""
    passed = [at for at, those in found.items() if any(run.state == "passed" for run in those)]
    told = failure_told(plan, output, statuses_of(plan, output.text, 0), passed)
    if told and len(runs) == 1 and runs[0].state == "unknown" and len(plan.pipelines) == 1:
        runs = [runs[0]._replace(state="failed", reason=told)]
    return Reading(runs, told)
