"""Scores what `helix detect --all` makes of failures that a person labelled in real logs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from score.figures import Board, BoardFailedError, BoardSkippedError, Figure, Goal, share
from score.helix import Helix, shared_folder

_CAUSES = "causes in 2 or more, with those below the floor"
_REMEDIES = "remedies, with those below the floor"
_TABLE = "cause table, with those below the floor"


def board() -> Board:
    """The labels beside the shared corpus, by their own scorer."""
    labels = shared_folder() / "labels" / "findings"
    home = shared_folder() / "corpus" / "home"
    if not (labels / "score.py").exists() or not home.exists():
        raise BoardSkippedError("the labels are not among the shared files")
    with tempfile.TemporaryDirectory(prefix="helix-score-") as name:
        folder = Path(name)
        helix = Helix(home, folder / "store")
        helix.sweep()
        program = folder / "helix"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m helix_tui "$@"\n')
        program.chmod(0o755)
        return board_of(_scored(labels / "score.py", program, helix))


def _scored(script: Path, program: Path, helix: Helix) -> dict[str, Any]:
    command = [sys.executable, str(script), "--helix", str(program), "--json"]
    command += ["--store", str(helix.store), "--home", str(helix.home)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BoardFailedError(f"the scorer of the labels failed: {done.stderr.strip()[:300]}")
    found = json.loads(done.stdout)
    if not isinstance(found, dict):
        raise BoardFailedError("the scorer of the labels printed no object")
    return found


def board_of(found: dict[str, Any]) -> Board:
    """Causes that are rightly held, and remedies that are right or wrong."""
    causes = {name: count for name, count in found[_CAUSES].items() if name != "good share"}
    remedies = found[_REMEDIES]
    given = remedies.get("right", 0) + remedies.get("wrong", 0)
    figures = [
        share("causes good", causes.get("good", 0), sum(causes.values()), Goal(0.8)),
        share("remedies right", remedies.get("right", 0), given, Goal(0.8)),
        Figure("remedies wrong", remedies.get("wrong", 0), goal=Goal(0, is_least=False)),
        Figure("remedies not given", remedies.get("none given", 0)),
    ]
    missed = [line for line in found.get(_TABLE, []) if " good " not in line]
    return Board(
        "Labelled failures of real logs", figures, [line.strip() for line in missed], found
    )
