"""Helix's own command line with absolute paths, for timers and hooks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from helix_tui.agent_homes import FLAVORS

# A process started elsewhere must find the agents' and Helix's folders in the same places.
_VARIABLES = dict.fromkeys(
    (
        *(name for agent in FLAVORS.values() for name in agent.all_variables()),
        *("XDG_DATA_HOME", "XDG_STATE_HOME"),
    )
)


def helix_command(*words: str, config: Path | None, store: Path | None) -> list[str]:
    """A command with the configuration, store and sources of this process."""
    variables = [f"{name}={os.environ[name]}" for name in _VARIABLES if os.environ.get(name)]
    command = ["/usr/bin/env", *variables] if variables else []
    command += [sys.executable, "-m", "helix_tui", *words]
    if config is not None:
        command += ["--config", str(config.absolute())]
    if store is not None:
        command += ["--store", str(store.absolute())]
    return command
