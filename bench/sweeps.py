"""Ways to sweep that the cases share, and the floor under a sweep that finds nothing new."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.events import SweepFinished

HELIX = [sys.executable, "-m", "helix_tui"]


def open_engine(home: Path, store: Path, config: Path | None = None) -> Engine:
    """An engine over a home's logs."""
    return Engine(load(config, store, {"HOME": str(home)}))


def sweep_whole(engine: Engine) -> None:
    """Sweeps to the end."""
    *_, last = engine.sweep()
    assert isinstance(last, SweepFinished)


def scandir_and_stat(root: str) -> int:
    """The floor: every entry is met and every file stat'ed."""
    count = 0
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count
