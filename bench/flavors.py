"""Homes of nine agents: a sweep that finds nothing new, and what a megabyte of each takes."""

from __future__ import annotations

import json
import random
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.corpus import WORK, fresh_store, generator
from bench.measure import Run, clean_environ, in_turns, run, timed
from bench.row import Row
from bench.sweeps import HELIX, open_engine, scandir_and_stat, sweep_whole
from score.nine import planter
from tests.claude_log import ClaudeLog
from tests.codex_log import CodexLog
from tests.grok_log import GrokLog
from tests.more_agents import LOGS
from tests.opencode_log import OpenCodeData, text, tool

# Where each agent keeps its logs below a home.
_FOLDERS = (
    *(".claude", ".codex", ".grok", ".copilot", ".gemini", ".qwen", ".pi", ".factory"),
    ".local/share/opencode",
)
_SESSIONS, _STEPS = 40, 100
_WORDS = [f"word{number}" for number in range(5000)]


class _OpenCode:
    """A session in OpenCode's database, which all of them share."""

    def __init__(self, session: str, cwd: str) -> None:
        self._session, self._cwd = session, cwd
        self._messages: list[tuple[str, dict[str, Any]]] = []

    def prompt(self, said: str) -> None:
        self._messages.append(("message", text(said)))

    def reply(self, said: str) -> None:
        self._messages.append(("reply", text(said)))

    def step(self, output: str) -> None:
        call = f"call_{len(self._messages)}"
        self._messages.append(("reply", tool("ls", call=call, output=output)))

    def write(self, home: Path) -> None:
        data = OpenCodeData(home)
        data.rows.execute("PRAGMA synchronous=OFF")
        name = data.session(f"ses_{self._session}", directory=self._cwd)
        for number, (role, part) in enumerate(self._messages):
            getattr(data, role)(name, f"msg_{self._session}_{number:04}", part)
        data.checkpoint()


_WRITERS: dict[str, type[Any]] = {
    "codex": CodexLog,
    "claude": ClaudeLog,
    "grok": GrokLog,
    "opencode": _OpenCode,
    **LOGS,
}


def flavor_rows() -> Iterator[Row]:
    """The unchanged sweep against its floor, then each agent by megabyte against Codex."""
    home = _planted(900)
    engine = open_engine(home, fresh_store("flavors"))
    sweep_whole(engine)
    roots = [str(home / folder) for folder in _FOLDERS]
    walk, sweep = [], []
    for _ in range(15):
        walk.append(timed(lambda: [scandir_and_stat(root) for root in roots]))
        sweep.append(timed(lambda: sweep_whole(engine)))
    value, base = statistics.median(sweep), statistics.median(walk)
    yield Row("nine agents", "unchanged", value, "scandir + stat", base, 1.3)
    yield from _by_megabyte()


def _by_megabyte() -> Iterator[Row]:
    """CPU of a cold sweep by megabyte read, without what a sweep of an empty home takes."""
    homes = {flavor: _told(flavor) for flavor in ("", *_WRITERS)}
    costs = in_turns({flavor: partial(_cold, homes[flavor]) for flavor in homes}, 3)
    cost = {
        flavor: 1000 * (costs[flavor].cpu - costs[""].cpu) / _megabytes(homes[flavor])
        for flavor in _WRITERS
    }
    for flavor in list(cost)[1:]:
        yield Row("by MB, CPU", flavor, cost[flavor], "codex", cost["codex"], 1.2, "ms")


def _cold(home: Path) -> Run:
    store = fresh_store("flavor")
    return run([*HELIX, "--sweep", "--store", str(store)], clean_environ(home), allowed=(0, 1))


def _megabytes(home: Path) -> float:
    """What a sweep of the home reads, as it tells itself."""
    command = [*HELIX, "--sweep", "--json", "--store", str(fresh_store("flavor"))]
    told = subprocess.run(command, env=clean_environ(home), capture_output=True, check=False)
    read: int = json.loads(told.stdout)["bytes_read"]
    return read / 1e6


def _planted(sessions: int) -> Path:
    """A home with as many sessions of each agent, made once."""
    home = WORK / f"home-nine-{sessions}"
    if not (home / "complete").exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        planter(generator().parent / "planted").plant(1, sessions, str(home))
        (home / "complete").touch()
    return home


def _told(flavor: str) -> Path:
    """A home in which one agent tells the same sessions as any other in a home of its own."""
    home = WORK / f"home-told-{flavor or 'none'}"
    if not (home / "complete").exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        for number in range(_SESSIONS if flavor else 0):
            _tell(flavor, home, number)
        (home / "complete").touch()
    return home


def _tell(flavor: str, home: Path, number: int) -> None:
    """A session of a hundred commands, whose outputs have a length as real ones do."""
    chance = random.Random(number)
    log = _WRITERS[flavor](f"{number:08x}-0000-7000-8000-000000000001", f"/work/app{number % 9}")
    for step in range(_STEPS):
        if step % 10 == 0:
            log.prompt(" ".join(chance.choices(_WORDS, k=30)))
        output = "\n".join(
            " ".join(chance.choices(_WORDS, k=9))
            for _ in range(min(400, int(chance.lognormvariate(3, 1.3))))
        )
        log.step(*(["ls"] if flavor == "claude" else []), output)
        if step % 10 == 9:
            log.reply(" ".join(chance.choices(_WORDS, k=60)))
    log.write(home)
