"""Turns Codex's running totals into what each step cost."""

from __future__ import annotations

import msgspec

from helix_tui.capture.adapters.codex.records import Totals
from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.schema import UsageClaim


class Meter(msgspec.Struct, array_like=True):
    """The totals so far; an epoch ends where one of them goes down."""

    epoch: int = 0
    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    reasoning: int = 0
    latest_ts: int | None = None

    def advance(
        self, totals: Totals, owner: str, ts: int | None, model: str | None
    ) -> UsageClaim | None:
        """What was spent since the totals before; nothing where they are the same."""
        now = (
            tokens_of(totals.input_tokens),
            tokens_of(totals.cached_input_tokens),
            tokens_of(totals.cache_write_input_tokens),
            tokens_of(totals.output_tokens),
            tokens_of(totals.reasoning_output_tokens),
        )
        before = self.input, self.cached, self.written, self.output, self.reasoning
        if any(new < old for new, old in zip(now, before, strict=True)):
            if ts is not None and self.latest_ts is not None and ts < self.latest_ts:
                return None  # an older record that stands here once more
            # Codex began to count anew, as after a compaction: all of it is spent since.
            self.epoch += 1
            before = 0, 0, 0, 0, 0
        if ts is not None:
            self.latest_ts = max(ts, self.latest_ts or ts)
        self.input, self.cached, self.written, self.output, self.reasoning = now
        fresh, cached, written, output, reasoning = (
            new - old for new, old in zip(now, before, strict=True)
        )
        claim = UsageClaim(
            f"{owner}:{self.epoch}:" + ":".join(map(str, now)),
            ts,
            model,
            max(fresh - cached - written, 0),
            output,
            cached,
            written,
            reasoning,
        )
        return claim if any(claim.tokens()) else None
