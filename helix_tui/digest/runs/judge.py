"""What came of the checks that a command ran: passed, failed, or not to be known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from helix_tui.digest.runs.filters import WHOLE, View, view_through
from helix_tui.digest.runs.output import Output
from helix_tui.digest.runs.recognise import Part, Plan, may_run, plan_of
from helix_tui.digest.runs.status import has_own_status, statuses_of
from helix_tui.digest.runs.table import Kind, Lines, Runner, Script, lines_of, table

State = Literal["passed", "failed", "unknown"]
# What a script's runner prints before each command of it, and behind all.
_HEADER = re.compile(r"^(?:\[[\w:./@-]{1,60}\] )?(?:>|\$) (\S[^\n]{0,500})$", re.MULTILINE)
_FRAME = re.compile(
    r"^(?:\[[\w:./@-]{1,60}\] )?(?:[>$] .*|Finished in [\d.]+m?s|npm (?:warn|notice) .*|\s*)$"
)
_LABEL = re.compile(
    r"^(?:\[[\w:./@-]{1,60}\] +|[\w@/.-]{1,60}:[\w.:-]{1,40}: |[\w@/.-]{1,60} [\w:.-]{1,40}[:|] )",
    re.MULTILINE,
)
_ECHOING = ("echo", "printf")
_ECHOED_BY = frozenset({"make", "just"})
_MOST_HEADERS = 12
_NOT_STARTED = re.compile(
    r"^(?:(?:/\S*/)?(?:ba|z|da|k)?sh|\(eval\)|env|npm error|uv|error)(?:: ?(?:line )?\d+)?: .*"
    r"(?:command not found|not found|No such file or directory|Permission denied)"
    r"|^(?:/\S*/)?(?:ba|z|da)?sh:.*: (?:command )?not found|^command not found: "
    r"|: No module named \S+$|^error: Failed to spawn: ",
    re.MULTILINE,
)
# What programs that are no checks say where they end a chain before the check runs.
_OTHERS_FAILED = re.compile(
    r"^(?:fatal|error|CONFLICT|npm ERR!|npm error|ERROR"
    r"|\w[\w.-]{0,40}: .*(?:No such file|denied))\b",
    re.MULTILINE,
)
# Lines that any program may print: they name no runner where no command does.
_ANYBODYS = re.compile(
    r"\s*(?:[✓✔✗✘×]\ufe0f?\s.*|(?:PASS(?:ED)?|FAIL(?:ED)?|OK|ok)"
    r"|\d+ (?:passed|failed|errors?)|Build (?:succeeded|FAILED)\.?"
    r"|(?:│ )?[Ee]rror: (?!could not compile |aborting due to ).*|ERROR:.*)\s*"
)
_ENDED_FROM_OUTSIDE = frozenset({124, 130, 137, 143})
_MISSING = 127
_SHORTEST_REASON = 200


class Run(NamedTuple):
    """One run: the check, the command's part that ran it, what came of it and why that is said."""

    name: str
    kind: Kind
    runner: str
    part: str
    state: State
    passed: int | None = None
    failed: int | None = None
    reason: str = ""


class _Verdict(NamedTuple):
    state: State
    passed: int | None = None
    failed: int | None = None
    reason: str = ""
    is_evident: bool = False  # its own output tells that it ran


_UNKNOWN = _Verdict("unknown", reason="its output does not tell")


def runs_in(command: str, output: Output, status: int | None) -> list[Run]:
    """The runs of a command, by its output and its status; those that failed first."""
    plan = plan_of(command)
    if not plan.parts:
        return []
    ended = _cut_short(output, status)
    statuses = statuses_of(plan, output.text, None if ended else status)
    found = {part.at: _of_part(plan, part, output, statuses, ended) for part in plan.parts}
    _follow_chains(plan, found, output.text, None if ended else status)
    order = {"failed": 0, "unknown": 1, "passed": 2}
    runs = [run for listed in found.values() for run in listed]
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
    shown = " ".join(part.pipeline.stages[0].words)[:_SHORTEST_REASON]
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
        runs = list(_within(plan, part, shown, output, view, status))
    is_told = own.state != "unknown" or not runs
    has_cause = own.state == "failed" and any(run.state == "failed" for run in runs)
    is_script = isinstance(part.row, Script)
    if part.is_check and is_told and not (is_script and (has_cause or _is_told_by(runs, own))):
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
    return runs


