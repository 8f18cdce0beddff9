"""What came of the checks that a command ran: passed, failed, or not to be known."""

from __future__ import annotations

import re

from helix_tui.digest.runs.chains import follow_chains
from helix_tui.digest.runs.filters import View, view_through
from helix_tui.digest.runs.lines import first_match, line_of, read_lines
from helix_tui.digest.runs.output import Output
from helix_tui.digest.runs.recognise import Part, Plan, plan_of
from helix_tui.digest.runs.run import NOTHING_SEEN, REASON_LENGTH, Run, Verdict
from helix_tui.digest.runs.scripts import FRAME, runs_within
from helix_tui.digest.runs.status import put_aside, statuses_of
from helix_tui.digest.runs.table import Lines, Runner, Script, lines_of, table

_ECHOING = ("echo", "printf")
_NOT_STARTED = re.compile(
    r"^(?:(?:/\S*/)?(?:ba|z|da|k)?sh|\(eval\)|env|npm error|uv|error)(?:: ?(?:line )?\d+)?: .*"
    r"(?:command not found|not found|No such file or directory|Permission denied)"
    r"|^(?:/\S*/)?(?:ba|z|da)?sh:.*: (?:command )?not found|^command not found: "
    r"|^[^\n]{0,200}: No module named \S+$|^error: Failed to spawn: ",
    re.MULTILINE,
)
_MISUSED = re.compile(
    r"^The token '[^'\n]{1,4}' is not a valid statement separator"
    r"|^(?:[\w.-]{1,40}: )?(?i:error|fatal)?(?:: )?(?i:unknown|unrecognized|unexpected)"
    r" (?i:options?|arguments?|flags?)\b[^\n]{0,100}",
    re.MULTILINE,
)
# How harnesses say that nothing was printed.
_NO_OUTPUT = re.compile(
    r"(?i)\s*(?:[(<\[]?(?:\w+ )?(?:completed with )?no (?:output|content)[)>\]]?)?\s*"
)
# Which script of a package failed: `ERR_PNPM_… app@1.0.0 lint: …`.
_FAILED_SCRIPT = re.compile(
    r"(?m)^[^\w\n]{0,4}(?:ERR_PNPM_\w{1,60})\W{1,4}\S{1,80}@\d\S{0,30} (\S{1,60}): "
)
_ENDED_FROM_OUTSIDE = frozenset({124, 130, 137, 143})
_MISSING = 127


def runs_in(command: str, output: Output, status: int | None) -> list[Run]:
    """The runs of a command, by its output and its status; those that failed first."""
    return listed(judged(plan_of(command), output, status))


def judged(plan: Plan, output: Output, status: int | None) -> dict[int, list[Run]]:
    """The runs of each pipeline that has some."""
    if not plan.parts:
        return {}
    ended = _cut_short(output, status)
    statuses = statuses_of(plan, output.text, None if ended else status)
    aside = put_aside(plan)
    found = {
        part.at: [] if part.at in aside else _of_part(plan, part, output, statuses, ended)
        for part in plan.parts
    }
    follow_chains(plan, found, output.text, None if ended else status)
    return found


def listed(found: dict[int, list[Run]]) -> list[Run]:
    """The runs of all pipelines; those that failed first."""
    order = {"failed": 0, "unknown": 1, "passed": 2}
    runs = [run for those in found.values() for run in those]
    return sorted(runs, key=lambda run: order[run.state])


def _cut_short(output: Output, status: int | None) -> str:
    if output.is_timed_out or status == 124:
        return "it was ended by a time-out"
    if output.is_running:
        return "it went on in the background"
    return "it was ended from outside" if status in _ENDED_FROM_OUTSIDE else ""


