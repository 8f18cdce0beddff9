"""A model is found under what providers make of its name, and never under another's."""

from __future__ import annotations

import pytest

from helix_tui.pricing import price_table, shipped_prices
from helix_tui.pricing.rows import TokenRate

DAY = 20_500  # 2026-02-16


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("claude-opus-4-20250514", "claude-opus-4"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("claude-sonnet-4-5[1m]", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5"),
        ("anthropic/claude-opus-4.5", "claude-opus-4-5"),
        ("openrouter/anthropic/claude-3.7-sonnet", "claude-3-7-sonnet"),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"),
        ("anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
        ("bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("openai/gpt-5.1-codex-max", "gpt-5.1-codex-max"),
        ("codex-mini-latest", "codex-mini"),
        ("xai/grok-4.7", "grok-4.7"),
        (" GPT-5 ", "gpt-5"),
    ],
)
def test_what_providers_add_is_taken_off(written: str, meant: str) -> None:
    table = price_table({})
    assert table.rate(written, DAY, 0) == table.rate(meant, DAY, 0) != TokenRate()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "haiku",
        "<synthetic>",
        "MiniMax-M2.1",
        "gpt-5-max",
        "gpt-5.9",
        "gpt-5-mini-2",
        "gpt-55",
        "claude-opus-4-5-fast",
        "claude-opus",
        "my-gateway/gpt-5",
        "us-gov.anthropic.claude-opus-4-8",
        "grok-4.6-build",
        "not-claude-opus-4-5",
    ],
)
def test_no_model_is_taken_for_another(name: str) -> None:
    assert price_table({}).rate(name, DAY, 0) == TokenRate()


def test_a_smaller_model_is_not_priced_as_its_larger_one() -> None:
    prices = shipped_prices()
    assert prices["gpt-5-mini"] != prices["gpt-5"] != prices["gpt-5-nano"]
