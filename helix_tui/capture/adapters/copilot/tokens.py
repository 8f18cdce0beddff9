"""What a Copilot session took: output told with each answer, the rest when a run ends.

`session-store.db` has the same figures by request (`assistant_usage_events`), and comes to the sums
that a shutdown tells. Where it has a session, its rows alone count.
"""

from __future__ import annotations

import msgspec

from helix_tui.capture.adapters import Row
from helix_tui.capture.adapters.copilot.records import ModelMetrics, Tokens
from helix_tui.capture.adapters.fields import count_of, tokens_of
from helix_tui.schema import UsageClaim
from helix_tui.text.hashing import hash64
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

# input, output, cache_read, cache_write, reasoning
Counts = tuple[int, int, int, int, int]
# A credit is 1e9 nano-AIU and costs a cent since then; a tick is 1e-10 USD.
_CREDITS_SINCE = 1_780_272_000_000  # 2026-06-01
_NANO_PER_TICK, _MOST_NANO = 10, 10**17
_NONE: Counts = (0, 0, 0, 0, 0)


class Runs(msgspec.Struct, array_like=True):
    """The sums that the last run told, and the output that answers told since.

    Sums go on over runs; where one falls, and after a compaction, Copilot began to count anew.
    """

    epoch: int = 0
    before: dict[str, Counts] = {}
    said: int = 0
    # Answers since the last run ended: a line may stand there twice.
    told: set[int] = set()

    def begin(self) -> None:
        """A compaction sets all sums to zero."""
        self.epoch += 1
        self._settle({})

    def answered(self, message: str, output: int) -> None:
        """An answer tells its own output."""
        known = hash64(message.encode("utf-8", "replace"))
        if known not in self.told:
            self.told.add(known)
            self.said += output

    def _settle(self, sums: dict[str, Counts]) -> None:
        self.before, self.said, self.told = sums, 0, set()

    def end(self, metrics: dict[str, ModelMetrics], owner: str, ts: int | None) -> list[UsageClaim]:
        """What a run took beside the output that its answers told."""
        now = {model: counts_of(told.usage) for model, told in metrics.items()}
        if any(_is_less(now.get(model, _NONE), counts) for model, counts in self.before.items()):
            self.epoch += 1
            self.before = {}
        added = {
            model: _minus(counts, self.before.get(model, _NONE)) for model, counts in now.items()
        }
        untold = max(0, sum(counts[1] for counts in added.values()) - self.said)
        claims: list[UsageClaim] = []
        # What no answer told is the doing of the model that wrote most.
        for model in sorted(added, key=lambda name: (-added[name][1], name)):
            own = min(untold, added[model][1])
            untold -= own
            figures = ":".join(map(str, now[model]))
            key = f"{owner}:{self.epoch}:{model_of(model)}:{figures}"
            fresh, _, read, written, reasoning = added[model]
            claim = UsageClaim(
                key,
                ts,
                model_of(model),
                max(fresh - read - written, 0),
                own,
                read,
                written,
                reasoning,
            )
            if any(claim.tokens()):
                claims.append(claim)
        self._settle(now)
        return claims


def counts_of(told: Tokens | None) -> Counts:
    """Counts as they are told, within what can be summed."""
    if told is None:
        return _NONE
    return (
        tokens_of(told.input_tokens),
        tokens_of(told.output_tokens),
        tokens_of(told.cache_read_tokens),
        tokens_of(told.cache_write_tokens),
        tokens_of(told.reasoning_tokens),
    )


def claim_of_row(row: Row, owner: str) -> UsageClaim | None:
    """What one request took, by its row of the database."""
    number, created, model, *figures = row[:9]
    fresh, output, read, written, reasoning = (
        tokens_of(count_of(figure)) for figure in figures[:5]
    )
    ts = parse_iso(created.replace(" ", "T", 1)) if isinstance(created, str) else None
    name = model_of(model) if isinstance(model, str) and model else None
    claim = UsageClaim(f"{owner}:row:{number}", ts, name, max(fresh - read - written, 0))
    claim.output, claim.reasoning = output, reasoning
    claim.cache_read, claim.cache_write = read, written
    spent = count_of(figures[5])
    if spent > 0 and ts is not None and ts >= _CREDITS_SINCE:
        claim.cost_ticks = min(spent, _MOST_NANO) // _NANO_PER_TICK
    return claim if any(claim.tokens()) else None


def model_of(name: str) -> str:
    """A model by the name that its maker gives it: Copilot writes `claude-sonnet-4.6`."""
    name = without_nul(name)
    return name.replace(".", "-") if name.startswith("claude-") else name


def _minus(counts: Counts, before: Counts) -> Counts:
    one, two, three, four, five = (max(a - b, 0) for a, b in zip(counts, before, strict=True))
    return one, two, three, four, five


def _is_less(counts: Counts, before: Counts) -> bool:
    return any(a < b for a, b in zip(counts, before, strict=True))
