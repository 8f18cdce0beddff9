"""Killed right behind the frame that shows a verdict, the workstation has lost none of them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from bench.measure import clean_environ
from bench.terminal import Terminal
from helix_tui.config import load
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine import Engine
from helix_tui.engine.sample import keep_sample
from tests.faults.loop import TAKES_ALL
from tests.once import copied, made_once

# Of 200 kills, so many to a test, that several workers share; else a few of them all.
_KILLS, _TESTS = 200, 20
_SHARE = _KILLS // _TESTS if TAKES_ALL else 1
_STARTS = range(_TESTS) if TAKES_ALL else (0, 3, 6)
_MOST = 6
_COUNTS = re.compile(r"3 Candidates  ([\d,]+) of ([\d,]+)")
_CURSOR = re.compile(r"│>.*│$", re.MULTILINE)


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled sample, swept."""

    def sweep(folder: Path) -> None:
        keep_sample(folder / "store")
        for _ in Engine(load(None, folder / "store", {"HOME": str(folder)})).sweep():
            pass

    return made_once(tmp_path_factory, "killed-frame", sweep) / "store"


def shown(terminal: Terminal) -> int:
    """How many candidates the list shows as open."""
    found = _COUNTS.search(terminal.text)
    return int(found.group(1).replace(",", "")) if found else -1


def under_cursor(terminal: Terminal) -> str:
    found = _CURSOR.search(terminal.text)
    return found.group(0) if found else ""


def rejects(terminal: Terminal, count: int) -> list[tuple[str, str]]:
    """Presses several at once, and waits for the frame without them."""
    before = shown(terminal)
    terminal.press("r" * count)
    terminal.until(lambda one: 0 <= shown(one) <= before - count)
    return [("reject", "")] * count


def discusses(terminal: Terminal, count: int) -> list[tuple[str, str]]:
    """Writes a note, and waits for the sign of it."""
    terminal.press("j" * count)
    terminal.press("d")
    terminal.sees("note:")
    terminal.press("why?\r")
    terminal.until(lambda one: under_cursor(one).rstrip("│ ").endswith(" d"))
    return [("discuss", "why?")]


def takes_back(terminal: Terminal, count: int) -> list[tuple[str, str]]:
    """Rejects, takes the last one back, and waits for the word of that."""
    done = rejects(terminal, count)
    terminal.press("u")
    terminal.sees("Taken back: ")
    return [*done, ("undo", "")]


SCENES: tuple[Callable[[Terminal, int], list[tuple[str, str]]], ...] = (
    rejects, discusses, rejects, takes_back, rejects,
)  # fmt: skip


@pytest.mark.parametrize("start", _STARTS)
def test_what_a_frame_shows_as_decided_is_in_the_journal(
    sampled: Path, tmp_path: Path, start: int
) -> None:
    lost = []
    for number in range(start * _SHARE, (start + 1) * _SHARE):
        scene, count = SCENES[number % len(SCENES)], 1 + number % _MOST
        store = tmp_path / f"store-{number}"
        copied(sampled, store)
        command = [sys.executable, "-m", "helix_tui", "--store", str(store)]
        with Terminal(command, clean_environ(tmp_path, XDG_STATE_HOME=str(tmp_path))) as terminal:
            terminal.until(lambda one: shown(one) > _MOST and under_cursor(one), 120)
            seen = scene(terminal, count)
            os.kill(terminal.pid, signal.SIGKILL)
        read = Journal(store / "review" / "journal.jsonl").lines()
        kept = [(line.action, line.note) for line in read.lines]
        if kept[: len(seen)] != seen or read.damaged:
            lost.append(f"kill {number}: {seen} was shown, {kept} was kept")
        assert all(one.seq < other.seq for one, other in pairwise(read.lines))
        shutil.rmtree(store)
    assert not lost, "\n".join(lost)
