"""Sessions of Codex in a folder where a program is missing, and rules of before them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.agents import CodexStory, work
from tests.claude_log import START
from tests.conftest import Workbench
from tests.engine.trouble_log import name_of

JUST = "Format the code with `just fmt` after every change.\n"


def write_codex(bench: Workbench, folder: Path, count: int = 3, **meta: Any) -> None:
    """Sessions in which `just` is not there, and `cargo fmt` works."""
    for number in range(count):
        log = CodexStory(session=name_of(number), cwd=str(folder), start=number * 4000, **meta)
        work(log)
        log.run("just fmt", "bash: line 1: just: command not found", 127)
        log.run("cargo fmt", "")
        log.say("Done, it is formatted.")
        log.save(bench.home)


def write_rules(path: Path, text: str) -> None:
    """A file of before all sessions."""
    path.write_text(text)
    os.utime(path, (START - 100, START - 100))
