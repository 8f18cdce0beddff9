"""Sum usage up so that any table of prices can be applied to the sums."""

from __future__ import annotations

from bisect import bisect_left

# Vendors charge more for prompts above one of these sizes; sums are separate for each.
PROMPT_STEPS = (100_000, 200_000, 272_000)
# The step of messages whose cost the agent itself recorded.
RECORDED = -1
# The day of a message without a time: before every day that can be printed.
UNDATED = -1_000_000
# One tick is 1e-10 USD: prices per million tokens with four decimals are whole ticks per token.
TICKS_PER_USD = 10_000_000_000
DAY_MS = 86_400_000


def day_of(ts: int | None) -> int:
    """Return the day, UTC, of a stored time, counted from 1970."""
    return UNDATED if ts is None else ts // DAY_MS


def step_of(prompt_tokens: int) -> int:
    """Count the sizes at which prices change that a prompt exceeds."""
    return bisect_left(PROMPT_STEPS, prompt_tokens)
