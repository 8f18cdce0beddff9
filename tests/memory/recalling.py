"""A home with repositories in which agents worked, and a memory of it."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.claude_log import START, ClaudeLog
from tests.conftest import Workbench

LATELY = int(time.time()) - START - 7200


def repository(folder: Path) -> Path:
    """A folder that git and hooks take for a repository."""
    (folder / ".git" / "info").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def worked_in(folder: Path, number: int, word: str, *, start: int = LATELY) -> ClaudeLog:
    """A session in which something fails, is overcome, and something is left open."""
    name = f"{number:08d}-1111-4111-8111-111111111111"
    log = ClaudeLog(session=name, cwd=str(folder), start=start + number * 60)
    log.prompt(f"please make the {word} importer work and run the tests")
    log.step(f"rg {word} src", "Exit code 127\nbash: rg: command not found", is_error=True)
    log.step(f"grep -rn {word} src", "src/a.py:1:import os")
    log.step("pytest -q", f"FAILED tests/test_a.py::test_{word}\n1 failed", is_error=True)
    log.reply(f"The {word} importer broke because the {word} path was never set.")
    log.prompt(f"now write the {word} migration too")
    return log


class Recalling:
    """Two repositories of the same name and one of another, each with its own word."""

    def __init__(self, bench: Workbench, tmp_path: Path) -> None:
        self.bench = bench
        self.shop = repository(tmp_path / "one" / "shop")
        self.other_shop = repository(tmp_path / "two" / "shop")
        self.bakery = repository(tmp_path / "bakery")
        self.words = {self.shop: "walnut", self.other_shop: "cobalt", self.bakery: "pumpernickel"}
        self.sessions: dict[Path, str] = {}
        for number, (folder, word) in enumerate(self.words.items(), 1):
            log = worked_in(folder, number, word)
            log.write(bench.home)
            self.sessions[folder] = f"claude:{log.session}"
        bench.sweep()

    def flush(self) -> None:
        engine = self.bench.engine()
        for session in self.sessions.values():
            engine.flush(session)
        engine.memory.compile(is_now=True)
        engine.prepare_recall()


def start_of(folder: Path, **fields: Any) -> dict[str, Any]:
    """The event of a session that starts in a folder, as Claude Code writes it."""
    return {
        "session_id": "5f0c2a51-7d1e-4b0a-9d0f-2f5f1c3a7b11",
        "transcript_path": "/home/ada/.claude/projects/-x/5f0c2a51.jsonl",
        "cwd": str(folder),
        "hook_event_name": "SessionStart",
        "source": "startup",
        **fields,
    }


def run_command(command: str, payload: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Runs an installed hook as an agent does."""
    return subprocess.run(
        ["/bin/sh", "-c", command],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env={"PATH": "/usr/bin:/bin"},
        timeout=30,
        check=False,
    )


def context_in(done: subprocess.CompletedProcess[bytes]) -> str:
    """What an agent's model would get."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    output = json.loads(done.stdout)
    assert list(output) == ["hookSpecificOutput"]
    assert output["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    text = output["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    return text
