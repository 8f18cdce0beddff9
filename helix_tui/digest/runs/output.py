"""A call's output as a runner wrote it: without a harness's head, colours, or half lines."""

from __future__ import annotations

import re
from typing import NamedTuple

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-B0-2]")
# What stands before the output: Codex's head, and the line by which Claude Code tells the status.
_HEAD = re.compile(
    r"(?:(?:Exit code|Wall time|Chunk ID|Process exited with code|Process running with session ID"
    r"|Original token count|Total output lines)\b[^\n]*\n){1,8}Output:\n?"
)
_STATUS = re.compile(r"(?:Error: )?Exit code:? (-?\d{1,4})(?:\n|$)")
_RUNNING = re.compile(
    r"Process running with session ID |Command (?:is )?running in background with ID"
    r"|Command (?:was )?moved to (?:the )?background|Background (?:task|command) started"
)
_TIMED_OUT = re.compile(
    r"(?:Error: )?(?:Exit code:? \d{1,4}\s{1,2})?(?i:command timed out)|failed in sandbox"
    r" \S{1,40} with execution error: command timed out|.{0,80}\b[Tt]imed out after \d",
)
_CUT = re.compile(
    r"^[^\n]*(?:(?:\.{3}|…|\[)[^\n]{0,40}(?:\d[\d,]* (?:of \d+ )?(?:characters|chars|lines|tokens"
    r"|bytes)[^\n]{0,20}(?:truncated|omitted|elided)|truncated to fit|output truncated"
    r"|omitted \d+ of \d+ lines)|Output too large|<persisted-output>)[^\n]*\n?(?:[^\n]*\n?)?",
    re.MULTILINE,
)
_CUT_WORDS = ("truncated", "omitted", "elided", "Output too large", "<persisted-output>")
_KEPT_ELSEWHERE = ("Output too large", "<persisted-output>")
_EXAMINED = 6_000


class Output(NamedTuple):
    """What a call printed, as far as it is there; `lines` is how many there are."""

    text: str
    lines: int
    has_middle: bool = True
    has_end: bool = True
    is_timed_out: bool = False
    is_running: bool = False
    status: int | None = None


def read_output(text: str) -> Output:
    """An output in any harness's dress."""
    status = None
    start = text[:600]
    is_running = _RUNNING.search(start) is not None
    is_timed_out = _TIMED_OUT.match(text) is not None
    head = _HEAD.match(text)
    if head is not None:
        text = text[head.end() :]
        is_timed_out = is_timed_out or _TIMED_OUT.match(text) is not None
    elif told := _STATUS.match(text):
        status = int(told[1])
        text = text[told.end() :]
    if "\x1b" in text:
        text = _COLOURS.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    has_middle = has_end = True
    if any(word in text for word in _CUT_WORDS):
        cut = _CUT.sub("\n\0\n", text)
        if cut != text:
            has_middle = False
            has_end = not any(word in text for word in _KEPT_ELSEWHERE)
            has_end = has_end and not cut.rstrip().endswith("\0")
            text = cut
    if len(text) > 2 * _EXAMINED:
        has_middle = False
        end = text[-_EXAMINED:]
        text = f"{text[:_EXAMINED]}\n\0\n{end[end.find(chr(10)) + 1 :]}"
    text = text.rstrip()
    lines = text.count("\n") + 1 if text else 0
    return Output(text, lines, has_middle, has_end, is_timed_out, is_running, status)
