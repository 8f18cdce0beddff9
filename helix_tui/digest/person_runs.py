"""Checks that a person ran in the agent's shell, beside the agent's own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.digest.ending import note_check
from helix_tui.digest.excerpt import excerpt, excerpt_line
from helix_tui.digest.run_facts import have_checks_passed, record_run
from helix_tui.digest.runs.judge import runs_in
from helix_tui.digest.runs.output import read_output
from helix_tui.digest.runs.run import Run
from helix_tui.digest.state import Memory
from helix_tui.schema import Facts

_INPUT = "<bash-input>"
_OUTPUT = "<bash-stdout>"
_TAGS = re.compile(r"</?bash-(?:input|stdout|stderr)>")
_LENGTH = 4000
_COMMAND_LENGTH = 200


def note_person_run(
    facts: Facts, memory: Memory, fingerprint: int, ts: int | None, text: str
) -> None:
    """Takes a record of a person's command, or of what it printed; no status is recorded."""
    if text.startswith(_INPUT):
        memory.person_ran = excerpt(_TAGS.sub("", text[:_LENGTH]).strip(), _LENGTH)
    elif text.startswith(_OUTPUT) and memory.person_ran:
        command, memory.person_ran = memory.person_ran, ""
        runs = runs_in(command, read_output(_TAGS.sub("\n", text)), None)
        book_runs(facts, memory, fingerprint, ts, command, runs)


def book_runs(
    facts: Facts,
    memory: Memory,
    fingerprint: int,
    ts: int | None,
    command: str,
    runs: Sequence[Run],
) -> None:
    """Takes runs of checks that no call of the agent's tools made."""
    for run in runs:
        record_run(facts, run, fingerprint, ts)
    has_passed = have_checks_passed(runs)
    if has_passed is not None:
        facts.checks_passed += has_passed
        facts.checks_failed += not has_passed
        facts.last_check = excerpt_line(command, _COMMAND_LENGTH)
        facts.last_check_passed = has_passed
        facts.edits_since_check = memory.code_edits = 0
        facts.checks_since_prompt += 1
        note_check(facts.ending, has_passed=has_passed)
