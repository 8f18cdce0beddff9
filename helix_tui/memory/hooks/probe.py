"""Run an installed hook command, to see whether its line arrives and a guard answers."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from helix_tui import hook
from helix_tui.memory.hooks.command import store_of
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.recall.prepared import Prepared

_SECONDS = 10.0
_PROBE = {"session_id": "helix-probe", "hook_event_name": "Stop", "transcript_path": ""}


_TRIAL = "helix-guard-trial"
_TRIAL_RULES = {
    "rules": [
        {
            **{"pattern": "trial", "version": "0.0.0", "answer": "deny", "rule": "A trial."},
            **{"shape": _TRIAL, "program": _TRIAL, "folder": "", "repos": []},
        }
    ]
}
_CALL = {"session_id": "helix-probe", "hook_event_name": "PreToolUse", "tool_name": "Bash"}


def what_is_wrong_with_guard(command: str) -> str:
    """Why a guard would not answer; empty where a trial call is denied and another one passes.

    The rules and the spool of the trial are in a folder that is deleted afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True) as folder:
        spool = Spool(Path(folder) / hook.SPOOL)
        (Path(folder) / "rules.json").write_text(json.dumps(_TRIAL_RULES))
        diverted = {hook.DIVERTED: str(spool.path), "HELIX_GUARD_FOLDER": folder}
        for line, is_denied in ((f"cd / && {_TRIAL} now", True), (f"{_TRIAL} --other", False)):
            call = {**_CALL, "tool_input": {"command": line}, "cwd": folder}
            done, trouble = _tried(command, call, folder, diverted)
            if done is None or trouble:
                return trouble
            if b'"deny"' in done.stdout and not is_denied:
                return "its command denies a call that no rule is about"
            if is_denied and (b'"deny"' not in done.stdout or spool.count() != 1):
                return "its command denies nothing: Python or Helix is no longer where it was"
    store = store_of(command)
    return "" if store is not None and store.is_dir() else f"the store {store} is not there"


def what_is_wrong(command: str) -> str:
    """Why a command would report nothing for an agent; empty where it works.

    It runs as agents run it, with hardly any environment, into a spool that is deleted afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True) as folder:
        spool = Spool(Path(folder) / hook.SPOOL)
        done, trouble = _tried(command, _PROBE, folder, {hook.DIVERTED: str(spool.path)})
        if done is None or trouble:
            return trouble
        if done.stdout:
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
        diverted = {hook.DIVERTED: str(Path(folder) / hook.SPOOL)}
        done, trouble = _tried(command, start, folder, diverted)
    if done is None or trouble:
        return trouble
    try:
        output = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    except (ValueError, KeyError, TypeError):
        return f"its command prints nothing for {ready.root}"
    return "" if output else f"its command prints nothing for {ready.root}"


def _tried(
    command: str, payload: Mapping[str, object], folder: str, diverted: Mapping[str, str]
) -> tuple[subprocess.CompletedProcess[bytes] | None, str]:
    """Run a command as an agent does; what it said, or what is wrong with how it ended."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=folder,
            env={**environment, **diverted},
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"its command took longer than {_SECONDS:g} s"
    except OSError as error:
        return None, f"its command could not be run: {error.strerror or error}"
    is_quiet = not done.returncode and not done.stderr
    return done, "" if is_quiet else "its command does not end quietly"
