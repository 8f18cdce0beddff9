"""Homes of a given size, generated once and kept in bench/work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from helix_tui.sample import UNTIL, write_sample

WORK = Path(__file__).parent / "work"
STORES = WORK / "stores"
OLD_STORES = WORK / "old-stores"


def fresh_store(name: str) -> Path:
    """A place for a store, which is empty; what was there is deleted when all is measured.

    For minutes after thousands of files were deleted, ext4 looks long for room for each new one.
    """
    store = STORES / name
    if store.exists():
        OLD_STORES.mkdir(parents=True, exist_ok=True)
        store.rename(OLD_STORES / f"{name}-{time.time_ns()}")
    return store


def generator() -> Path:
    """The shared corpus generator."""
    place = os.environ.get("HELIX_SHARED", "")
    script = Path(place, "tools", "gen_corpus.py")
    if not place or not script.is_file():
        raise SystemExit("bench: set HELIX_SHARED to the folder that holds tools/gen_corpus.py")
    return script


def real_home() -> Path:
    """A real user's home, with logs of all agents."""
    return generator().parents[1] / "corpus" / "home"


def home(
    name: str, *, sessions: int, megabytes: float, sigma: float = 1.3, flavors: str = "claude"
) -> Path:
    """A home with generated logs, of Claude Code alone unless told otherwise."""
    place = WORK / f"home-{name}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        arguments = ["--sessions", str(sessions), "--mb", str(megabytes), "--sigma", str(sigma)]
        command = [sys.executable, str(generator()), *arguments, "--flavors", flavors]
        subprocess.run([*command, "--seed", "7", str(place)], check=True, capture_output=True)
        (place / "complete").touch()
    return place


def troubled_home(name: str, months: int) -> Path:
    """A home of many bundled samples, whose sessions fail, are corrected and recover."""
    place = WORK / f"home-{name}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        for seed in range(months):
            write_sample(place, seed, _months_end(seed))
        (place / "complete").touch()
    return place


def _months_end(seed: int) -> date:
    """Ends that lie close enough for problems to go on, and apart enough to come and go."""
    return UNTIL - timedelta(days=4 * (seed % 40))


def append(log: Path, kilobytes: float, seed: int) -> None:
    """Appends further events to a log."""
    command = [sys.executable, str(generator()), "--append", str(log), "--kb", str(kilobytes)]
    subprocess.run([*command, "--seed", str(seed)], check=True, capture_output=True)


def add_failure(log: Path, number: int) -> None:
    """Has a call fail in a session of Claude Code's."""
    call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "jq ."}}
    said = {"type": "tool_result", "tool_use_id": f"t{number}", "is_error": True}
    said["content"] = "Exit code 127\n/bin/bash: line 1: jq: command not found"
    _say(log, "assistant", [call], f"failed{number}")
    _say(log, "user", [said], f"told{number}")


def add_correction(log: Path, number: int) -> None:
    """Has a person correct the agent."""
    _say(log, "user", "no, don't commit that, I do the commits", f"corrected{number}")


def _say(log: Path, role: str, content: object, uuid: str) -> None:
    with log.open("rb") as file:
        first = next(record for line in file if "uuid" in (record := json.loads(line)))
    message = {"id": uuid, "role": role, "content": content}
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record = {**first, "type": role, "uuid": uuid, "timestamp": now, "message": message}
    with log.open("a") as file:
        file.write(json.dumps(record) + "\n")


def logs(place: Path) -> list[Path]:
    """The logs of a home, of whichever agent."""
    kinds = (".claude/**/*.jsonl", ".codex/**/*.jsonl*", ".grok/**/*.json*")
    return sorted(log for kind in kinds for log in place.glob(kind))


def size(place: Path) -> int:
    """The bytes of all logs of a home."""
    return sum(log.stat().st_size for log in logs(place))
