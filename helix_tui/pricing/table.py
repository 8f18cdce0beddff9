"""The table of prices in force: the shipped one, overridden by a person's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from helix_tui.pricing.names import names_of
from helix_tui.pricing.rows import Price, Prices, TokenRate, read_prices
from helix_tui.schema.spend import PROMPT_STEPS, RECORDED, UNDATED

SHIPPED = Path(__file__).parent.with_name("prices.toml")
_AFTER_ALL_DAYS = 1 << 40
_STEPS = range(len(PROMPT_STEPS) + 1)
_NO_PRICE = TokenRate()
# A cost that the agent recorded needs no price.
_RECORDED = TokenRate(0, 0, 0, 0, 0)


class Period(NamedTuple):
    """The rate of a model for prompts of one step, from a day until before another."""

    first: int
    end: int
    step: int
    rate: TokenRate


class PriceTable:
    """The rates of every model on every day."""

    def __init__(self, shipped: Prices, own: Prices) -> None:
        self._prices = dict(shipped)
        for model, prices in own.items():
            since = prices[0].since
            before = [row for row in _find(shipped, model) if row.since < since]
            if not before and since != UNDATED:
                before = [Price(UNDATED, _NO_PRICE)]
            self._prices[model.lower()] = (*before, *prices)

    def periods(self, model: str) -> Iterator[Period]:
        """Yield every rate of a model: for each step, they cover all days without a gap."""
        prices = _find(self._prices, model) or (Price(UNDATED, _NO_PRICE),)
        starts = [UNDATED + 1, *(price.since for price in prices[1:])]
        ends = [*starts[1:], _AFTER_ALL_DAYS]
        yield Period(UNDATED, _AFTER_ALL_DAYS, RECORDED, _RECORDED)
        for step in _STEPS:
            # Without a day, a price that ever changed is unknown.
            undated = prices[0].at(step) if len(prices) == 1 else _NO_PRICE
            yield Period(UNDATED, UNDATED + 1, step, undated)
            for price, first, end in zip(prices, starts, ends, strict=True):
                yield Period(first, end, step, price.at(step))

    def rate(self, model: str, day: int, step: int) -> TokenRate:
        """Return the rate of a model for prompts of a step on a day."""
        return next(
            period.rate
            for period in self.periods(model)
            if period.step == step and period.first <= day < period.end
        )


def _find(prices: Prices, model: str) -> tuple[Price, ...]:
    candidates = (prices.get(name) for name in names_of(model))
    return next((rows for rows in candidates if rows is not None), ())


def price_table(own: Prices) -> PriceTable:
    """Return the table in force, given a person's own prices."""
    return PriceTable(shipped_prices(), own)


@cache
def shipped_prices() -> Prices:
    """Read the prices that come with Helix."""
    import tomllib

    def refuse(key: str, what: str) -> None:
        raise ValueError(f"{SHIPPED}: {key}: {what}")

    table = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    vendors = [models for models in table.values() if isinstance(models, dict)]
    return {name: read_prices(raw, refuse) for models in vendors for name, raw in models.items()}
