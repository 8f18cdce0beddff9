"""The session that fixtures write, and the separate counter held against Helix on it."""

from __future__ import annotations

from tests.conftest import Workbench
from tests.truth.claude_counter import TOKEN_FIELDS, count_home

SESSION = "claude:11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


def assert_counted_alike(bench: Workbench) -> None:
    """The separate counter sees the same sessions with the same figures."""
    truth = count_home(bench.home)
    found = bench.sessions()
    assert found.keys() == truth.keys()
    for name, expected in truth.items():
        session = found[name]
        for fact in ("parent", "prompts", "tool_calls", "tool_errors", "cwd", "branch"):
            assert getattr(session, fact) == getattr(expected, fact), (name, fact)
        for field in TOKEN_FIELDS:
            assert getattr(session.cost, field) == getattr(expected, field), (name, field)
