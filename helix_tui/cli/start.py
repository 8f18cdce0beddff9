"""Where `helix` starts: the workstation right away, everything else by the options it was given.

Whoever opens the workstation waits for its first frame, and to load what reads options (typer) is
as long as to load all of its screens. So the few words that open it are read here.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

# What a shell sets to ask for completions, which the options answer.
_COMPLETION = "_HELIX_COMPLETE"
_INTERRUPTED = 130


class Opening(NamedTuple):
    """With what the workstation is opened."""

    config: Path | None = None
    store: Path | None = None
    is_demo: bool = False
    is_team: bool = False


def main() -> None:
    """Run the command that was given."""
    opening = None if _COMPLETION in os.environ else opening_of(sys.argv[1:])
    if opening is None:
        from helix_tui.cli.main import main as run_command

        run_command()
        return
    gc.disable()  # loading leaves nothing to collect; it is on again before anything runs
    from helix_tui.cli.ending import run_to_end

    try:
        run_to_end(lambda: _open(opening))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def opening_of(arguments: Sequence[str]) -> Opening | None:
    """What plain arguments open the workstation with; None where the options have to look.

    Anything but whole options, each once and with a path behind it where it takes one, is none of
    these: to refuse it is for the options.
    """
    opening = Opening()
    given = set()
    left = iter(arguments)
    for word in left:
        if word in given:
            return None
        given.add(word)
        if word == "--demo":
            opening = opening._replace(is_demo=True)
        elif word == "--team":
            opening = opening._replace(is_team=True)
        elif word in ("--config", "--store"):
            path = next(left, "")
            if not path.strip() or path.startswith("-"):
                return None
            file = Path(path)
            is_config = word == "--config"
            opening = opening._replace(config=file) if is_config else opening._replace(store=file)
        else:
            return None
    return None if opening.is_demo and opening.is_team else opening


def _open(opening: Opening) -> None:
    from helix_tui.cli.commands import workstation

    workstation.run(opening.config, opening.store, is_demo=opening.is_demo, is_team=opening.is_team)
