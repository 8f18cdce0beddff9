"""Hooks of Gemini CLI and Droid: in their settings, in their units, and out again byte for byte."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.conftest import Workbench

PAYLOAD = {"session_id": "s-1", "transcript_path": "/x/session-1.jsonl", "cwd": "/work"}


@pytest.mark.parametrize(
    ("flavor", "file", "timeout", "events", "told"),
    [
        ("gemini", ".gemini", 5000, ["SessionEnd", "PreCompress", "AfterAgent"], "Stop"),
        ("droid", ".factory", 5, ["SessionEnd", "PreCompact", "Stop"], "Stop"),
    ],
)
def test_installed_heard_and_taken_out(
    bench: Workbench, flavor: str, file: str, timeout: int, events: list[str], told: str
) -> None:
    settings = bench.home / file / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "theme": "dark"\n}\n')
    before = settings.read_bytes()
    assert bench.helix("hooks", "install", flavor, "--json").json["changed"] is True
    hooks: dict[str, Any] = json.loads(settings.read_bytes())["hooks"]
    assert list(hooks) == events
    (handler,) = hooks[events[-1]][0]["hooks"]
    assert handler["timeout"] == timeout
    event = {**PAYLOAD, "hook_event_name": events[-1]}
    subprocess.run(handler["command"], shell=True, input=json.dumps(event).encode(), check=True)
    (line,) = (bench.store / "spool.jsonl").read_text().splitlines()
    assert {name: json.loads(line)[name] for name in ("flavor", "session", "event")} == {
        "flavor": flavor,
        "session": "s-1",
        "event": told,
    }
    listed = bench.helix("hooks", "status", "--json").json["hooks"]
    assert [status["flavor"] for status in listed] == ["claude", "codex", "grok", flavor]
    bench.helix("hooks", "uninstall", flavor)
    assert settings.read_bytes() == before