def _of_part(
    plan: Plan, part: Part, output: Output, statuses: dict[int, int], ended: str
) -> list[Run]:
    shown = " ".join(part.pipeline.stages[0].words)[:REASON_LENGTH]
    if part.pipeline.is_background:
        ended = "it went on in the background"
    if ended:
        if not part.is_check:
            return []
        return [Run(part.name, part.kind, _runner_name(part.row), shown, "unknown", reason=ended)]
    view = _seen(view_through(part.pipeline.stages, output.lines), output)
    status = statuses.get(part.at)
    twins = [one for one in plan.parts if one.row is part.row]
    own = _own(part, twins, output, view, status, plan)
    runs: list[Run] = []
    if isinstance(part.row, Script) or part.row.is_script:
        runs = list(runs_within(plan, part, shown, output, view, status))
    tells = own.state != "unknown" or not runs
    has_cause = own.state == "failed" and any(run.state == "failed" for run in runs)
    is_script = isinstance(part.row, Script)
    if part.is_check and tells and not (is_script and (has_cause or _says_the_same(runs, own))):
        cause = _cause_in(runs)
        reason = f"{cause.name}: {cause.reason}" if cause and own.state == "failed" else own.reason
        runs.insert(
            0,
            Run(
                part.name,
                part.kind,
                _runner_name(part.row),
                shown,
                own.state,
                own.passed,
                own.failed,
                reason,
            ),
        )
    elif is_script and own.state == "failed" and not has_cause and runs:
        runs.insert(0, Run(part.name, part.kind, part.name, shown, "failed", reason=own.reason))
    if isinstance(part.row, Script):
        return [run._replace(script=part.name) for run in runs]
    return runs


def _cause_in(runs: list[Run]) -> Run | None:
    """The run that made a script or a hook fail: what checks, before what only runs checks."""
    failed = [run for run in runs if run.state == "failed"]
    return min(failed, key=lambda run: run.kind == "hook", default=None)


def _says_the_same(runs: list[Run], own: Verdict) -> bool:
    """Whether a script's inner runs say what the script would."""
    return own.state == "passed" and any(run.state == "passed" for run in runs)


def _runner_name(row: Runner | Script) -> str:
    return row.name if isinstance(row, Runner) else row.program


def _seen(view: View, output: Output) -> View:
    if output.has_middle and output.has_end:
        return view
    return view._replace(
        has_all=view.has_all and output.has_middle, has_end=view.has_end and output.has_end
    )


def _own(
    part: Part,
    twins: list[Part],
    output: Output,
    view: View,
    status: int | None,
    plan: Plan,
) -> Verdict:
    """What a part's own lines and status say of it."""
    text = output.text
    if len(twins) > 1:
        text = _share(part, twins, text)
    if len(twins) == 1 and (done := _finally_done(part.row, text)):
        return Verdict("passed", reason=done, is_evident=True)
    verdict = read_lines(part.row, text, view, status, part.is_wrapped)
    if part.kind == "git" and status == 0 and not part.is_wrapped:
        # `git status` beside it prints what a commit prints that has nothing to do.
        return Verdict("passed", reason="exit status 0")
    if len(twins) > 1 and verdict.state == "failed" and _names_another(part, twins, output.text):
        return Verdict("unknown", reason="another script of the command failed")
    if verdict.state == "failed":
        return verdict
    carried = _carrier_failed(part, text) if status != 0 else ""
    if carried:
        return Verdict("failed", reason=carried, is_evident=True)
    if verdict.state == "passed" and status not in (None, 0):
        return Verdict("failed", verdict.passed, reason=f"exit status {status}", is_evident=True)
    if verdict.state == "unknown" and status is not None:
        if status == 0:
            if part.is_wrapped and not verdict.is_evident:
                return Verdict("unknown", reason="a wrapper's status")
            return Verdict("passed", verdict.passed, reason="exit status 0")
        is_alone = len(plan.parts) == 1 and output.lines == 1
        reason = _why_status(status, output.text if is_alone else "")
        return Verdict("failed", reason=_misused(output.text) or reason)
    if verdict.state == "unknown" and len(plan.parts) == 1 and (complaint := _not_started(text)):
        return Verdict("failed", reason=complaint)
    if verdict.state == "unknown" and _is_silently_well(part, plan, text, view):
        return Verdict("passed", reason="nothing printed")
    if verdict.state == "unknown" and _is_sifted_to_nothing(plan, text, view):
        return Verdict("unknown", reason=NOTHING_SEEN)
    return verdict


