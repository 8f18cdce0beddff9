"""A month of made-up sessions, for a first look at Helix without logs of one's own.

`stories.py` plans which sessions there are and what happens in them, `work.py` has the products
(read from `products/`) and the ordinary work on them, `trouble.py` what goes wrong, `steps.py` the
steps that a session is made of. `loop.py` has the rules that came in, and what became of what
they are about; `write_folders` makes the repositories' folders as they are today. `session.py` is
the part that all writers share; `claude.py`, `codex.py`, `grok.py`, `opencode.py` and `gemini.py`
write a session as that agent would. Callers use `write_sample`: one seed gives the same sessions
on every machine.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from random import Random

from helix_tui.sample.claude import ClaudeLog
from helix_tui.sample.codex import CodexLog
from helix_tui.sample.gemini import GeminiLog
from helix_tui.sample.grok import GrokLog
from helix_tui.sample.opencode import OpenCodeLog, Rows, write_database
from helix_tui.sample.session import Files, Log
from helix_tui.sample.stories import LOOP_PART, Planned, months, plan, sessions
from helix_tui.sample.work import products, taught_product

VERSION = 3  # goes up whenever the same seed may give other files
SEED = 20261115
UNTIL = date(2026, 11, 15)
# What is drawn does not change with everything that is added.
_DRAWN = 1
_LOGS = {"claude": ClaudeLog, "codex": CodexLog, "grok": GrokLog, "gemini": GeminiLog}


def write_sample(home: Path, seed: int = SEED, until: date = UNTIL) -> None:
    """Write each agent's logs below a home folder; the same seed gives the same sessions."""
    rows: list[Rows] = []
    latest = 0.0
    for name, month in months().items():
        random = random_of(seed, until, name)
        for session in sessions(random, until, month):
            if session.flavor == "opencode":
                log = OpenCodeLog(session, random)
                rows.append(log.rows())
                latest = max(latest, log.now)
                continue
            other = _LOGS[session.flavor](session, random)
            _write(home, other.files(), other)
    database = home / ".local" / "share" / "opencode" / "opencode.db"
    write_database(database, rows)
    os.utime(database, (latest, latest))


def write_folders(code: Path) -> None:
    """Write the repositories' folders, each with what its people tell agents.

    Claude Code reads the same file as the others, whatever lies in folders above.
    """
    for product in (*products(), taught_product()):
        folder = code / product.name
        folder.mkdir(parents=True, exist_ok=True)
        told = f"# {product.name}\n\nKeep changes small. `{product.check}` has to pass.\n"
        (folder / "AGENTS.md").write_text(told)
        (folder / "CLAUDE.md").write_text("@AGENTS.md\n")


def _write(home: Path, files: Files, log: Log) -> None:
    for name, content in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        # As old as its last record: what counts by age must not take it for new.
        os.utime(path, (log.now, log.now))


def loop_sessions(seed: int = SEED, until: date = UNTIL) -> list[Planned]:
    """The sessions of the repository in which rules came in, in the order of their beginning."""
    return plan(random_of(seed, until, LOOP_PART), until, months()[LOOP_PART])


def random_of(seed: int, until: date, part: str = "") -> Random:
    """The one source of chance of a part of the sample."""
    return Random(f"{_DRAWN}:{seed}:{until}{part and f':{part}'}")