def _cause_in(runs: list[Run]) -> Run | None:
    """The run that made a script or a hook fail: what checks, before what only runs checks."""
    failed = [run for run in runs if run.state == "failed"]
    return min(failed, key=lambda run: run.kind == "hook", default=None)


def _is_told_by(runs: list[Run], own: _Verdict) -> bool:
    """Whether a script's inner runs say what the script would."""
    return own.state == "passed" and any(run.state == "passed" for run in runs)


def _runner_name(row: Runner | Script) -> str:
    return row.name if isinstance(row, Runner) else row.program


def _seen(view: View, output: Output) -> View:
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
) -> _Verdict:
    """What a part's own lines and status say of it."""
    text = output.text
    if len(twins) > 1:
        text = _share(part, twins, text)
    verdict = _by_lines(part.row, text, view, status, part.is_wrapped)
    if part.kind == "git" and status == 0 and not part.is_wrapped:
        # `git status` beside it prints what a commit prints that has nothing to do.
        return _Verdict("passed", reason="exit status 0")
    if verdict.state == "failed":
        return verdict
    carried = _carrier_failed(part, text) if status != 0 else ""
    if carried:
        return _Verdict("failed", reason=carried, is_evident=True)
    if verdict.state == "passed" and status not in (None, 0):
        return _Verdict("failed", verdict.passed, reason=f"exit status {status}", is_evident=True)
    if verdict.state == "unknown" and status is not None:
        if status == 0:
            if part.is_wrapped and not verdict.is_evident:
                return _Verdict("unknown", reason="a wrapper's status")
            return _Verdict("passed", verdict.passed, reason="exit status 0")
        return _Verdict("failed", reason=_why_status(status))
    if verdict.state == "unknown" and len(plan.parts) == 1 and (said := _not_started(text)):
        return _Verdict("failed", reason=said)
    if verdict.state == "unknown" and _is_silently_well(part, plan, text, view):
        return _Verdict("passed", reason="nothing printed")
    return verdict


def _why_status(status: int) -> str:
    return "the program was not found" if status == _MISSING else f"exit status {status}"


def _not_started(text: str) -> str:
    found = _NOT_STARTED.search(text)
    return found[0].strip()[:_SHORTEST_REASON] if found else ""


def _carrier_failed(part: Part, text: str) -> str:
    """What the script runner in a command says of a failure, if there is one in it."""
    scripts = table().scripts
    for word in part.pipeline.stages[0].words:
        script = scripts.get(word.rpartition("/")[2])
        if script is not None and (found := _first(lines_of(script).failed, text)):
            return found[0].strip()[:_SHORTEST_REASON]
    is_npx = "npx" in part.pipeline.stages[0].words
    found = _first(lines_of(scripts["npm"]).failed, text) if is_npx else None
    return found[0].strip()[:_SHORTEST_REASON] if found else ""


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


def _by_lines(
    row: Runner | Script, text: str, view: View, status: int | None, is_wrapped: bool
) -> _Verdict:
    """What the lines of a runner say, and of its own status only that it was not 0."""
    lines = lines_of(row)
    if view.is_counted:
        return _by_count(row, text, view)
    failed = _first(lines.failed, text)
    if failed is not None:
        return _Verdict(
            "failed",
            _number(lines.passed + lines.counted, text, "passed"),
            _number(lines.failed + lines.counted, text, "failed"),
            _line(failed),
            True,
        )
    passed = _first(lines.passed, text)
    if passed is None and (nothing := _first(lines.nothing, text)):
        reason = f"nothing was run: {_line(nothing)}"
        return _Verdict("failed", 0, None, reason, True)
    if pending := _first(lines.pending, text):
        return _Verdict("unknown", reason=pending[0].strip(), is_evident=True)
    sign = _first(lines.signs, text)
    if passed is not None and _counts(row, view, sign is not None):
        counts = _number(lines.passed + lines.counted, text, "passed")
        return _Verdict("passed", counts, 0, _line(passed), True)
    if sign is not None and status is None and passed is None:
        return _Verdict("failed", reason=_line(sign), is_evident=True)
    if passed is not None:
        return _Verdict("unknown", reason="what would tell a failure is hidden", is_evident=True)
    return _UNKNOWN


