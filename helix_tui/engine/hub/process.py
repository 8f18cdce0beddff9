"""Send what is due to the hub in a child process, which prints one line for each message.

It ends when its stdin is closed, like a sweep; what may have arrived is sent again under its key.
"""

from __future__ import annotations

import sys
from pathlib import Path

from helix_tui.engine.sweep.process import watched
from helix_tui.errors import HelixError


def command_for(config_file: Path | None, store: Path) -> list[str]:
    """Return the command that sends the decisions of a store in a process of its own."""
    command = [sys.executable, "-m", "helix_tui.engine.hub.process", str(store.absolute())]
    return [*command, str(config_file.absolute())] if config_file else command


def main(arguments: list[str]) -> int:
    """Send what is due of the named store, under the named configuration if there is one."""
    from helix_tui.config import load
    from helix_tui.engine.sweep.after_sweep import send_due

    stop = watched()
    try:
        config = load(Path(arguments[1]) if len(arguments) > 1 else None, Path(arguments[0]))
        for message in send_due(config, stop.is_set):
            print(" ".join(message.split()), flush=True)
    except HelixError as error:
        print(" ".join(str(error).split()), flush=True)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
