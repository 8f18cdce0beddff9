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

_SECONDS = 10.0
_PROBE = {"session_id": "helix-probe", "hook_event_name": "Stop", "transcript_path": ""}


def what_is_wrong(command: str) -> str:
    """Why a command would report nothing for an agent; empty where it works.

    It runs as agents run it, with hardly any environment, into a spool that is deleted afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True) as folder:
        spool = Spool(Path(folder) / hook.SPOOL)
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        try:
            result = subprocess.run(
                ["/bin/sh", "-c", command],
                input=json.dumps(_PROBE).encode(),
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
        if result.returncode or result.stdout or result.stderr:
            return "its command does not end quietly"
        if [line.session for line in spool.read()] != [_PROBE["session_id"]]:
            return "its command spools nothing: Python or Helix is no longer where it was"
    store = store_of(command)
    if store is None or not os.access(store, os.W_OK | os.X_OK):
        return f"the store {store} is not there, or cannot be written to"
    return ""
