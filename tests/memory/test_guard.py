"""The guard as a program: an answer for calls of a rule's shape, and none for anything else."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import helix_tui.guard
from helix_tui.memory.hooks.spool import Spool

GUARD = Path(helix_tui.guard.__file__)
LIBRARY = Path(msgspec.__file__).parent.parent
RULE = {
    **{"pattern": "use-pnpm", "version": "1.2.0", "answer": "deny", "rule": "Use `pnpm install`."},
    **{"shape": "npm install", "program": "npm", "folder": "", "repos": []},
}
CLAUDE: dict[str, Any] = {
    "session_id": "5f0c2a51",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-shop/5f0c2a51.jsonl",
    "cwd": "/",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "cd web && npm install", "description": "Install"},
    "tool_use_id": "toolu_01",
}
CODEX: dict[str, Any] = {
    **{**CLAUDE, "transcript_path": None, "turn_id": "0199c3a2", "model": "gpt-5"},
    "tool_input": {"command": "bash -lc 'npm install'"},
}
GROK: dict[str, Any] = {
    **{"hookEventName": "pre_tool_use", "hook_event_name": "PreToolUse", "sessionId": "019d2f00"},
    **{"cwd": "/", "workspaceRoot": "/", "permissionMode": "default", "toolInputTruncated": False},
    **{"toolName": "run_terminal_command", "toolInput": {"command": "npm install"}},
}


def put_rules(store: Path, *rules: dict[str, Any]) -> None:
    (store / "guard").mkdir(exist_ok=True)
    (store / "guard/rules.json").write_text(json.dumps({"rules": rules}))


def ask(
    store: Path, payload: object = CLAUDE, *arguments: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Asks the guard, which has all the time of the clock, and of the processor its second.

    On a busy machine that second of the clock is over before it has begun, and the call passes.
    """
    before = os.times()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # a child inherits that
    try:
        done = ask_in_time(store, payload, *arguments, env=env)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    after = os.times()
    used = after.children_user - before.children_user + after.children_system
    assert used - before.children_system < helix_tui.guard._SECONDS
    return done


def ask_in_time(
    store: Path, payload: object = CLAUDE, *arguments: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the guard by its path with a payload, which is JSON unless it is bytes."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    options = ["--store", str(store), "--library", str(LIBRARY), *arguments]
    return subprocess.run(
        [sys.executable, "-I", "-S", str(GUARD), *options],
        input=data,
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", **(env or {})},
        timeout=30,
        check=False,
    )


def assert_passes(done: subprocess.CompletedProcess[bytes]) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("payload", "flavor"), [(CLAUDE, "claude"), (CODEX, "codex"), (GROK, "grok")]
)
def test_each_agent_is_answered_as_it_documents(
    tmp_path: Path, payload: dict[str, Any], flavor: str
) -> None:
    put_rules(tmp_path, RULE)
    done = ask(tmp_path, payload)
    assert (done.returncode, done.stderr) == (0, b"")
    said = json.loads(done.stdout)
    if flavor == "grok":
        assert said["decision"] == "deny"
        reason = said["reason"]
    else:
        inner = said["hookSpecificOutput"]
        assert (inner["hookEventName"], inner["permissionDecision"]) == ("PreToolUse", "deny")
        reason = inner["permissionDecisionReason"]
    assert reason.startswith("Use `pnpm install`.\n")
    assert "use-pnpm" in reason
    (line,) = Spool(tmp_path / "spool.jsonl").read()
    assert (line.flavor, line.event, line.pattern) == (flavor, "Guard", "use-pnpm")
    assert (line.version, line.answer) == ("1.2.0", "deny")


@pytest.mark.parametrize(
    ("payload", "said", "answer"),
    [
        (CLAUDE, b'"permissionDecision": "ask"', "ask"),
        (GROK, b'"decision": "ask"', "ask"),
        (CODEX, b"", "pass"),
    ],
)
def test_who_cannot_ask_lets_it_pass(
    tmp_path: Path, payload: dict[str, Any], said: bytes, answer: str
) -> None:
    put_rules(tmp_path, {**RULE, "answer": "ask"})
    done = ask(tmp_path, payload)
    assert said in done.stdout
    assert bool(said) == bool(done.stdout)
    assert [line.answer for line in Spool(tmp_path / "spool.jsonl").read()] == [answer]


@pytest.mark.parametrize(
    "payload",
    [
        {**CLAUDE, "tool_input": {"command": "npm ci"}},
        {**CLAUDE, "tool_name": "Read"},
        {**CLAUDE, "hook_event_name": "PostToolUse"},
        {**CLAUDE, "tool_input": {"command": ["npm", 7]}},
        {**CLAUDE, "tool_input": {"command": "npm install", "dangerouslyDisableSandbox": True}},
        {**CLAUDE, "tool_input": "npm install"},
        {},
        [],
        b"",
        b"{",
        b"\xff" + json.dumps(CLAUDE).encode(),
        b"[" * 100_000,
        json.dumps(CLAUDE)[:-9].encode() + b" " * (2 << 20),
    ],
    ids=lambda payload: repr(payload)[:40],
)
def test_what_is_no_call_of_the_shape_passes(tmp_path: Path, payload: object) -> None:
    put_rules(tmp_path, RULE)
    assert_passes(ask(tmp_path, payload))
    assert not (tmp_path / "spool.jsonl").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"rules": 7}', b'{"rules": [{"pattern": "x"}]}', b"\xff", None],
    ids=repr,
)
def test_any_trouble_with_the_rules_lets_the_call_pass(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "guard/rules.json"
    if content is not None:
        path.parent.mkdir()
        path.write_bytes(content)
    assert_passes(ask(tmp_path))


def test_a_store_library_or_file_that_is_gone_lets_the_call_pass(tmp_path: Path) -> None:
    assert_passes(ask(tmp_path / "gone"))
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard/rules.json").mkdir()
    assert_passes(ask(tmp_path))
    (tmp_path / "guard/rules.json").rmdir()
    put_rules(tmp_path, RULE)
    assert_passes(ask(tmp_path, CLAUDE, "--library", str(tmp_path)))
    assert_passes(ask(tmp_path, env={"HELIX_INVOKED_BY": "helix"}))
    run = tmp_path / "memory/run"
    run.mkdir(parents=True)
    assert_passes(ask(tmp_path, {**CLAUDE, "cwd": str(run)}))
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "guard/rules.json").unlink()
    (tmp_path / "guard/rules.json").symlink_to(tmp_path / "fifo")
    started = time.monotonic()
    assert_passes(ask_in_time(tmp_path))
    assert time.monotonic() - started < 10


def test_a_spool_that_is_held_or_cannot_be_written_changes_no_answer(tmp_path: Path) -> None:
    put_rules(tmp_path, RULE)
    with (tmp_path / "spool.jsonl").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert b'"deny"' in ask(tmp_path).stdout
    assert len(Spool(tmp_path / "spool.jsonl").read()) == 1
    for path in tmp_path.glob("spool*"):
        path.unlink()
    (tmp_path / "spool.jsonl").mkdir()
    done = ask(tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"deny"' in done.stdout
