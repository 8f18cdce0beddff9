"""Tell the team what was decided, and hear of others, in a child process beside the keys.

It prints one line for each message, and ends when its stdin is closed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from helix_tui.engine.sweep.process import watched
from helix_tui.errors import HelixError


def command_for(config_file: Path | None, store: Path) -> list[str]:
    """Return the command that brings a data folder and its team up to one another."""
    command = [sys.executable, "-m", "helix_tui.engine.team.process", str(store.absolute())]
    return [*command, str(config_file.absolute())] if config_file else command


def main(arguments: list[str]) -> int:
    """Exchange what the named store and its team have, under the named configuration."""
    from helix_tui.config import load
    from helix_tui.engine.team.exchange import exchange

    watched()
    try:
        config = load(Path(arguments[1]) if len(arguments) > 1 else None, Path(arguments[0]))
        for message in exchange(config):
            print(" ".join(message.split()), flush=True)
    except HelixError as error:
        print(" ".join(str(error).split()), flush=True)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
