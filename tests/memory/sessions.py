"""Sessions that grow between flushes, and programs that distill them."""

from __future__ import annotations

import json
import re
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

from helix_tui.engine.memory.flushing import Memory
from helix_tui.schema.memory import Flushed
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

ANSWER = {
    "context": ["the importer was mended"],
    "key_exchanges": [],
    "decisions": ["keep grep"],
    "lessons": ["rg is not installed here"],
    "actions": [],
}
PRINTED = "json.dumps(ANSWER)"
_ENTRY = re.compile(r"^## \d\d:\d\d · ", re.MULTILINE)


def worked(log: ClaudeLog, part: str) -> None:
    """A turn in which something fails, is overcome and committed."""
    log.prompt(f"please make the import of {part} work and run the tests")
    log.step(f"rg import src/{part}", "Exit code 127\nbash: rg: command not found", is_error=True)
    log.step(f"grep -rn import src/{part}", f"src/{part}.py:1:import os")
    log.step(f'git commit -am "fix: the import of {part}"', "1 file changed")
    log.reply(f"The import of {part} works now. The problem was that the path had no {part} in it.")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 12, 0).astimezone()

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


class Flushing:
    """A home with one session, and the memory of its store."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.clock = Clock()
        self.log = ClaudeLog()

    def work(self, *parts: str) -> None:
        """Lets the session go on, and takes it in."""
        for part in parts:
            worked(self.log, part)
        self.log.write(self.bench.home)
        self.bench.sweep()

    @property
    def memory(self) -> Memory:
        engine = self.bench.engine()
        return Memory(engine.config, engine._reading, engine.session, self.clock)

    def flush(self, *, is_asked_for: bool = True) -> Flushed:
        engine = self.bench.engine()
        (session,) = self.bench.sessions().values()
        memory = Memory(engine.config, engine._reading, engine.session, self.clock)
        return memory.flush(session, is_asked_for=is_asked_for)

    def daily(self) -> str:
        """All daily logs, one behind the other."""
        return "".join(
            path.read_text() for path in sorted((self.bench.store / "memory/daily").glob("*.md"))
        )

    def entries(self) -> int:
        return len(_ENTRY.findall(self.daily()))

    def settings(self, **values: object) -> None:
        """Writes the section of memory."""
        self.bench.config = self.bench.home / "config.toml"
        rows = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
        self.bench.config.write_text("[memory]\n" + "\n".join(rows) + "\n")

    def distiller(self, body: str, **settings: object) -> Path:
        """Uses a program, the body of which may use `text` and `tries`; returns where it counts."""
        tries = self.bench.home / "tries"
        program = self.bench.home / "distiller.py"
        program.write_text(
            "import json, os, pathlib, sys, time\n"
            "text = sys.stdin.read()\n"
            f"counted = pathlib.Path({str(tries)!r})\n"
            "tries = len(counted.read_text()) if counted.exists() else 0\n"
            "counted.write_text('x' * (tries + 1))\n"
            f"ANSWER = {ANSWER!r}\n"
            f"{body}\n"
        )
        self.settings(distiller="command", command=[sys.executable, str(program)], **settings)
        return tries

    def model(self, body: str, **settings: object) -> Path:
        """Has a program asked as the model; returns the file of what it read last."""
        seen = self.bench.home / "seen"
        program = self.bench.home / "model.py"
        program.write_text(
            "import json, os, pathlib, sys, time\n"
            "text = sys.stdin.read()\n"
            f"pathlib.Path({str(seen)!r}).write_text(text)\n"
            f"ANSWER = {ANSWER!r}\n"
            f"{body}\n"
        )
        self.settings(distiller="model")
        assert self.bench.config is not None
        values = {"preset": "command", "command": [sys.executable, str(program)], **settings}
        rows = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
        with self.bench.config.open("a") as file:
            file.write("[model]\n" + "\n".join(rows) + "\n")
        return seen


def spool(flushing: Flushing, event: str, at: int | None = None, session: str = "") -> None:
    """A line as a hook writes it."""
    line = {
        "flavor": "claude",
        "session": session or flushing.log.session,
        "path": "",
        "event": event,
        "at": int(time.time() * 1000) - 1 if at is None else at,
    }
    path = flushing.bench.store / "spool.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
