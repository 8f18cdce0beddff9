"""Tells what a person wrote from what they pasted: logs, code, quotations, templates."""

from __future__ import annotations

import re
from typing import NamedTuple

# A person's own words are looked for in the beginning and the end of a long text.
_WINDOW = 6000
_LONG = 700
_MOST_OWN_LINES = 14
_FENCE = "```"
_HEADINGS = re.compile(r"(?m)^#{1,4} \S")
_ITEMS = re.compile(r"(?m)^\s{0,6}(?:[-*•]|\d{1,2}[.)]) \S")
# A line that a program printed: a stamp, a frame of a stack, a rule, a prompt of a shell, a place.
_PRINTED = re.compile(
    r"""\s{0,40}(?:
    \d{1,4}[-:/.]\d{1,2}[-:/.]\d{1,4}\S{0,20}\s
    |\[?\d\d:\d\d:\d\d
    |at\s\S{1,200}[(:]
    |File\s"[^"]{1,300}",\sline\s\d
    |Traceback\s\(most
    |\d{0,6}\s?\|
    |[>❯➜]\s\S
    |\S{0,80}[%$]\s\S
    |[=_-]{6,}
    |(?:FAIL(?:ED)?|PASS(?:ED)?|npm\sERR!|GET|POST)\s
    |(?:error|warning|fatal|panic|note|help)(?:\[\w{1,12}\])?:\s
    |thread\s'|test\s\S{1,200}\s\.\.\.\s|running\s\d{1,6}\stests?
    |\S{1,200}:\d{1,6}(?::\d{1,6})?[:\s)]
    |(?:-->|==>|\+\+\+|---|@@|diff\s--git)\s
    |[A-Z]\w{2,40}(?:Error|Exception|Warning)\b
    |[✓✗✔✖×●✘]\s
    )""",
    re.VERBOSE,
)
# What a failing program prints, whatever language its user speaks.
_FAILED = re.compile(
    r"\b(?:Traceback \(most|error(?:\[\w{1,12}\])?:"
    r"|ERROR\b|ERR!|FAIL(?:ED|URES?)?\b|fatal: |panicked at\b|panic: |failures?:"
    r"|exit(?:ed with)?(?: code| status)?:? [1-9]\d{0,2}\b|NS_ERROR_|command not found\b"
    r"|failed to \w|[Nn]o (?:such|module|space|matching|rule to|route to)\b"
    r"|cannot (?:find|open|import|read)\b|Segmentation fault\b"
    r"|undefined (?:reference|symbol)|warning(?:\[\w{1,12}\])?: |Assertion\w{0,8}\b"
    r"|[45]\d\d (?:\(|Not Found|Internal)|(?:npm|pnpm) ERR|was blocked because\b)|[✗✖✘] "
)
# The name of an error, of at most 40 signs before its last part: found by that part first.
_THROWN = re.compile(r"(?:Error(?<!\w{41}Error)|Exception(?<!\w{41}Exception))\b[:\s(]")
_QUOTED = re.compile(r"(?m)^\s{0,3}>[^\n]{0,2000}$")


def fault_in(text: str) -> bool:
    """Whether a text holds what a failing program prints."""
    return _THROWN.search(text) is not None or _FAILED.search(text) is not None


class Written(NamedTuple):
    """A turn's own words, and what else it holds."""

    own: str
    has_failure: bool
    is_pasted: bool
    is_task: bool
    is_long: bool


def written_in(text: str) -> Written:
    """A person's own words in a turn, and whether the rest is a failure's output."""
    piece = text if len(text) <= 2 * _WINDOW else f"{text[:_WINDOW]}\n{text[-_WINDOW:]}"
    own, pasted = _parts(piece)
    has_failure = fault_in(piece)
    is_task = _is_task(own, is_log=pasted and has_failure)
    return Written(own[:_LONG], has_failure, pasted, is_task, len(own) > _LONG and not pasted)


def _parts(text: str) -> tuple[str, bool]:
    """The lines that a person wrote, and whether there are others."""
    own: list[str] = []
    pasted = 0
    for number, block in enumerate(text.split(_FENCE)):
        if number % 2:
            pasted += 1
            continue
        lines = _QUOTED.sub("", block).split("\n")
        printed = [_PRINTED.match(line) is not None for line in lines]
        # A log goes on between lines that are plainly printed.
        is_log = sum(printed) >= 2 and 3 * sum(printed) >= len([line for line in lines if line])
        for line, is_printed in zip(lines, printed, strict=True):
            if is_printed or (is_log and own and not reads_as_sentence(line)):
                pasted += bool(line.strip())
            elif line.strip():
                own.append(line.strip())
    if len(own) > _MOST_OWN_LINES and pasted and not _HEADINGS.search("\n".join(own)):
        own = [line for line in (*own[:3], *own[-2:]) if reads_as_sentence(line)]
    return "\n".join(own), pasted > 0


def reads_as_sentence(line: str) -> bool:
    """Whether a line reads like a sentence: mostly letters, few signs of code."""
    line = line.strip()
    letters = sum(sign.isalpha() or sign == " " for sign in line)
    return len(line) > 3 and letters >= 0.8 * len(line) and not line.startswith((" ", "\t"))


def _is_task(own: str, *, is_log: bool) -> bool:
    """Whether a text is a document or so structured that it asks for new work, as templates do."""
    if _HEADINGS.match(own):
        return True
    headings, items = len(_HEADINGS.findall(own)), len(_ITEMS.findall(own))
    if is_log:
        return False  # what a program prints has rules and comments of its own
    return headings >= 3 or items >= 6 or (len(own) > 400 and headings + items >= 3)
