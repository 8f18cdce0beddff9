"""An archive for tests: homes of several people and agents, and how it is swept."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from helix_tui.archive.engines import Engine, Read, failure_of
from helix_tui.archive.places import Archive
from helix_tui.archive.unit import batches_of_unit
from helix_tui.engine.sweep.archive import ArchiveLogs
from helix_tui.events import SweepFinished, SweepReport
from helix_tui.schema import UnitTask
from tests.claude_log import ClaudeLog
from tests.codex_log import CodexLog
from tests.conftest import Workbench

POISON = "poison"


def claude(number: int, command: str = "rg todo") -> ClaudeLog:
    """A short session in which a program is missing."""
    name = f"{number:08d}-0000-4000-8000-000000000000"
    log = ClaudeLog(name, cwd=f"/work/app{number % 3}")
    log.prompt(f"look for the todo of module {number}")
    log.step(command, "bash: rg: command not found", is_error=True)
    log.step("grep -r todo .", "todo: nothing")
    log.reply("There is none.")
    return log


def codex(number: int) -> CodexLog:
    """A short session of another agent."""
    log = CodexLog(f"0199aaaa-0000-7000-8000-{number:012d}")
    log.prompt(f"rename part {number}")
    log.reply("Renamed.")
    return log


def fill(homes: Path, people: int = 2, each: int = 3) -> None:
    """Write homes with logs."""
    for person in range(people):
        for nth in range(each):
            number = person * 100 + nth
            claude(number).write(homes / f"person{person}")
            codex(number).write(homes / f"person{person}")


class InTurn:
    """An engine that reads in this process, in any order, and says how often it was asked."""

    def __init__(
        self, seed: int = 0, work: Callable[[bytes], list[bytes]] = batches_of_unit
    ) -> None:
        self._random = random.Random(seed)
        self._work = work
        self.asked = 0

    def read(self, tasks: Sequence[bytes], cancelled: Callable[[], bool]) -> Iterator[Read]:
        order = list(range(len(tasks)))
        self._random.shuffle(order)
        for at in order:
            self.asked += 1
            try:
                read = Read(at, self._work(tasks[at]))
            except Exception as error:  # noqa: BLE001 - as the engines do
                read = Read(at, [], failure_of(error))
            yield read
            if cancelled():
                return

    def close(self) -> None:
        """Nothing is held."""


def swept(
    bench: Workbench,
    url: str,
    engine: Engine,
    store: Path | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> SweepReport:
    """Sweep an archive into a store."""
    source = ArchiveLogs(Archive(url), engine)
    events = list(bench.engine(store).sweep(source=source, cancelled=cancelled))
    assert isinstance(events[-1], SweepFinished)
    return events[-1].report


def contents(bench: Workbench, store: Path) -> dict[str, Any]:
    """What a store has to show: sessions with their figures, and candidates."""
    sessions = bench.helix("sessions", "--json", "--store", str(store)).json["sessions"]
    candidates = bench.helix("detect", "--all", "--json", "--store", str(store)).json["candidates"]
    return {"sessions": sessions, "candidates": candidates}


def die_of_poison(message: bytes) -> list[bytes]:
    """Read a unit, and take the process down where it is poison."""
    if POISON in msgspec.msgpack.decode(message, type=UnitTask).unit:
        os.kill(os.getpid(), signal.SIGKILL)
    return batches_of_unit(message)
