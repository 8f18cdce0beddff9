"""Run an installed hook command, to see whether its line arrives."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

from helix_tui import hook
from helix_tui.memory.hooks.command import store_of
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.recall.prepared import Prepared

_SECONDS = 10.0
_PROBE = {"session_id": "helix-probe", "hook_event_name": "Stop", "transcript_path": ""}


def what_is_wrong(command: str) -> str:
    """Why a command would report nothing for an agent; empty where it works.

    It runs as agents run it, with hardly any environment, into a spool that is deleted afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True) as folder:
        spool = Spool(Path(folder) / hook.SPOOL)
        result = _run(command, _PROBE, folder, spool)
        if isinstance(result, str):
            return result
        if result.returncode or result.stdout or result.stderr:
            return "its command does not end quietly"
        if [line.session for line in spool.read()] != [_PROBE["session_id"]]:
            return "its command spools nothing: Python or Helix is no longer where it was"
    store = store_of(command)
    if store is None or not os.access(store, os.W_OK | os.X_OK):
        return f"the store {store} is not there, or cannot be written to"
    return ""


def what_hands_out_nothing(command: str, flavor: str, ready: Prepared) -> str:
    """Why a session would not get what is kept ready for a repository; empty where it would."""
    start = {**_PROBE, "hook_event_name": "SessionStart", "source": "startup", "cwd": ready.root}
    if flavor == "codex":
        start["transcript_path"] = "/rollout-probe.jsonl"
    with tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True) as folder:
        result = _run(command, start, folder, Spool(Path(folder) / hook.SPOOL))
    if isinstance(result, str):
        return result
    try:
        output = json.loads(result.stdout)["hookSpecificOutput"]["additionalContext"]
    except (ValueError, KeyError, TypeError):
        return f"its command prints nothing for {ready.root}"
    return "" if output else f"its command prints nothing for {ready.root}"


def _run(
    command: str, payload: dict[str, str], folder: str, spool: Spool
) -> subprocess.CompletedProcess[bytes] | str:
    """Run a command as agents do; or why that did not work."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    try:
        return subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=folder,
            env={**environment, hook.DIVERTED: str(spool.path)},
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"its command took longer than {_SECONDS:g} s"
    except OSError as error:
        return f"its command could not be run: {error.strerror or error}"