def _is_sifted_to_nothing(plan: Plan, text: str, view: View) -> bool:
    """Whether a filter was to show lines of a runner that ran alone, and there were none."""
    is_alone = len(plan.parts) == 1 and view.sieve is not None and not view.is_counted
    return is_alone and _NO_OUTPUT.fullmatch(text) is not None


def _finally_done(row: Runner | Script, text: str) -> str:
    """The line by which a program says that it is done, where nothing behind it undoes that."""
    if isinstance(row, Script) or not row.is_final:
        return ""
    found = first_match(lines_of(row).passed, text)
    return line_of(found) if found else ""


def _why_status(status: int, only_line: str) -> str:
    if status < 0:  # the agent flags it as an error, and tells no status
        return only_line[:REASON_LENGTH] or "exit status unknown"
    return "the program was not found" if status == _MISSING else f"exit status {status}"


def _misused(text: str) -> str:
    """What a program or a shell says of words that it does not take: nothing ran."""
    found = _MISUSED.search(text)
    return found[0].strip()[:REASON_LENGTH] if found else ""


def _not_started(text: str) -> str:
    found = _NOT_STARTED.search(text)
    return found[0].strip()[:REASON_LENGTH] if found else ""


def _carrier_failed(part: Part, text: str) -> str:
    """What the script runner in a command says of a failure, if there is one in it."""
    scripts = table().scripts
    for word in part.pipeline.stages[0].words:
        script = scripts.get(word.rpartition("/")[2])
        if script is not None and (found := first_match(lines_of(script).failed, text)):
            return found[0].strip()[:REASON_LENGTH]
    is_npx = "npx" in part.pipeline.stages[0].words
    found = first_match(lines_of(scripts["npm"]).failed, text) if is_npx else None
    return found[0].strip()[:REASON_LENGTH] if found else ""


def _names_another(part: Part, twins: list[Part], text: str) -> bool:
    """Whether the lines of failure name other scripts of the same command, and not this one."""
    failed = set(_FAILED_SCRIPT.findall(text))
    named = {one.name.rpartition(" ")[2] for one in twins} & failed
    return bool(named) and part.name.rpartition(" ")[2] not in named


def _share(part: Part, twins: list[Part], text: str) -> str:
    """Of an output with several summaries of one runner, the piece that ends with this one's."""
    lines = lines_of(part.row)
    ends = sorted(
        {found.end() for one in (*lines.passed, *lines.failed) for found in one.finditer(text)}
    )
    if len(ends) != len(twins):
        return text
    at = [one.at for one in twins].index(part.at)
    return text[ends[at - 1] if at else 0 : ends[at]]


def _is_silently_well(part: Part, plan: Plan, text: str, view: View) -> bool:
    """Whether a runner that says nothing where all is well said nothing."""
    row = part.row
    if isinstance(row, Script) or not row.is_silent or part.is_wrapped or not view.is_whole:
        return False
    if any(stage.hides_errors or stage.hides_out for stage in part.pipeline.stages):
        return False
    return not _unexplained(plan, part.at, text, lines_of(row))


def _unexplained(plan: Plan, index: int, text: str, lines: Lines) -> str:
    """What is left of an output without the frames of scripts and what `echo` printed."""
    if not text.strip():
        return ""
    others = [line for at, line in enumerate(plan.pipelines) if at != index]
    if any(line.stages[0].words[0] not in (*_ECHOING, "cd", "set", "export") for line in others):
        return text
    echoed = {" ".join(line.stages[0].words[1:]).strip() for line in others}
    left = [
        line
        for line in text.split("\n")
        if line.strip()
        and line.strip() not in echoed
        and not FRAME.match(line)
        and not any(one.search(line) for one in lines.ignored)
    ]
    return "\n".join(left)
