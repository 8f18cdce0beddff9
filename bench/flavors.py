"""Homes of nine agents: a sweep that finds nothing new, and what a megabyte of each takes."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.corpus import WORK, fresh_store, generator
from bench.measure import Run, clean_environ, in_turns, run, timed
from bench.row import Row
from bench.sweeps import HELIX, open_engine, scandir_and_stat, sweep_whole
from score.nine import planter

# Where each agent keeps its logs below a home.
_FOLDERS = {
    "codex": ".codex",
    "claude": ".claude",
    "grok": ".grok",
    "copilot": ".copilot",
    "gemini": ".gemini",
    "qwen": ".qwen",
    "pi": ".pi",
    "droid": ".factory",
    "opencode": ".local",
}


def flavor_rows() -> Iterator[Row]:
    """The unchanged sweep against its floor, then each agent by megabyte against Codex."""
    home = _planted(900)
    engine = open_engine(home, fresh_store("flavors"))
    sweep_whole(engine)
    roots = [str(home / folder) for folder in _FOLDERS.values()]
    walk, sweep = [], []
    for _ in range(15):
        walk.append(timed(lambda: [scandir_and_stat(root) for root in roots]))
        sweep.append(timed(lambda: sweep_whole(engine)))
    value, base = statistics.median(sweep), statistics.median(walk)
    yield Row("nine agents", "unchanged", value, "scandir + stat", base, 1.3)
    yield from _by_megabyte(home)


def _by_megabyte(home: Path) -> Iterator[Row]:
    """CPU of a cold sweep by megabyte read, without what a sweep of an empty home takes."""
    homes = {flavor: _only(home, flavor) for flavor in ("", *_FOLDERS)}
    costs = in_turns({flavor: partial(_cold, homes[flavor]) for flavor in homes}, 3)
    cost = {
        flavor: 1000 * (costs[flavor].cpu - costs[""].cpu) / _megabytes(homes[flavor])
        for flavor in _FOLDERS
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


def _only(home: Path, flavor: str) -> Path:
    """A home with the logs of one agent of it, or of none."""
    place = home.with_name(f"{home.name}-{flavor or 'none'}")
    place.mkdir(exist_ok=True)
    link = place / _FOLDERS.get(flavor, "")
    if flavor and not link.is_symlink():
        link.symlink_to(home / _FOLDERS[flavor])
    return place
