"""Exits that are answers, not errors: `grep` finds nothing, `diff` finds a difference."""

from __future__ import annotations

import re

from helix_tui.text.signature.phrases import NO_OUTPUT
from helix_tui.text.signature.signature import class_in

_GIT = r"git (?:-[Cc] \S{1,200} |-\S{1,80} ){0,4}"
# Programs that look for a program: what they do not find is not missing.
_PROBE = r"which|type|command -v|hash"
# Programs of which an exit of 1 is a no, and never an error.
_NO = (
    rf"(?:e|f|z)?grep|rg|ag|ack|test|\[{{1,2}}|pgrep|systemctl is-\w{{1,20}}|{_PROBE}"
    rf"|{_GIT}(?:grep|merge-base --is-ancestor|check-ignore|show-ref|config)"
)
_SHOWN = rf"diff|cmp|{_GIT}diff|{_PROBE}"
_PROBING = re.compile(rf"(?:{_PROBE})(?=\s|$)")
_DENYING = re.compile(rf"(?:{_NO})(?=\s|$)")
_SHOWING = re.compile(rf"(?:{_SHOWN})(?=\s|$)")
_ASKING = re.compile(rf"(?:{_NO}|{_SHOWN}|{_GIT}ls-files|false|expr)(?=\s|$)")
_QUOTED = re.compile(r"'[^']{0,2000}'|\"(?:[^\"\\]|\\.){0,2000}\"")
_STATEMENTS = re.compile(r"\|\||[;\n]")
_LEAD = re.compile(r"\s{0,9}(?:(?:sudo|time|env|\w{1,40}=\S{0,100}) ){0,4}")
_NOT_FOUND = 127
_EXAMINED = 8192


def is_benign(command: str, exit_code: int | None, output: str) -> bool:
    """Whether a command that exited with 1 only gave its answer."""
    if exit_code not in (1, _NOT_FOUND) or not command or command.endswith("…"):
        return False
    last = _STATEMENTS.split(_QUOTED.sub("''", command))[-1]
    chain = [_LEAD.sub("", link, count=1) for link in last.split("&&")]
    # Any link of a chain may have ended it, and of a pipe the last command answers.
    links = [_LEAD.sub("", link.rpartition("|")[2], count=1) for link in chain]
    if exit_code == _NOT_FOUND:
        return _PROBING.match(links[-1]) is not None
    if NO_OUTPUT.match(output):
        return any(map(_ASKING.match, links))
    if _SHOWING.match(links[-1]):
        return True
    # What was printed is of the statements before, unless it names an error of one of them.
    return _only_denies(chain) and not _names_error(output)


def _only_denies(chain: list[str]) -> bool:
    """Whether nothing in a chain can exit with 1 but what says no with that."""
    *before, last = chain
    return (
        "|" not in last
        and _DENYING.match(last) is not None
        and all(link.startswith(("cd ", "echo ")) for link in before)
    )


def _names_error(output: str) -> bool:
    return class_in(output[-_EXAMINED:], "shell") != ""
