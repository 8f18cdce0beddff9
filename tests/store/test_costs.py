"""Cost is the same however messages are split over sessions, in whatever order they come."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.pricing import PriceTable, price_table
from helix_tui.schema import RECORDED, TICKS_PER_USD, UsageClaim, UsageFilter, UsageRow, day_of
from helix_tui.store.database import Database, writing
from helix_tui.store.forget_session import forget_session
from helix_tui.store.ingest.plan import RowKeys, Sessions
from helix_tui.store.ingest.session_state import SessionState
from helix_tui.store.ingest.usage import UsageLedger
from helix_tui.store.ingest.writer import save_sessions
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read.costs import session_money, usage_by
from helix_tui.store.repair.checks import check_rows

DAY = 86_400_000
PRICES = price_table({})
MODELS = ("claude-opus-4-6", "claude-sonnet-4-5-20250929", "o3", "gpt-5.2-codex", "mystery", None)
TIMES = (None, 20_248 * DAY, 20_249 * DAY - 1, 20_249 * DAY, 20_525 * DAY, 20_526 * DAY + 5)
COUNTS = st.sampled_from((0, 1, 7, 99_000, 150_000, 300_000))
CLAIMS = st.builds(
    UsageClaim,
    st.sampled_from([f"m{number}" for number in range(6)]),
    st.sampled_from(TIMES),
    st.sampled_from(MODELS),
    COUNTS,
    COUNTS,
    COUNTS,
    st.sampled_from((10, 250_000)),
    reasoning=st.just(0),
    cost_ticks=st.sampled_from((None, None, 0, 12_345)),
    cache_write_1h=st.sampled_from((0, 10)),
    requests=st.sampled_from((1, 1, 4)),
)
HELD = st.lists(st.tuples(st.integers(1, 4), CLAIMS), min_size=1, max_size=12)


def ticks(prices: PriceTable, message: UsageClaim) -> tuple[int, int]:
    """What a message costs, and how many of its tokens have no price, told one by one."""
    if message.step() == RECORDED:
        return message.cost_ticks or 0, 0
    rate = prices.rate(message.model or "", day_of(message.ts), message.step())
    short = message.cache_write - message.cache_write_1h
    counts = message.input, message.output, message.cache_read, short, message.cache_write_1h
    pairs = list(zip(counts, rate, strict=True))
    return (
        sum(count * each for count, each in pairs if each is not None),
        sum(count for count, each in pairs if each is None),
    )


def merged(claims: Iterable[UsageClaim]) -> dict[str, UsageClaim]:
    messages: dict[str, UsageClaim] = {}
    for claim in claims:
        if claim.key in messages:
            messages[claim.key].raise_to(claim)
        else:
            messages[claim.key] = copy.copy(claim)
    return messages


def enter(database: Database, held: list[tuple[int, UsageClaim]], cuts: set[int]) -> None:
    """Enters claims in their order, in a new transaction at each cut."""
    connection = database.connection()
    for key in range(1, 5):
        state = SessionState(key, f"test:{key}", "test", str(key), None)
        state.repo, state.first_ts = f"repo{key % 2}", key
        save_sessions(connection, [state])
    batches: list[list[tuple[int, UsageClaim]]] = [[]]
    for number, item in enumerate(held):
        if number in cuts:
            batches.append([])
        batches[-1].append(item)
    for batch in batches:
        with database.atomic("IMMEDIATE"):
            sessions = Sessions(connection, RowKeys(connection))
            ledger = UsageLedger(connection, sessions.with_key)
            ledger.load(claim.key for _, claim in batch)
            for key, claim in batch:
                ledger.claim(sessions.with_key(key), copy.copy(claim))
            ledger.settle()
            save_sessions(connection, sessions.by_key.values())


def all_totals(database: Database) -> list[UsageRow]:
    totals = []
    for by in ("day", "repo", "model", "flavor", "session"):
        rows, total = usage_by(database, PRICES, by, UsageFilter())
        assert sum(row.cost.usd_priced or 0 for row in rows) == pytest.approx(
            total.cost.usd_priced or 0
        )
        assert sum(row.cost.unpriced_tokens for row in rows) == total.cost.unpriced_tokens
        assert (total.cost.usd is None) == (
            total.cost.unpriced_tokens > 0 or total.cost.usd_priced is None
        )
        totals.append(total)
    return totals


class Fresh:
    """A store that is gone afterwards."""

    def __enter__(self) -> tuple[Database, StoreLayout]:
        self._folder = tempfile.TemporaryDirectory()
        self._layout = StoreLayout(Path(self._folder.name) / "store")
        self._open = writing(self._layout)
        return self._open.__enter__(), self._layout

    def __exit__(self, *error: object) -> None:
        self._open.__exit__(None, None, None)
        self._folder.cleanup()


@settings(max_examples=25, deadline=None)
@given(held=HELD, data=st.data())
def test_cost_is_that_of_the_messages_in_any_order_and_split(
    held: list[tuple[int, UsageClaim]], data: st.DataObject
) -> None:
    priced = [ticks(PRICES, message) for message in merged(claim for _, claim in held).values()]
    expected = sum(cost for cost, _ in priced), sum(unpriced for _, unpriced in priced)
    for _ in range(2):
        order = data.draw(st.permutations(held))
        cuts = data.draw(st.sets(st.integers(0, len(held)), max_size=3))
        with Fresh() as (database, _):
            enter(database, order, cuts)
            first, *others = all_totals(database)
            assert all(total == first for total in others)
            assert round((first.cost.usd_priced or 0) * TICKS_PER_USD) == expected[0]
            assert first.cost.unpriced_tokens == expected[1]
            by_session = session_money(database, PRICES)
            assert sum(money[0] for money in by_session.values()) == expected[0]
            assert session_money(database, PRICES, [1, 2, 3, 4]) == by_session
            assert all(check.is_ok for check in check_rows(database))


@settings(max_examples=20, deadline=None)
@given(held=HELD, gone=st.integers(1, 4))
def test_what_a_forgotten_session_shared_passes_on_with_its_cost(
    held: list[tuple[int, UsageClaim]], gone: int
) -> None:
    shared = {claim.key for key, claim in held if key != gone}
    left = [message for key, message in merged(c for _, c in held).items() if key in shared]
    with Fresh() as (database, layout):
        enter(database, held, {len(held) // 2})
        forget_session(database, layout, f"test:{gone}")
        by_session = session_money(database, PRICES)
        assert sum(money[0] for money in by_session.values()) == sum(
            ticks(PRICES, message)[0] for message in left
        )
        assert gone not in by_session
        assert all(check.is_ok for check in check_rows(database))


def test_sums_that_are_off_are_noticed() -> None:
    with Fresh() as (database, _):
        enter(database, [(1, UsageClaim("m", 5, "o3", 1, 2, 3, 4))], set())
        database.execute_sql("UPDATE spend SET output = output + 1")
        (wrong,) = [check for check in check_rows(database) if not check.is_ok]
        assert (wrong.name, "session 1" in wrong.detail) == ("cost", True)
