"""What is told of 200 candidates over 50 repositories, and a look whether anything changed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from bench.corpus import WORK
from bench.measure import clean_environ, median_of, run
from bench.row import Row
from helix_tui.engine.context.told import ToldFinder
from helix_tui.engine.context.watch import WatchedDisk, is_unchanged
from helix_tui.schema.candidate import Candidate, Member, Remedy
from helix_tui.schema.context import RecordedText, SessionPlace

_REPOS, _CANDIDATES, _SESSIONS = 50, 200, 20
_RULES = 120
_NOW = 1_790_000_000_000
_PROGRAMS = (
    "pytest",
    "ruff check",
    "cargo test",
    "npm run build",
    "docker compose up",
    "make lint",
)


def told_rows() -> Iterator[Row]:
    """Find all, look again, and the command that shows one folder."""
    home = WORK / "told"
    folders = [_repository(home / f"repo{number}", number) for number in range(_REPOS)]
    candidates = [_candidate(number) for number in range(_CANDIDATES)]
    with patch.dict(os.environ, {"HOME": str(home)}):
        began = time.perf_counter()
        disk = WatchedDisk()
        recorded = {
            key: [RecordedText(key, key % _REPOS + 1, "message", _NOW, None)]
            for key in range(0, _REPOS * _SESSIONS, 2)
        }
        texts = {number + 1: _rules(number) for number in range(_REPOS)}
        finder = ToldFinder(_sessions(folders), recorded, texts, disk)
        states = [finder.of(one).state for one in candidates]
        taken = time.perf_counter() - began
        assert len(set(states)) > 1, "something is told, something is not"
        yield Row("told", "200 candidates, 50 repos", taken, "aim", 2.0, 1.0)
        watched = disk.watched()
        looked = median_of(lambda: is_unchanged(watched), 20)
        yield Row("told", "nothing changed", looked * 1e3, "aim", 20.0, 1.0, "ms")
    command = [sys.executable, "-m", "helix_tui", "context", str(folders[0]), "--json"]
    walls = [run(command, clean_environ(home)).wall for _ in range(5)]
    yield Row("told", "helix context", min(walls), "aim", 0.3, 1.0)


def _rules(number: int) -> str:
    lines = [
        f"- Rule {rule}: use `{_PROGRAMS[(rule + number) % 6]} --part{rule}` for part {rule}."
        for rule in range(_RULES)
    ]
    return "# Rules\n\n" + "\n".join(lines) + "\n"


def _repository(folder: Path, number: int) -> Path:
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "AGENTS.md").write_text(_rules(number))
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(folder)]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "rules"]):
            subprocess.run([*git, *words], check=True, env=clean_environ(folder))
    return folder


def _sessions(folders: list[Path]) -> list[SessionPlace]:
    return [
        SessionPlace(
            key,
            f"s{key}",
            f"s{key}",
            "codex" if key % 2 == 0 else "claude",
            f"repo{key % _REPOS}",
            str(folders[key % _REPOS]),
            _NOW,
        )
        for key in range(_REPOS * _SESSIONS)
    ]


def _candidate(number: int) -> Candidate:
    program = _PROGRAMS[number % 6]
    keys = [number * 7 % 1000, (number * 7 + 50) % 1000, (number * 13 + 3) % 1000]
    members = {
        f"s{key}": Member("codex" if key % 2 == 0 else "claude", f"repo{key % _REPOS}", 1)
        for key in keys
    }
    failed, works = f"$ {program}", f"$ {program} --part{number % _RULES}"
    cure = Remedy("r", "", "add a flag", works, failed, works, 3, 1.0, None, list(members))
    return Candidate(
        f"c{number}", "problem", "tool_error", {}, "shell", "", "", f"`{program}` fails in part",
        members, [], shape=program, cure=cure if number % 3 else None,
    )  # fmt: skip
