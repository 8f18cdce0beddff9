"""One vocabulary: the same happening in three agents is the same fact."""

from __future__ import annotations

import pytest

from helix_tui.digest.actions import action_of
from helix_tui.digest.benign import is_benign
from helix_tui.digest.harness import fault_of
from helix_tui.schema import SYSTEM, TOOL_RESULT
from helix_tui.tools import tool_class


@pytest.mark.parametrize(
    ("flavor", "tool", "given"),
    [
        ("claude", "Bash", '{"command": "make test", "description": "Run"}'),
        ("codex", "shell", '{"command": ["bash", "-lc", "make test"], "workdir": "/x"}'),
        ("codex", "shell_command", '{"command": "make test"}'),
        ("codex", "exec_command", '{"cmd": "make test", "yield_time_ms": 1000}'),
        ("codex", "local_shell", '{"type": "exec", "command": ["/bin/sh", "-c", "make test"]}'),
        ("grok", "run_terminal_command", '{"command": "make test"}'),
    ],
)
def test_a_command_is_the_same_whoever_runs_it(flavor: str, tool: str, given: str) -> None:
    action = action_of(flavor, tool, given)
    assert (action.kind, action.command, action.summary) == ("shell", "make test", "$ make test")
    assert action.check.tells_pass


PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: b.py\n*** End Patch"


@pytest.mark.parametrize(
    ("flavor", "tool", "given", "file"),
    [
        ("claude", "Edit", '{"file_path": "src/a.py", "old_string": "x"}', "src/a.py"),
        ("codex", "apply_patch", PATCH, "src/a.py"),
        (
            "codex",
            "shell",
            '{"command": ["apply_patch", "*** Update File: src/a.py\\n"]}',
            "src/a.py",
        ),
        (
            "codex",
            "shell",
            '{"command": ["bash", "-lc", "apply_patch <<X\\n*** Update File: src/a.py\\n"]}',
            "src/a.py",
        ),
        (
            "codex",
            "shell_command",
            '{"command": "apply_patch <<\'EOF\'\\n*** Update File: src/a.py\\n"}',
            "src/a.py",
        ),
        ("grok", "search_replace", '{"file_path": "src/a.py"}', "src/a.py"),
    ],
)
def test_an_edit_is_the_same_whoever_makes_it(
    flavor: str, tool: str, given: str, file: str
) -> None:
    action = action_of(flavor, tool, given)
    assert (action.kind, action.file) == ("edit", file)


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (("Bash", "exec_command", "run_terminal_cmd"), "shell"),
        (("Read", "view_image", "read_file"), "read"),
        (("Edit", "apply_patch", "search_replace"), "edit"),
        (("Grep", "grep_files", "grep"), "search"),
        (("WebSearch", "web_search", "x_search"), "web"),
        (("Task", "spawn_agent", "spawn_subagent"), "agent"),
        (("TodoWrite", "update_plan", "todo_write"), "plan"),
        (("mcp__a__b", "mcp__a__b", "mcp__a__b"), "mcp"),
        (("Nobody", "shell<|channel|>", "ripgrep?"), "other"),
    ],
)
def test_tools_have_the_same_classes(tools: tuple[str, str, str], expected: str) -> None:
    found = [tool_class(*named) for named in zip(("claude", "codex", "grok"), tools, strict=True)]
    assert found == [expected] * 3


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "The user doesn't want to proceed with this tool use. It was rejected",
            "refusal",
        ),
        ("exec command rejected by user", "refusal"),
        (
            "patch rejected: writing outside of the project",
            "refusal",
        ),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", "cascade"),
        ("Exit code 143\nCommand timed out after 2m 0.0s", "timeout"),
        ("command timed out after 120000 milliseconds", "timeout"),
        ("failed in sandbox None with execution error: command timed out", "timeout"),
        ("aborted by user after 12.3s", "interruption"),
        ("Wall time: 3.2 seconds\naborted by user", "interruption"),
        ("Exit code 1\nValueError: x", None),
    ],
)
def test_why_a_call_came_to_nothing(text: str, fault: str | None) -> None:
    assert fault_of(TOOL_RESULT, True, "tool", text, None) == fault
    assert fault_of(TOOL_RESULT, False, "tool", text, None) is None


def test_what_the_agent_tells_in_a_field_counts() -> None:
    assert fault_of(TOOL_RESULT, True, "tool", "no words for it", "refusal") == "refusal"
    assert (
        fault_of(SYSTEM, False, None, '{"type":"turn_aborted"}', "interruption") == "interruption"
    )


@pytest.mark.parametrize(
    ("command", "output", "is_answer"),
    [
        ("grep -rn foo src", "Exit code 1", True),
        ("rg foo", "", True),
        ("cd src && rg 'a|b; c' .", "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n", True),
        ("cat x | grep y", "Process exited with code 1\nOutput:\n", True),
        ("diff a b", "Exit code 1\n1c1\n< a\n---\n> b", True),
        ("git diff --quiet", "", True),
        ("rg foo src && sed -n 1,9p src/foo", "", True),
        ("make && diffuse x", "Exit code 1\nfailed", False),
        ("test -f x", "", True),
        ("grep foo src", "grep: src: Is a directory", False),
        ("grep foo x; make", "", False),
        ("pytest", "", False),
        ("python grep.py", "", False),
        ("", "", False),
    ],
)
def test_an_exit_that_is_an_answer(command: str, output: str, is_answer: bool) -> None:
    assert is_benign(command, 1, output) is is_answer
    assert not is_benign(command, 2, output)
