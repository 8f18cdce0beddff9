"""Errors that came again behind what was taken for their cure: what was thought did not hold."""

from __future__ import annotations

import re

from helix_tui.schema import Facts

_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_SILENT = re.compile(r"(?i)^\W*(?:\(?no (?:output|content)\)?|exit (?:code|status) \d+)?\W*$")


def came_back(facts: Facts) -> frozenset[int]:
    """The results whose error, or whose red check, was met again at the next run or later."""
    last: dict[tuple[str, str], int] = {}
    for error in facts.errors:
        last[error.group, _plain(error.line)] = error.fingerprint
    again = {
        error.fingerprint
        for error in facts.errors
        if not _SILENT.match(error.line)
        and last[error.group, _plain(error.line)] != error.fingerprint
    }
    return frozenset(again | _still_red(facts))


def _still_red(facts: Facts) -> set[int]:
    """The runs of a check behind which the next run of it failed by as much, or for the same."""
    found: set[int] = set()
    for at, run in enumerate(facts.runs):
        if run.state != "failed" or run.kind == "git":
            continue
        following = (
            later
            for later in facts.runs[at + 1 :]
            if later.name == run.name and later.fingerprint != run.fingerprint
        )
        later = next((one for one in following if one.state != "unknown"), None)
        if later is None or later.state != "failed":
            continue
        is_same = bool(run.reason) and run.reason == later.reason
        is_as_red = later.failed >= run.failed if run.failed and later.failed else is_same
        if is_as_red:
            found.add(run.fingerprint)
    return found


def _plain(line: str) -> str:
    return _NUMBER.sub("#", " ".join(line.split()))
