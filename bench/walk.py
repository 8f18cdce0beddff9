"""`python -m bench.walk`: the way of a log line to a row, and that of a key to a file.

Every call within Helix is counted: in how many files, and how often the package changes from one
call to the next. ARCHITECTURE.md has the figures.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import helix_tui
from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.sample import write_sample

_ROOT = f"{Path(helix_tui.__file__).parent}/"


class _Walk:
    """The files that calls were in, and how often the package changed."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.changes = 0
        self._package = ""

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        if event != "call" or name.startswith("<") or not path.startswith(_ROOT):
            return
        path = path.removeprefix(_ROOT)
        package = path.partition("/")[0]
        self.files.add(path)
        self.changes += package != self._package
        self._package = package


def _walked(job: Callable[[], object]) -> str:
    walk = _Walk()
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        job()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return f"{len(walk.files)} files, {walk.changes} changes of the package"


def main() -> None:
    """Walk both ways on the bundled sample, after everything was read and compiled once."""
    with tempfile.TemporaryDirectory(prefix="helix-walk-") as folder:
        home = Path(folder) / "home"
        home.mkdir()
        write_sample(home)
        engine = Engine(load(None, Path(folder) / "store", {"HOME": str(home)}))
        list(engine.sweep())
        names = [listed.brief.id for listed in engine.candidates.listing().listed]
        plain = [name for name in names if not engine.verdicts.preview(name).words_of_log]
        log = next((home / ".claude").rglob("*.jsonl"))
        line = json.loads(log.read_text().split("\n", 1)[0])
        with log.open("a") as file:
            file.write(json.dumps({**line, "uuid": "one-more"}) + "\n")

        def sweep_and_list() -> None:
            list(engine.sweep())
            engine.candidates.listing()

        def approve() -> None:
            with engine.verdicts.together() as verdicts:
                verdicts.approve(plain[0], look="list")

        print(f"a log line to a row: {_walked(sweep_and_list)}")
        print(f"a key to a file: {_walked(approve)}")


if __name__ == "__main__":
    main()
