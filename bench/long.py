"""Sessions and stores that are far larger than most: what listing and reading them takes."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from bench import corpus
from bench.filled import copy_of, filled_store
from bench.measure import clean_environ, in_turns, run
from bench.row import Row
from helix_tui.store.shape import SCHEMA_VERSION

_HELIX = [sys.executable, "-m", "helix_tui"]
_EVENTS, _FILES = 1_000_000, 20
_SESSIONS = 200_000
# What a command may take: seconds, and MB of memory.
_SECONDS, _MEGABYTES = 60, 150
_SECONDS_TO_LIST = 1

_START = 1_770_000_000
_STEPS = 4
_WORDS = "the parser reads each record once and keeps what it says of the build "


def long() -> Iterator[Row]:
    """A session of a million events, in one file and in twenty; a list of 200,000 sessions."""
    environ = clean_environ(corpus.WORK)
    name = f"claude:{_uuid(0)}"
    for files in (1, _FILES):
        store = corpus.WORK / f"long-{_EVENTS}-{files}-{SCHEMA_VERSION}"
        if not (store / "store.db").exists():
            sweep = [*_HELIX, "--sweep", "--store", str(store)]
            run(sweep, clean_environ(long_home(_EVENTS, files)))
        case = f"{_EVENTS // 10**6}M, {files} file{'s' if files > 1 else ''}"
        show = [*_HELIX, "show", name, "--events", "--json", "--store", str(store)]
        for what, command in (
            ("show --events", show),
            ("flush", [*_HELIX, "flush", name, "--store", str(copy_of(store, "long-flush"))]),
        ):
            cost = run(command, environ)
            yield Row(case, f"{what}, wall", cost.wall, "aim", _SECONDS, 1.0)
            yield Row(case, f"{what}, CPU", cost.cpu, "aim", _SECONDS, 1.0)
            yield Row(case, f"{what}, RSS", cost.rss_mb, "limit", _MEGABYTES, 1.0, "MB")
    store = filled_store(_SESSIONS, has_candidates=False)
    listing = [*_HELIX, "sessions", "--limit", "5", "--store", str(store)]
    costs = in_turns({"sessions": partial(run, listing, environ)}, 5)
    yield Row(
        "sessions 200k", "--limit 5, wall", costs["sessions"].wall, "aim", _SECONDS_TO_LIST, 1.0
    )
    yield Row(
        "sessions 200k", "--limit 5, CPU", costs["sessions"].cpu, "aim", _SECONDS_TO_LIST, 1.0
    )


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
