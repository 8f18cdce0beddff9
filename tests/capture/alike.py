"""The session that fixtures write, and the separate counters held against Helix on it."""

from __future__ import annotations

from helix_tui.text.times import iso
from tests.conftest import Workbench
from tests.truth import claude_counter, codex_counter, grok_counter

SESSION = "claude:11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
Counted = claude_counter.Counted | codex_counter.Counted | grok_counter.Counted
FACTS = ("parent", "prompts", "tool_calls", "tool_errors", "cwd", "branch", "agent_version")
TOKENS = ("input", "output", "cache_read", "cache_write")


def assert_counted_alike(bench: Workbench) -> None:
    """The separate counters see the same sessions with the same figures."""
    truth: dict[str, Counted] = {
        **claude_counter.count_home(bench.home),
        **codex_counter.count_home(bench.home),
        **grok_counter.count_home(bench.home),
    }
    found = bench.sessions()
    assert found.keys() == truth.keys()
    for name, expected in truth.items():
        session = found[name]
        for fact in FACTS:
            assert getattr(session, fact) == getattr(expected, fact), (name, fact)
        for field in TOKENS:
            assert getattr(session.cost, field) == getattr(expected, field), (name, field)
        times = iso(session.first_ts), iso(session.last_ts)
        assert times == (expected.started_at, expected.ended_at), name
