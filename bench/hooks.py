"""Hook and guard as agents run them, interpreter and shell included, beside a bare interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.measure import clean_environ
from bench.row import Row
from helix_tui.digest.runs.table import shape_rows
from helix_tui.hook import SPOOL
from helix_tui.memory.hooks.command import guard_command, hook_command

_ROUNDS = 60
_AT_MOST = 100
_MANY_LINES = 200_000
_MANY_RULES = 200
_DENIED, _NEAR, _FAR = "cd web && npm install", "npm install --force", "ls -la && git status"
_SESSION = "11111111-1111-4111-8111-111111111111"
_PAYLOAD = {
    "session_id": _SESSION,
    "transcript_path": f"/home/dev/.claude/projects/-home-dev-app/{_SESSION}.jsonl",
    "cwd": "/home/dev/app",
    "hook_event_name": "Stop",
    "last_assistant_message": "Done. " * 1000,
}
_CALL = {
    **{key: _PAYLOAD[key] for key in ("session_id", "transcript_path", "cwd")},
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
}


def hook_rows(empty: Path, large: Path) -> Iterator[Row]:
    """How long an agent waits for an event, with nothing in the store and with a lot."""
    _fill(large / SPOOL)
    commands = {
        "bare": [sys.executable, "-I", "-S", "-c", "pass"],
        "empty store": ["/bin/sh", "-c", hook_command(empty, "claude")],
        "large store": ["/bin/sh", "-c", hook_command(large, "claude")],
    }
    environ = clean_environ(empty)
    data = json.dumps(_PAYLOAD).encode()
    walls: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name, command in commands.items():
            started = time.perf_counter()
            subprocess.run(command, input=data, env=environ, check=True, capture_output=True)
            walls[name].append((time.perf_counter() - started) * 1e3)
    for store, lines in ((empty, 0), (large, _MANY_LINES)):
        assert (store / SPOOL).read_bytes().count(b"\n") == lines + _ROUNDS
    bare = at_share(walls.pop("bare"), 0.5)
    for name, taken in walls.items():
        yield Row("hook", f"{name}, p50", at_share(taken, 0.5), "python -I -S", bare, None, "ms")
        yield Row("hook", f"{name}, p95", at_share(taken, 0.95), "aim", _AT_MOST, 1.0, "ms")


def guard_rows(store: Path) -> Iterator[Row]:
    """How long an agent waits before a command, with many rules: denied, nearly so, far from it."""
    _write_rules(store)
    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    guard = ["/bin/sh", "-c", guard_command(store, "claude")]
    environ = clean_environ(store)
    calls = {"denied": _DENIED, "of another shape": _NEAR, "no such program": _FAR}
    walls: dict[str, list[float]] = {name: [] for name in (*calls, "bare")}
    for _ in range(_ROUNDS):
        for name, call in {**calls, "bare": ""}.items():
            data = json.dumps({**_CALL, "tool_input": {"command": call}}).encode()
            started = time.perf_counter()
            done = subprocess.run(
                guard if call else bare, input=data, env=environ, check=True, capture_output=True
            )
            walls[name].append((time.perf_counter() - started) * 1e3)
            assert (b'"deny"' in done.stdout) is (name == "denied"), done
    least = at_share(walls.pop("bare"), 0.5)
    for name, taken in walls.items():
        yield Row("guard", f"{name}, p50", at_share(taken, 0.5), "python -I -S", least, None, "ms")
        yield Row("guard", f"{name}, p95", at_share(taken, 0.95), "aim", _AT_MOST, 1.0, "ms")


def _write_rules(store: Path) -> None:
    said = {"version": "1.0.0", "answer": "deny", "rule": "Use `pnpm install` in this repository."}
    where: dict[str, object] = {"folder": "", "repos": []}
    rules = [
        {**said, **where, "pattern": f"p{at}", "program": "npm", "shape": f"npm install --f{at}"}
        for at in range(_MANY_RULES - 1)
    ]
    last = {**said, **where, "pattern": "last", "program": "npm", "shape": "npm install"}
    (store / "guard").mkdir()
    known = {"rules": [*rules, last], "rows": msgspec.to_builtins(shape_rows())}
    (store / "guard/rules.json").write_text(json.dumps(known))


def at_share(values: list[float], share: float) -> float:
    """The value below which such a share of all lies."""
    return sorted(values)[int(len(values) * share)]


def _fill(spool: Path) -> None:
    line = {"flavor": "claude", "session": _SESSION, "path": _PAYLOAD["transcript_path"]}
    rows = (json.dumps({**line, "event": "Stop", "at": at}) for at in range(_MANY_LINES))
    spool.write_text("".join(f"{row}\n" for row in rows))
