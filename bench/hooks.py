"""The hook as agents run it, interpreter and shell included, beside a bare interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import clean_environ
from bench.row import Row
from helix_tui.hook import SPOOL
from helix_tui.memory.hooks.command import hook_command

_ROUNDS = 60
_AT_MOST = 100
_MANY_LINES = 200_000
_SESSION = "11111111-1111-4111-8111-111111111111"
_PAYLOAD = {
    "session_id": _SESSION,
    "transcript_path": f"/home/dev/.claude/projects/-home-dev-app/{_SESSION}.jsonl",
    "cwd": "/home/dev/app",
    "hook_event_name": "Stop",
    "last_assistant_message": "Done. " * 1000,
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


def at_share(values: list[float], share: float) -> float:
    """The value below which such a share of all lies."""
    return sorted(values)[int(len(values) * share)]


def _fill(spool: Path) -> None:
    line = {"flavor": "claude", "session": _SESSION, "path": _PAYLOAD["transcript_path"]}
    rows = (json.dumps({**line, "event": "Stop", "at": at}) for at in range(_MANY_LINES))
    spool.write_text("".join(f"{row}\n" for row in rows))
