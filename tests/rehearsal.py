"""What most commands do, done once in a process that is forked for each of them.

Tables are read, expressions compiled and modules loaded when they are first needed: a fork would
do all of that again.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.schema import SessionFilter
from tests.claude_log import ClaudeLog

_SESSIONS = 6
_ERRORS = (
    "/bin/bash: line 1: rg: command not found",
    "ModuleNotFoundError: No module named 'yaml'",
    "fatal: Could not resolve host: git.example.com, token=abc",
)


def rehearse() -> None:
    """Sweeps sessions in which errors recur, and looks at, judges and searches what is there."""
    with tempfile.TemporaryDirectory(prefix="helix-rehearsal-") as folder:
        home = Path(folder, "home")
        for number in range(_SESSIONS):
            _write_log(home, number)
        engine = Engine(load(None, Path(folder, "store"), {"HOME": str(home)}))
        list(engine.sweep())
        engine.after_sweep()
        for session in engine.sessions(SessionFilter()):
            list(engine.session_events(session))
            engine.digest(session)
        engine.flush(session.id)
        listed = engine.candidates.listing().listed
        # What people said is looked at before it is approved.
        candidates = [one.brief.id for one in listed if not one.brief.id.startswith("user-")]
        engine.verdicts.approve(candidates[0])
        engine.verdicts.reject(candidates[1])
        engine.verdicts.undo()
        engine.search("command", SessionFilter(), 5)
        engine.status()
        engine.doctor()


def _write_log(home: Path, number: int) -> None:
    log = ClaudeLog(session=f"{number:08d}-0000-4000-8000-000000000000", start=number * 4000)
    log.prompt("please make the import work and run the tests")
    for error in _ERRORS:
        log.step("rg import src", f"Exit code 127\n{error}", is_error=True)
        log.step("grep -rn import src", "src/app.py:1:import os")
    log.prompt("no, don't commit anything, I told you to leave commits to me")
    log.reply("It is fixed.")
    log.write(home)
