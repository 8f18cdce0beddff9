"""Turn Codex's running totals into the tokens of each step."""

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
        """The tokens since the previous totals; None where these are the same."""
        input_total = tokens_of(totals.input_tokens)
        cached = tokens_of(totals.cached_input_tokens)
        written = tokens_of(totals.cache_write_input_tokens)
        output = tokens_of(totals.output_tokens)
        reasoning = tokens_of(totals.reasoning_output_tokens)
        current = input_total, cached, written, output, reasoning
        before = self.input, self.cached, self.written, self.output, self.reasoning
        if current == before:
            return None
        if (
            input_total < before[0]
            or cached < before[1]
            or written < before[2]
            or output < before[3]
            or reasoning < before[4]
        ):
            if ts is not None and self.latest_ts is not None and ts < self.latest_ts:
                return None  # an older record that stands here once more
            # Codex began to count anew, as after a compaction: all of it is spent since.
            self.epoch += 1
            before = 0, 0, 0, 0, 0
        if ts is not None:
            self.latest_ts = max(ts, self.latest_ts or ts)
        self.input, self.cached, self.written, self.output, self.reasoning = current
        cached -= before[1]
        written -= before[2]
        claim = UsageClaim(
            f"{owner}:{self.epoch}:{current[0]}:{current[1]}:{current[2]}:{current[3]}:{current[4]}",
            ts,
            model,
            max(input_total - before[0] - cached - written, 0),
            output - before[3],
            cached,
            written,
            reasoning - before[4],
        )
        return claim if any(claim.tokens()) else None
