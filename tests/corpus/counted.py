"""What a store says of logs, held against the counters that read them on their own."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Workbench
from tests.truth import claude_counter, codex_counter, grok_counter

FACTS = (
    "parent",
    "prompts",
    "tool_calls",
    "tool_errors",
    "started_at",
    "ended_at",
    "cwd",
    "branch",
    "agent_version",
)

COUNTERS = {"claude": claude_counter, "codex": codex_counter, "grok": grok_counter}

TOKENS = ("input", "output", "cache_read", "cache_write")


def assert_equals_truth(bench: Workbench, home: Path) -> None:
    """Every figure of every session of every agent, to the digit."""
    listed = bench.helix("sessions", "--json").json["sessions"]
    for flavor, counter in COUNTERS.items():
        truth = counter.count_home(home)
        found = {item["id"]: item for item in listed if item["flavor"] == flavor}
        assert found.keys() == truth.keys()
        tokens = TOKENS if flavor == "claude" else (*TOKENS, "reasoning")
        for name, expected in truth.items():
            facts = {fact: found[name][fact] for fact in FACTS}
            facts |= {field: found[name]["cost"][field] for field in tokens}
            if getattr(expected, "usd", None) is not None:
                facts["usd"] = found[name]["cost"]["usd"]  # what the agent recorded
            assert facts == {fact: getattr(expected, fact) for fact in facts}, name


def but_for_raw_bytes(bench: Workbench, store: Path) -> list[dict[str, object]]:
    """How much a session takes on disk depends on how it was cut; nothing else may."""
    listed = bench.helix("sessions", "--json", "--store", str(store)).json["sessions"]
    return [{**item, "raw_bytes": 0} for item in listed]
