"""Sessions and stores that are far larger than most: what listing and reading them takes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import corpus

_START = 1_770_000_000
_STEPS = 4
_WORDS = "the parser reads each record once and keeps what it says of the build "


def long_home(events: int, parts: int = 1) -> Path:
    """A home with one session of so many events, spread in turns over so many files."""
    place = corpus.WORK / f"home-long-{events}-{parts}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        folder = place / ".claude" / "projects" / "-work-app"
        folder.mkdir(parents=True)
        files = [(folder / f"{_uuid(part)}.jsonl").open("w") for part in range(parts)]
        for number in range(0, events, _STEPS):
            turn = number // _STEPS
            for record in _turn(turn):
                files[turn % parts].write(json.dumps(record, separators=(",", ":")) + "\n")
        for file in files:
            file.close()
        (place / "complete").touch()
    return place


def _uuid(number: int) -> str:
    return f"11111111-1111-4111-8111-{number:012d}"


def _turn(turn: int) -> Iterator[dict[str, Any]]:
    """What is asked, a command, what it printed, and what the agent says of it."""
    call = f"toolu_{turn:08d}"
    asked = f"build number {turn}: {_WORDS}"
    used = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"make t{turn}"}}
    said = {"type": "tool_result", "tool_use_id": call, "content": f"{turn} passed. {_WORDS * 3}"}
    answer = {"type": "text", "text": f"Build {turn} is done. {_WORDS * 2}"}
    for step, (role, content) in enumerate(
        (("user", asked), ("assistant", [used]), ("user", [said]), ("assistant", [answer]))
    ):
        message: dict[str, Any] = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg_{turn}_{step}", "model": "claude-opus-4-5"}
            message["usage"] = {"input_tokens": 10, "output_tokens": 5}
        when = datetime.fromtimestamp(_START + turn * _STEPS + step, UTC)
        yield {
            "type": role,
            "sessionId": _uuid(0),
            "cwd": "/work/app",
            "uuid": f"{turn:08d}-{step}",
            "timestamp": when.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "message": message,
        }