def _by_count(row: Runner | Script, text: str, view: View) -> _Verdict:
    """A number of lines: more than none of those that tell a failure is one."""
    if view.sieve is None or not text.isdigit() or int(text) == 0:
        return _UNKNOWN
    sieve = view.sieve
    if sieve.search(row.sample_failed or "\0") and not sieve.search(row.sample_passed or "\0"):
        return _Verdict("failed", None, int(text), f"{text} lines of failures", True)
    return _UNKNOWN


def _counts(row: Runner | Script, view: View, has_sign: bool) -> bool:
    """Whether a line of success counts in what is seen."""
    needs = row.needs if isinstance(row, Runner) else "end"
    if needs == "line":
        return True
    if view.sieve is not None and row.sample_failed and view.sieve.search(row.sample_failed):
        # A filter that lets failures through shows them wherever they stand.
        return not has_sign
    if needs == "end":
        return view.has_end
    return view.is_whole and not has_sign


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((found for one in patterns if (found := one.search(text))), None)


def _line(found: re.Match[str]) -> str:
    """The line that an expression was found in."""
    text = found.string
    end = text.find("\n", found.end())
    line = text[found.start() : end if end >= 0 else len(text)]
    return line.strip()[:_SHORTEST_REASON]


def _number(patterns: tuple[re.Pattern[str], ...], text: str, name: str) -> int | None:
    """What lines count, summed up: a runner of several binaries has one of each."""
    counts = [
        int(found[name])
        for one in patterns
        if name in one.groupindex
        for found in one.finditer(text)
        if found[name]
    ]
    if not counts:
        return None
    return sum(counts)


def _is_silently_well(part: Part, plan: Plan, text: str, view: View) -> bool:
    """Whether a runner that says nothing where all is well said nothing."""
    row = part.row
    if isinstance(row, Script) or not row.is_silent or part.is_wrapped or not view.is_whole:
        return False
    if any(stage.hides_errors or stage.hides_out for stage in part.pipeline.stages):
        return False
    if part.pipeline.stages[1:] and not part.pipeline.stages[0].joins_errors:
        pass  # errors go around the pipe, to the same screen
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
        and not _FRAME.match(line)
        and not any(one.search(line) for one in lines.ignored)
    ]
    return "\n".join(left)


def _within(
    plan: Plan, part: Part, shown: str, output: Output, view: View, status: int | None
) -> Iterator[Run]:
    """The runs that a script's output shows: by the commands it names, by their summaries."""
    text = output.text
    if view.is_counted or not text:
        return
    named = _named_in(part, text)
    bare = _LABEL.sub("", text) if _LABEL.search(text) else ""
    # Some runners end in the same words: a line is that of the runner which the script names.
    claimed: set[str] = set()
    for row in sorted(table().runners, key=lambda one: one.name not in named):
        if row.kind == "git" or any(row is one.row for one in plan.parts):
            continue  # its lines are those of another part
        is_named = row.name in named
        if not is_named and not any(hint in text for hint in row.hints):
            continue
        verdict = _by_lines(row, text, view, None, part.is_wrapped)
        if bare and verdict.state == "unknown" and not verdict.is_evident:
            verdict = _by_lines(row, bare, view, None, part.is_wrapped)
        if not is_named:
            # Lines that only look like a failure are not looked at where nothing names the runner.
            if not verdict.is_evident or verdict.state == "unknown":
                continue
            if _ANYBODYS.fullmatch(verdict.reason):
                continue
            is_sign = verdict.state == "failed" and not _is_decided(row, bare or text, text)
            if is_sign and (part.kind != row.kind or status is not None):
                continue
        elif verdict.state == "unknown":
            verdict = _named_only(row, named[row.name], part, output, view, status, verdict)
        if verdict.state == "unknown":
            continue
        if verdict.state == "failed" and status == 0 and not _is_decided(row, bare or text, text):
            verdict = _Verdict("passed", reason="exit status 0")
        if verdict.reason in claimed:
            continue
        if verdict.is_evident:
            claimed.add(verdict.reason)
        yield Run(
            row.name,
            row.kind,
            row.name,
            shown,
            verdict.state,
            verdict.passed,
            verdict.failed,
            verdict.reason,
        )


