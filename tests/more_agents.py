"""The further agents: how each one's log is written, counted and found."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from tests.conftest import Workbench
from tests.copilot_log import CopilotLog
from tests.droid_log import DroidLog
from tests.gemini_log import GeminiLog
from tests.pi_log import PiLog
from tests.qwen_log import QwenLog
from tests.truth import (
    copilot_counter,
    droid_counter,
    gemini_counter,
    pi_counter,
    qwen_counter,
)


class Log(Protocol):
    """A session that is being written."""

    session: str
    second: float
    records: list[dict[str, Any]]

    def prompt(self, text: str = ...) -> Any:
        """What a person asks."""

    def think(self, text: str) -> None:
        """What the model thinks before its next answer."""

    def reply(self, text: str = ...) -> Any:
        """What the agent says."""

    def call(self, tool: str = ..., given: dict[str, Any] | None = None, text: str = "") -> str:
        """A tool's call."""

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> Any:
        """How a call ends."""

    def step(self, output: str = "ok", code: int = 0) -> None:
        """A command and what came of it."""

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> None:
        """What was taken."""

    def text(self) -> bytes:
        """The file's content."""

    def write(self, home: Path) -> Path:
        """Puts the log where its agent does."""


LOGS: dict[str, type[Any]] = {
    "copilot": CopilotLog,
    "gemini": GeminiLog,
    "qwen": QwenLog,
    "pi": PiLog,
    "droid": DroidLog,
}
COUNTERS: dict[str, ModuleType] = {
    "copilot": copilot_counter,
    "gemini": gemini_counter,
    "qwen": qwen_counter,
    "pi": pi_counter,
    "droid": droid_counter,
}
FACTS = (
    *("parent", "prompts", "tool_calls", "tool_errors", "started_at", "ended_at"),
    *("cwd", "branch"),
)
TOKENS = ("input", "output", "cache_read", "cache_write", "reasoning")


def assert_counted_alike(bench: Workbench, *flavors: str) -> None:
    """Every figure of every session equals the counters', to the digit."""
    listed = bench.helix("sessions", "--json").json["sessions"]
    for flavor in flavors or COUNTERS:
        truth = COUNTERS[flavor].count_home(bench.home)
        found = {item["id"]: item for item in listed if item["flavor"] == flavor}
        assert found.keys() == truth.keys()
        for name, expected in truth.items():
            facts = {fact: found[name][fact] for fact in FACTS}
            facts |= {field: found[name]["cost"][field] for field in TOKENS}
            if expected.usd is not None:
                facts["usd"] = found[name]["cost"]["usd"]  # what the agent recorded
            assert facts == {fact: getattr(expected, fact) for fact in facts}, name
