"""What the lines of one runner say of its run."""

from __future__ import annotations

import re

from helix_tui.digest.runs.expression import Expression
from helix_tui.digest.runs.filters import View
from helix_tui.digest.runs.run import REASON_LENGTH, UNKNOWN, Verdict
from helix_tui.digest.runs.table import Runner, Script, lines_of


def read_lines(
    row: Runner | Script, text: str, view: View, status: int | None, is_wrapped: bool
) -> Verdict:
    """What the lines of a runner say, and of its own status only that it was not 0."""
    lines = lines_of(row)
    if view.is_counted:
        return _by_count(row, text, view)
    failed = first_match(lines.failed, text)
    if failed is not None:
        return Verdict(
            "failed",
            _number(lines.passed + lines.counted, text, "passed"),
            _number(lines.failed + lines.counted, text, "failed"),
            line_of(failed),
            True,
        )
    passed = first_match(lines.passed, text)
    if passed is None and (nothing := first_match(lines.nothing, text)):
        reason = f"nothing was run: {line_of(nothing)}"
        return Verdict("failed", 0, None, reason, True)
    if pending := first_match(lines.pending, text):
        return Verdict("unknown", reason=pending[0].strip(), is_evident=True)
    sign = first_match(lines.signs, text)
    if passed is not None and _counts(row, view, sign is not None):
        counts = _number(lines.passed + lines.counted, text, "passed")
        return Verdict("passed", counts, 0, line_of(passed), True)
    if sign is not None and status is None and passed is None:
        return Verdict("failed", reason=line_of(sign), is_evident=True)
    if passed is not None:
        return Verdict("unknown", reason="what would tell a failure is hidden", is_evident=True)
    return UNKNOWN


def _by_count(row: Runner | Script, text: str, view: View) -> Verdict:
    """A number of lines: more than none of those that tell a failure is one."""
    if view.sieve is None or not text.isdigit() or int(text) == 0:
        return UNKNOWN
    sieve = view.sieve
    if sieve.search(row.sample_failed or "\0") and not sieve.search(row.sample_passed or "\0"):
        return Verdict("failed", None, int(text), f"{text} lines of failures", True)
    return UNKNOWN


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


def decides_failure(row: Runner, *texts: str) -> bool:
    """Whether a line in one of the texts decides for a failure, not only looks like one."""
    lines = lines_of(row)
    return any(first_match(lines.failed + lines.nothing, text) is not None for text in texts)


def first_match(patterns: tuple[Expression, ...], text: str) -> re.Match[str] | None:
    """Where the first of some expressions that occurs in a text is."""
    for pattern in patterns:
        if match := pattern.search(text):
            return match
    return None


def line_of(found: re.Match[str]) -> str:
    """The line that an expression was found in."""
    text = found.string
    end = text.find("\n", found.end())
    line = text[found.start() : end if end >= 0 else len(text)]
    return line.strip()[:REASON_LENGTH]


def _number(patterns: tuple[Expression, ...], text: str, name: str) -> int | None:
    """What lines count, summed up: a runner of several binaries has one of each."""
    counts = [
        int(found[name])
        for one in patterns
        if one.counts(name)
        for found in one.finditer(text)
        if found[name]
    ]
    if not counts:
        return None
    return sum(counts)
