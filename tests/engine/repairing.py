"""A store with something of everything, how it is seen, and how its database is lost."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.retained import name_of, write_log


def lose_database(store: Path) -> None:
    (store / "store.db").unlink()


def view(bench: Workbench) -> dict[str, object]:
    """What a person sees of each session: figures, digest, transcript."""
    engine = bench.engine()
    found: dict[str, object] = {}
    for name, session in sorted(bench.sessions().items()):
        figures = msgspec.to_builtins(session)
        events = list(engine.session_events(session))
        found[name] = ({**figures, "raw_bytes": 0}, engine.digest(session), events)
    return found


class Filled:
    """Logs and their store, made once, and at the same place again for each test."""

    def __init__(self, folder: Path, sessions: int = 40) -> None:
        self._folder = folder
        bench = Workbench(folder / "bench")
        for number in range(sessions):
            write_log(bench, number, steps=5)
        agent = ClaudeLog(session=name_of(3), agent="abc")
        agent.prompt("look around")
        agent.write(bench.home)
        bench.sweep()
        self._contents = {path: path.read_bytes() for path in bench.home.rglob("*.jsonl")}
        # A log is known by its inode, too.
        shutil.copytree(bench.home, folder / "home", copy_function=os.link)
        shutil.copytree(bench.store, folder / "store")
        self.view = view(bench)

    def again(self) -> Workbench:
        place = self._folder / "bench"
        shutil.rmtree(place)
        shutil.copytree(self._folder / "home", place / "home", copy_function=os.link)
        shutil.copytree(self._folder / "store", place / "store")
        for path, content in self._contents.items():
            assert path.read_bytes() == content, "a test wrote to a log"
        return Workbench(place)
