"""The table of prices: what is shipped is sound, and a person's own goes before it."""

from __future__ import annotations

import re
import tomllib
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from helix_tui.pricing import Price, PriceTable, TokenRate, price_table, read_prices, shipped_prices
from helix_tui.pricing.table import SHIPPED
from helix_tui.schema import PROMPT_STEPS, RECORDED, UNDATED

PROJECT = Path(__file__).parent.parent.parent


def day(written: str) -> int:
    return (date.fromisoformat(written) - date(1970, 1, 1)).days


def own(raw: object) -> tuple[Price, ...]:
    mistakes: list[str] = []
    prices = read_prices(raw, lambda key, what: mistakes.append(f"{key} {what}"))
    assert not mistakes
    return prices


class TestShipped:
    """What comes with Helix."""

    def test_names_are_those_that_every_look_up_ends_at(self) -> None:
        for name in shipped_prices():
            assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name), name
            assert not re.search(r"latest|-20\d{6}|-20\d\d-", name), name

    def test_first_row_holds_since_ever(self) -> None:
        assert all(rows[0].since == UNDATED for rows in shipped_prices().values())

    def test_cached_tokens_are_cheaper_and_long_prompts_dearer(self) -> None:
        for name, rows in shipped_prices().items():
            for price in rows:
                rate, long = price.rate, price.long
                assert rate.input is None or rate.output is not None
                assert (rate.cache_read or 0) < (rate.input or 1), name
                assert (rate.cache_write or 0) <= (rate.cache_write_1h or 0), name
                assert long is None or (long.input or 0) > (rate.input or 0), name

    def test_it_has_a_date_and_sources(self) -> None:
        text = SHIPPED.read_text()
        assert isinstance(tomllib.loads(text)["updated"], date)
        for vendor in ("anthropic", "openai", "xai"):
            above = text[: text.index(f"\n[{vendor}]")].rsplit("\n\n", 1)[-1]
            assert "https://" in above, vendor

    def test_the_wheel_has_it(self, tmp_path: Path) -> None:
        (wheel,) = WheelBuilder(str(PROJECT)).build(directory=str(tmp_path), versions=["standard"])
        with zipfile.ZipFile(wheel) as built:
            assert built.read("helix_tui/prices.toml") == SHIPPED.read_bytes()


class TestDays:
    """A token costs what was valid on its day."""

    def test_a_change_of_price(self) -> None:
        table = price_table({})
        assert table.rate("o3", day("2025-06-09"), 0).input == 100_000
        assert table.rate("o3", day("2025-06-10"), 0).input == 20_000
        assert table.rate("o3", day("1970-01-01"), 0).input == 100_000

    def test_a_price_that_ended(self) -> None:
        table = price_table({})
        assert table.rate("grok-code-fast-1", day("2026-05-14"), 0).input == 2_000
        assert table.rate("grok-code-fast-1", day("2026-05-15"), 0) == TokenRate()

    def test_without_a_day_only_a_price_that_never_changed_is_known(self) -> None:
        table = price_table({})
        assert table.rate("o3", UNDATED, 0) == TokenRate()
        assert table.rate("o4-mini", UNDATED, 0).input == 11_000

    def test_long_prompts(self) -> None:
        table, before, after = price_table({}), day("2026-03-12"), day("2026-03-13")
        inputs = [table.rate("claude-opus-4-6", before, step).input for step in range(4)]
        assert inputs == [50_000, 50_000, 100_000, 100_000]
        inputs = [table.rate("claude-opus-4-6", after, step).input for step in range(4)]
        assert inputs == [50_000] * 4
        inputs = [table.rate("gpt-5.4", after, step).input for step in range(4)]
        assert inputs == [25_000, 25_000, 25_000, 50_000]

    def test_every_day_and_step_has_exactly_one_rate(self) -> None:
        table = price_table({"mine": own({"from": date(2026, 1, 1), "input": 1, "output": 2})})
        for model in (*shipped_prices(), "mine", "unheard of"):
            for step in (RECORDED, *range(len(PROMPT_STEPS) + 1)):
                for at in (UNDATED, UNDATED + 1, -5, 0, 20_000, 20_588, 20_690, 99_999):
                    fits = [
                        period
                        for period in table.periods(model)
                        if period.step == step and period.first <= at < period.end
                    ]
                    assert len(fits) == 1, (model, step, at)


class TestOwn:
    """A person's prices."""

    def test_without_a_day_they_replace_all(self) -> None:
        table = PriceTable(shipped_prices(), {"o3": own({"input": 1, "output": 1})})
        for at in (UNDATED, 0, day("2026-01-01")):
            assert table.rate("o3-2025-04-16", at, 3).input == 10_000

    def test_with_a_day_what_came_before_stays(self) -> None:
        row = {"from": "2026-01-01", "input": 7, "output": 7}
        table = PriceTable(shipped_prices(), {"o3-2025-04-16": own(row), "new": own(row)})
        found = [
            [table.rate(model, day(at), 0).input for at in ("2025-01-01", "2025-12-31")]
            for model in ("o3-2025-04-16", "o3", "new")
        ]
        assert found == [[100_000, 20_000], [100_000, 20_000], [None, None]]
        assert table.rate("o3-2025-04-16", day("2026-01-01"), 0).input == 70_000
        assert table.rate("o3", day("2026-01-01"), 0).input == 20_000

    def test_one_price_for_writing_to_the_cache_is_that_of_an_hour_too(self) -> None:
        (price,) = own({"input": 1, "output": 2, "cache_write": 3})
        assert price.rate == TokenRate(10_000, 20_000, None, 30_000, 30_000)

    @pytest.mark.parametrize(
        ("raw", "key"),
        [
            (5, ""),
            ([], ""),
            ({"input": 1}, ".output"),
            ({}, ".input"),
            ({"input": -1, "output": 1}, ".input"),
            ({"input": True, "output": 1}, ".input"),
            ({"input": "1", "output": 1}, ".input"),
            ({"input": float("nan"), "output": 1}, ".input"),
            ({"input": 0.00001, "output": 1}, ".input"),
            ({"input": 1, "output": 1, "cached": 1}, ".cached"),
            ({"input": 1, "output": 1, "from": "soon"}, ".from"),
            ({"input": 1, "output": 1, "from": 2026}, ".from"),
            ({"input": 1, "output": 1, "long": 5}, ".long"),
            (
                {"input": 1, "output": 1, "long": {"above": 5, "input": 1, "output": 1}},
                ".long.above",
            ),
            ({"input": 1, "output": 1, "long": {"above": 200_000, "input": 1}}, ".long.output"),
            ([{"input": 1, "output": 1}, {"input": 1, "output": 1}], ""),
            ([{"input": 1, "output": 1}, {"from": "2026-01-01", "input": 1}], "[1].output"),
        ],
    )
    def test_mistakes_name_their_key(self, raw: object, key: str) -> None:
        told: list[str] = []
        read_prices(raw, lambda place, what: told.append(place))
        assert key in told