def _is_decided(row: Runner, *texts: str) -> bool:
    lines = lines_of(row)
    return any(_first(lines.failed + lines.nothing, text) is not None for text in texts)


def _named_in(part: Part, text: str) -> dict[str, str]:
    """The runners of the commands that a script's runner names in its output."""
    named: dict[str, str] = {}
    headers = [found[1] for found in _HEADER.finditer(text)][:_MOST_HEADERS]
    if isinstance(part.row, Script) and part.row.program in _ECHOED_BY:
        headers += [line for line in text.split("\n")[:40] if may_run(line)][:_MOST_HEADERS]
    for header in headers:
        for inner in plan_of(header).parts:
            if isinstance(inner.row, Runner) and inner.row.kind != "git":
                named[inner.row.name] = header
    return named


def _named_only(
    row: Runner,
    header: str,
    part: Part,
    output: Output,
    view: View,
    status: int | None,
    verdict: _Verdict,
) -> _Verdict:
    """A runner that a script names, and of which nothing decisive is seen."""
    if status == 0:
        return _Verdict("passed", reason="exit status 0")
    if status is not None or not row.is_silent or not view.is_whole:
        return verdict
    behind = output.text.rpartition(header)[2]
    left = [line for line in behind.split("\n") if not _FRAME.match(line)]
    is_last = part.at >= 0 and not left
    return _Verdict("passed", reason="nothing printed") if is_last else verdict


def _follow_chains(plan: Plan, found: dict[int, list[Run]], text: str, status: int | None) -> None:
    """What a run tells of those before and behind it in `a && b`."""
    links = plan.pipelines
    evident = [at for at, runs in found.items() if any(_is_evident(run) for run in runs)]
    for at in sorted(found):
        joined = at
        while joined > 0 and links[joined].joint == "&&":
            joined -= 1
            if at in evident and joined in found and has_own_status(plan, joined):
                found[joined] = [
                    run._replace(state="passed", reason="what follows `&&` ran")
                    if run.state == "unknown"
                    else run
                    for run in found[joined]
                ]
    for at in sorted(found):
        if not any(run.state == "failed" for run in found[at]) or not has_own_status(plan, at):
            continue
        behind = at + 1
        while behind < len(links) and links[behind].joint == "&&":
            if behind in found and behind not in evident:
                found[behind] = []
            behind += 1
    if status in (None, 0):
        return
    # Of a chain that failed, the last one that is not known to have passed.
    if any(run.state == "failed" for runs in found.values() for run in runs):
        return
    start = len(links) - 1
    while start > 0 and links[start].joint == "&&":
        start -= 1
    chain = [at for at in range(start, len(links)) if at in found and has_own_status(plan, at)]
    others = [
        at
        for at in range(start, len(links))
        if at not in found and links[at].stages[0].words[0] not in ("cd", "echo", "export")
    ]
    open_ones = [at for at in chain if any(run.state == "unknown" for run in found[at])]
    is_last = open_ones == [len(links) - 1] and not _OTHERS_FAILED.search(text)
    if len(open_ones) == 1 and (not others or is_last) and links[-1].joint in ("", "&&", ";"):
        found[open_ones[0]] = [
            run._replace(state="failed", reason=f"exit status {status}")
            if run.state == "unknown"
            else run
            for run in found[open_ones[0]]
        ]


def _is_evident(run: Run) -> bool:
    return run.state != "unknown" and not run.reason.startswith(("exit status", "nothing printed"))


__all__ = ["WHOLE", "Run", "State", "runs_in"]
