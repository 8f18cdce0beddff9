"""Failures that a harness tells in words, and complaints that no status tells."""

from __future__ import annotations

import pytest

from helix_tui.digest.background import background_failure_in
from helix_tui.digest.harness_failures import Wording, harness_failure_in, wordings
from helix_tui.digest.runs.unflagged import complaint_in
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


@pytest.mark.parametrize("row", wordings(), ids=[row.sample[:30] for row in wordings()])
def test_each_wording_is_known_by_its_kind(row: Wording) -> None:
    failure = harness_failure_in(row.sample, "web" if row.anywhere else "shell")
    assert failure is not None
    assert failure.kind == row.kind


def test_an_unknown_wording_is_kept_as_such() -> None:
    failure = harness_failure_in(
        "This command was forbidden by the workspace guard: no pushes", "shell"
    )
    assert failure is not None
    assert failure.kind == "unknown"
    assert "workspace guard" in failure.text


@pytest.mark.parametrize("text", ["all done", "12 files changed", "x" * 900, ""])
def test_plain_output_is_nobodys_voice(text: str) -> None:
    assert harness_failure_in(text, "shell") is None
    assert harness_failure_in("This command was forbidden by policy", "read") is None


@pytest.mark.parametrize(
    ("command", "text", "is_failure"),
    [
        ("git diff HEAD~1 a.py | grep x", "fatal: ambiguous argument 'a.py'", True),
        ("grep -oP x a.txt | sort", "grep: invalid option -- P\nusage: grep", True),
        ("git foo 2>&1; echo '---'; ls", "error: unknown subcommand: `foo'\n---\na.py", True),
        ("ls; echo '---'; git foo 2>&1 | head", "a.py\n---\nerror: no such thing", True),
        ("./serve &", "zsh:1: nice(5) failed: operation not permitted", True),
        ("cd nowhere; ls", "zsh:cd:1: no such file or directory: nowhere", True),
        ("mix test | tail", "(eval):unset:65: no such hash table element: _hook\nok", False),
        ("cat notes.txt | head", "error: this is a note", False),
        ("git log | head", "first\nerror: is a word in a message", False),
        ("git foo || true; ls", "fatal: not a git repository", False),
        ("git status", "fatal: flagged by its own status", False),
        ("bash x.sh; ls", "bash: line 3: warning: here-document", False),
    ],
)
def test_a_programs_own_complaint(command: str, text: str, is_failure: bool) -> None:
    assert bool(complaint_in(command, text)) is is_failure


def test_a_long_word_is_looked_at_no_further_than_a_harness_speaks() -> None:
    # To lay the wordings on all of it would take hours.
    assert harness_failure_in("x" * 20_000_000, "shell") is None


@pytest.mark.parametrize(
    ("status", "failure"), [("failed", 'Agent "Read" failed: the table is gone'), ("completed", "")]
)
def test_what_failed_in_the_background(status: str, failure: str) -> None:
    summary = 'Agent "Read" failed: the table is gone'
    text = (
        f"<task-notification>\n<task-id>a1</task-id>\n<status>{status}</status>\n"
        f"<summary>{summary}</summary>\n</task-notification>"
    )
    assert background_failure_in(text) == failure
    assert background_failure_in(f"it said: {text}") == ""


def test_a_sub_agent_that_died_is_a_failure(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("look into it")
    call = log.call("Task", given={"description": "Read"})["message"]["content"][0]["id"]
    log.result(call, "Async agent launched successfully.")
    log.prompt(
        "<task-notification>\n<task-id>a1</task-id>\n<status>failed</status>\n"
        "<summary>Agent died: the table is gone</summary>\n</task-notification>"
    )
    log.reply("I will read it myself.")
    log.write(bench.home)
    bench.sweep()
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    assert digest.facts.failures == 1
    assert [error.line for error in digest.facts.errors] == ["Agent died: the table is gone"]
