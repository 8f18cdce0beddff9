"""Issues and todos that were filed, and how what was put off is called then."""

from __future__ import annotations

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.digest.scenes import Scene, asks, digest_of, edit, says, use

ISSUE = '{"id":"7","identifier":"APP-12","title":"Read the table once"}'
CLOSED = '{"id":"7","identifier":"APP-12","status":"Canceled"}'


def refuse_with(words: str) -> Scene:
    told = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell"
        f" you how to proceed, the user said:\n{words}"
    )
    return lambda log: edit(log, answer=told, is_error=True)


def file_issue(log: ClaudeLog) -> None:
    use(log, "mcp__tracker__create_issue", {"title": "Read the table once"}, ISSUE)


def close_issue(log: ClaudeLog) -> None:
    use(log, "mcp__tracker__update_issue", {"id": "APP-12", "state": "Canceled"}, CLOSED)


def file_todo(log: ClaudeLog) -> None:
    edit(log, "/work/app/todos/pending/read-the-table-once.md")


PUT_OFF = "log an issue for the slow reader"
SCENES: dict[str, tuple[list[Scene], list[str]]] = {
    # name: what happens behind the first turn, what is left open
    "an issue": ([asks(PUT_OFF), file_issue], ["put off: APP-12 Read the table once"]),
    "a todo": ([asks(PUT_OFF), file_todo], ["put off: read-the-table-once"]),
    "nothing filed": ([asks(PUT_OFF)], [f"put off: {PUT_OFF} (tell me how the reader works)"]),
    "an issue that was closed": ([asks(PUT_OFF), file_issue, close_issue], []),
    "instead of a change that was refused": (
        [asks("make it read once"), refuse_with("not here. Can we log an issue?"), file_issue],
        ["put off: APP-12 Read the table once"],
    ),
    "a change that was refused, and nothing filed": (
        [asks("make it read once"), refuse_with("no, wait")],
        ["a change that was refused: Edit /work/app/a.py"],
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_what_was_put_off_is_called_by_what_was_filed(bench: Workbench, name: str) -> None:
    scenes, left_open = SCENES[name]
    digest = digest_of(bench, asks("tell me how the reader works"), says(), *scenes, says())
    assert digest.left_open == left_open
