"""Checks that hooks ran, with what they printed."""

from __future__ import annotations

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.digest.scenes import edit

SESSION = [
    # what hooks say behind the last edit, the outcome
    ("\x1b[1mStop\x1b[22m [uv run pytest] completed successfully: 3 passed in 0.1s", "success"),
    ("Stop [uv run pytest] completed successfully: 3 passed in 0.1s", "success"),
    ("Stop [uv run pytest] failed with non-blocking status code 1: 1 failed in 0.1s", "failed"),
    # What formats, and mends as it goes, says nothing of the work.
    ("PostToolUse:Edit [ruff format] completed successfully: 1 file left unchanged", "unknown"),
    ("Stop [ruff check --fix] completed successfully: All checks passed!", "unknown"),
    # A part of a pipe has no status of its own.
    ("Stop [pytest | tail -1] completed successfully: collected 3 items", "unknown"),
]


@pytest.mark.parametrize(("said", "outcome"), SESSION)
def test_what_a_hook_ran_counts(bench: Workbench, said: str, outcome: str) -> None:
    log = ClaudeLog()
    log.prompt("read the table only once")
    edit(log)
    log.reply("It is done.")
    log.add("system", content=said, level="info", toolUseID="t1", isMeta=False)
    log.write(bench.home)
    bench.sweep()
    assert bench.session().outcome == outcome
