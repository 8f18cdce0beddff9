"""Read rows of prices, of the shipped table and of a person's configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from itertools import pairwise
from typing import NamedTuple

import msgspec

from helix_tui.schema.spend import PROMPT_STEPS, UNDATED

_EPOCH = date(1970, 1, 1).toordinal()
_TICKS = 10_000  # for a token, at a price of 1 USD per million
_DEAREST = 100_000

# Called with a key below the model's, and what is wrong with it.
Mistake = Callable[[str, str], None]


class TokenRate(NamedTuple):
    """Ticks of 1e-10 USD for a token of each kind; None where no price is known."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    cache_write_1h: int | None = None


class Price(msgspec.Struct, frozen=True):
    """The price of a model from a day on; `long` applies to prompts `above` so many tokens."""

    since: int
    rate: TokenRate
    above: int | None = None
    long: TokenRate | None = None

    def at(self, step: int) -> TokenRate:
        """Return the rate for prompts of a step."""
        if self.above is None or self.long is None or step <= PROMPT_STEPS.index(self.above):
            return self.rate
        return self.long


Prices = Mapping[str, tuple[Price, ...]]
_KINDS = TokenRate._fields
_ROW_KEYS = ("from", *_KINDS, "long")
_LONG_KEYS = ("above", *_KINDS)


def read_prices(raw: object, mistake: Mistake) -> tuple[Price, ...]:
    """Read the rows of a model, the earliest first; report mistakes to `mistake`."""
    rows = raw if isinstance(raw, list) else [raw]
    if not rows or not all(isinstance(row, dict) for row in rows):
        mistake("", "must be a section with input and output, or a list of such")
        return ()
    prices = [
        _price(row, _below(mistake, f"[{number}]") if len(rows) > 1 else mistake)
        for number, row in enumerate(rows)
    ]
    starts = [price.since for price in prices]
    if any(later <= earlier for earlier, later in pairwise(starts)):
        mistake("", "each row must have a later `from` than the one before it")
    return tuple(prices)


def _below(mistake: Mistake, place: str) -> Mistake:
    return lambda key, what: mistake(f"{place}{key}", what)


def _price(row: dict[str, object], mistake: Mistake) -> Price:
    _refuse_unknown(row, _ROW_KEYS, mistake)
    since = _day(row["from"], mistake) if "from" in row else UNDATED
    # A row with only a day says that from then on no price is known.
    rate = TokenRate() if row.keys() == {"from"} else _rate(row, mistake)
    if "long" not in row:
        return Price(since, rate)
    long, below_long = row["long"], _below(mistake, ".long")
    if not isinstance(long, dict):
        below_long("", "must be a section with above, input and output")
        return Price(since, rate)
    _refuse_unknown(long, _LONG_KEYS, below_long)
    long_rate, above = _rate(long, below_long), long.get("above")
    if not isinstance(above, int) or above not in PROMPT_STEPS:
        below_long(".above", f"must be one of {', '.join(map(str, PROMPT_STEPS))}, not {above!r}")
        return Price(since, rate)
    return Price(since, rate, above, long_rate)


def _rate(row: dict[str, object], mistake: Mistake) -> TokenRate:
    for kind in ("input", "output"):
        if kind not in row:
            mistake(f".{kind}", "is missing")
    ticks = {kind: _ticks(kind, row[kind], mistake) for kind in _KINDS if kind in row}
    # A vendor with one price for cache writes charges it for any lifetime.
    if "cache_write" in ticks:
        ticks.setdefault("cache_write_1h", ticks["cache_write"])
    return TokenRate(**ticks)


def _ticks(kind: str, usd: object, mistake: Mistake) -> int | None:
    if isinstance(usd, int | float) and not isinstance(usd, bool) and 0 <= usd <= _DEAREST:
        ticks = round(usd * _TICKS)
        if abs(ticks - usd * _TICKS) < 1e-4:
            return ticks
    mistake(f".{kind}", f"must be USD per million tokens, with four decimals at most, not {usd!r}")
    return None


def _day(written: object, mistake: Mistake) -> int:
    try:
        day = date.fromisoformat(written) if isinstance(written, str) else written
    except ValueError:
        day = None
    # A `datetime` is a `date` as well; a price holds for whole days.
    if isinstance(day, date) and type(day) is date:
        return day.toordinal() - _EPOCH
    mistake(".from", f"must be a day such as 2026-01-31, not {written!r}")
    return UNDATED


def _refuse_unknown(row: Iterable[str], keys: tuple[str, ...], mistake: Mistake) -> None:
    for key in row:
        if key not in keys:
            mistake(f".{key}", f"unknown key; there are {', '.join(keys)}")
