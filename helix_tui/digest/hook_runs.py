"""Checks that the agent's own hooks ran, such as those that Claude Code runs when it stops."""

from __future__ import annotations

import json

from helix_tui.digest.person_runs import book_runs
from helix_tui.digest.runs.judge import runs_in
from helix_tui.digest.runs.output import read_output
from helix_tui.digest.state import Memory
from helix_tui.schema import Facts
from helix_tui.text.lazy import lazy

_MARKS = ("] completed successfully: ", "] failed with ")
_SAID = lazy(
    r"(?:\x1b\[\d{1,2}m)?(?:Stop|SubagentStop|PostToolUse(?::[\w-]{1,60})?)(?:\x1b\[\d{1,2}m)? "
    r"\[([^\]\n]{2,400})\] (?:completed successfully|failed with (?:non-blocking )?"
    r"(?:status|exit) code (\d{1,3})): ?"
)
_LONGEST = 200_000
# What formats changes the work, and says nothing of it.
_TELLING = frozenset({"test", "build", "types", "lint", "check", "ci"})
# Of these alone a hook's success counts for the work: a linter that mends as it goes has none.
_WEIGHTY = frozenset({"test", "build", "types", "check", "ci"})


def is_hook_run(text: str) -> bool:
    """Whether a client's record may be that of a hook with its output."""
    return any(mark in text[:2000] for mark in _MARKS)


def note_hook_run(
    facts: Facts, memory: Memory, fingerprint: int, ts: int | None, text: str
) -> None:
    """Takes a record of what a hook ran and printed, with its status."""
    content = _content(text)
    said = _SAID.match(content)
    if said is None:
        return
    status = int(said[2] or 0)
    runs = runs_in(said[1], read_output(content[said.end() :]), status)
    telling = [run for run in runs if run.kind in _TELLING]
    if any(run.state == "failed" or run.kind in _WEIGHTY for run in telling):
        book_runs(facts, memory, fingerprint, ts, said[1], telling)


def _content(text: str) -> str:
    if not text.startswith("{"):
        return text
    try:
        record = json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        return ""
    content = record.get("content") if isinstance(record, dict) else None
    return content if isinstance(content, str) else ""
