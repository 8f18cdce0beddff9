"""The runs that stand within the output of a script or a hook."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.digest.runs.filters import View
from helix_tui.digest.runs.lines import decides_failure, first_match, line_of, read_lines
from helix_tui.digest.runs.output import Output
from helix_tui.digest.runs.recognise import Part, Plan, may_run, plan_of
from helix_tui.digest.runs.run import Run, Verdict
from helix_tui.digest.runs.table import Runner, Script, lines_of, table

# What a script's runner prints before each command of it, and behind all.
_HEADER = re.compile(r"^(?:\[[\w:./@-]{1,60}\] )?(?:>|\$) (\S[^\n]{0,500})$", re.MULTILINE)
FRAME = re.compile(
    r"^(?:\[[\w:./@-]{1,60}\] )?(?:[>$] .*|Finished in [\d.]+m?s|npm (?:warn|notice) .*|\s*)$"
)
_LABEL = re.compile(
    r"^(?:\[[\w:./@-]{1,60}\] +|[\w@/.-]{1,60}:[\w.:-]{1,40}: |[\w@/.-]{1,60} [\w:.-]{1,40}[:|] )",
    re.MULTILINE,
)
# Lines that any program may print: they name no runner where no command does.
_ANYBODYS = re.compile(
    r"\s*(?:(?!✓ built in \d)[✓✔✗✘×]\ufe0f?\s.*|(?:PASS(?:ED)?|FAIL(?:ED)?|OK|ok)"
    r"|\d+ (?:passed|failed|errors?)|Build (?:succeeded|FAILED)\.?"
    r"|(?:│ )?[Ee]rror: (?!could not compile |aborting due to ).*|ERROR:.*)\s*"
)
_ECHOED_BY = frozenset({"make", "just"})
_MOST_HEADERS = 12


def runs_within(
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
    others = {part.row.name for part in plan.parts if isinstance(part.row, Runner)}
    rows = rows_for(text, named)
    for row in rows:
        if row.kind == "git" or row.name in others:
            continue  # its lines are those of another part
        is_named = row.name in named
        verdict = read_lines(row, text, view, None, part.is_wrapped)
        if bare and verdict.state == "unknown" and not verdict.is_evident:
            verdict = read_lines(row, bare, view, None, part.is_wrapped)
        if not is_named:
            # Lines that only look like a failure are not looked at where nothing names the runner.
            if not verdict.is_evident or verdict.state == "unknown":
                continue
            if _ANYBODYS.fullmatch(verdict.reason):
                continue
            if _is_anothers(row, verdict, rows, others, (bare or text, text)):
                continue
            is_sign = verdict.state == "failed" and not decides_failure(row, bare or text, text)
            if is_sign and (part.kind != row.kind or status is not None):
                continue
        elif verdict.state == "unknown":
            verdict = _named_only(row, named[row.name], part, output, view, status, verdict)
        if verdict.state == "unknown":
            continue
        if (
            verdict.state == "failed"
            and status == 0
            and not decides_failure(row, bare or text, text)
        ):
            verdict = Verdict("passed", reason="exit status 0")
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


def _is_anothers(
    row: Runner, verdict: Verdict, rows: list[Runner], named: set[str], texts: tuple[str, ...]
) -> bool:
    """Whether the line that decides may be that of a runner which the command names beside it.

    Or of one of which more lines are seen.
    """
    own = _own_lines(row, *texts)
    return any(
        other is not row
        and _own_lines(other, *texts) + (other.name in named) > own
        and any(
            first_match(one, verdict.reason) is not None
            for one in (lines_of(other).failed, lines_of(other).passed)
        )
        for other in rows
    )


def _own_lines(row: Runner, *texts: str) -> int:
    """How many of a runner's lines of success and failure stand in a text."""
    lines = lines_of(row)
    return sum(
        any(one.search(text) is not None for text in texts)
        for one in (*lines.failed, *lines.passed)
    )


def failed_within(text: str) -> re.Match[str] | None:
    """Where the last line is that decides for a failure of a runner that nothing names."""
    lines = (one for row in rows_for(text, {}) for one in lines_of(row).failed)
    found = [match for one in lines for match in one.finditer(text)]
    own = [match for match in found if not _ANYBODYS.fullmatch(line_of(match))]
    return max(own, key=lambda match: match.end(), default=None)


def rows_for(text: str, named: dict[str, str]) -> list[Runner]:
    """The runners that a text may be of: those that it names, then those that it hints at."""
    known = table()
    held = (hint for stem in filter(text.__contains__, known.hints) for hint in known.hints[stem])
    numbers = {number for hint in held if hint in text for number in known.by_hint[hint]}
    if named:
        numbers |= {at for at, row in enumerate(known.runners) if row.name in named}
    rows = [known.runners[number] for number in sorted(numbers)]
    return sorted(rows, key=lambda row: row.name not in named) if named else rows


def _named_in(part: Part, text: str) -> dict[str, str]:
    """The runners of the commands that a script's runner names in its output."""
    named: dict[str, str] = {}
    headers = [found[1] for found in _HEADER.finditer(text)][:_MOST_HEADERS]
    if isinstance(part.row, Script) and part.row.program in _ECHOED_BY:
        lines = text.split("\n", 40)[:40]
        if may_run("\n".join(lines)):
            headers += [line for line in lines if may_run(line)][:_MOST_HEADERS]
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
    verdict: Verdict,
) -> Verdict:
    """A runner that a script names, and of which nothing decisive is seen."""
    if status == 0:
        return Verdict("passed", reason="exit status 0")
    if status is not None or not row.is_silent or not view.is_whole:
        return verdict
    behind = output.text.rpartition(header)[2]
    left = [line for line in behind.split("\n") if not FRAME.match(line)]
    is_last = part.at >= 0 and not left
    return Verdict("passed", reason="nothing printed") if is_last else verdict
