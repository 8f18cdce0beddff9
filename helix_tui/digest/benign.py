"""Exits that are answers, not errors: `grep` finds nothing, `diff` finds a difference."""

from __future__ import annotations

import re

from helix_tui.text.phrases import NO_OUTPUT

# Programs that say no by exiting with 1, as the last command of a line.
_ASKING = re.compile(
    r"(?:(?:e|f|z)?grep|rg|ag|ack|diff|cmp|test|\[{1,2}|pgrep|which|type|command -v"
    r"|git (?:-\S{1,80} ){0,4}(?:diff|grep|merge-base --is-ancestor|check-ignore|ls-files)"
    r"|systemctl is-\w{1,20}|false|expr)(?=\s|$)"
)
_SHOWING = re.compile(r"(?:diff|cmp|which|type|command -v|git (?:-\S{1,80} ){0,4}diff)(?=\s|$)")
_QUOTED = re.compile(r"'[^']{0,2000}'|\"(?:[^\"\\]|\\.){0,2000}\"")
_STATEMENTS = re.compile(r"\|\||[;\n]")
_LEAD = re.compile(r"\s{0,9}(?:(?:sudo|time|env|\w{1,40}=\S{0,100}) ){0,4}")


def is_benign(command: str, exit_code: int | None, output: str) -> bool:
    """Whether a command that exited with 1 only gave its answer."""
    if exit_code != 1 or not command or command.endswith("…"):
        return False
    last = _STATEMENTS.split(_QUOTED.sub("''", command))[-1]
    # Any link of a chain may have ended it, and of a pipe the last command answers.
    links = [_LEAD.sub("", link.rpartition("|")[2], count=1) for link in last.split("&&")]
    if NO_OUTPUT.match(output):
        return any(map(_ASKING.match, links))
    return _SHOWING.match(links[-1]) is not None
