"""What Helix says of a home's OpenCode sessions, held against the separate counter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Workbench
from tests.truth import opencode_counter

FACTS = (
    *("parent", "prompts", "tool_calls", "tool_errors", "started_at", "ended_at", "cwd"),
    *("branch", "agent_version", "model", "compactions"),
)
TOKENS = ("input", "output", "cache_read", "cache_write", "reasoning")


def assert_counted(bench: Workbench) -> dict[str, dict[str, Any]]:
    """Every figure of every session equals the separate counter's."""
    truth = opencode_counter.count_home(bench.home)
    listed = bench.helix("sessions", "--json").json["sessions"]
    found = {session["id"]: session for session in listed}
    assert found.keys() == truth.keys()
    for name, expected in truth.items():
        facts = {fact: found[name][fact] for fact in FACTS if fact in found[name]}
        facts |= {field: found[name]["cost"][field] for field in TOKENS}
        if expected.usd is not None:
            assert found[name]["cost"]["usd"] == pytest.approx(expected.usd, abs=1e-6)
        assert facts == {fact: getattr(expected, fact) for fact in facts}, name
    return found
