"""Apply prices to the sums of usage: the cost of sessions, days, models and repositories."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from helix_tui.schema import TICKS_PER_USD, UNDATED, Cost, UsageFilter, UsageRow
from helix_tui.schema.report import Spent
from helix_tui.schema.team import SharedSpent
from helix_tui.store.database import Database
from helix_tui.store.orm import peewee
from helix_tui.store.sql import chunks, marks
from helix_tui.yielding import yielding

if TYPE_CHECKING:
    from helix_tui.pricing import PriceTable

_EPOCH = date(1970, 1, 1).toordinal()
_UNKNOWN = "unknown"
_DAYS = ("day", "week")
_TIMES = (*_DAYS, "month")
_TOKENS = ("input", "output", "cache_read", "cache_write", "reasoning")
_RATES = ("input", "output", "cache_read", "cache_write", "cache_write_1h")
_COUNTS = (
    "s.input",
    "s.output",
    "s.cache_read",
    "(s.cache_write - s.cache_write_1h)",  # cache_write has both
    "s.cache_write_1h",
)
_PRICED = " + ".join(f"{count} * p.{kind}" for kind, count in zip(_RATES, _COUNTS, strict=True))
_UNPRICED = " + ".join(
    f"{count} * p.no_{kind}" for kind, count in zip(_RATES, _COUNTS, strict=True)
)
# Ticks as floating point: exact up to 900,000 USD, and beyond that never out of range.
_MONEY = f"total(s.cost_ticks + {_PRICED}), sum({_UNPRICED}), max(p.is_known)"
_FROM = (
    "FROM spend s CROSS JOIN temp.rate p "
    "ON p.model = s.model AND p.step = s.step AND s.day >= p.first AND s.day < p.end"
)
# The first day, UTC, of a day's week; 1970 began on a Thursday.
_MONDAY = f"CASE WHEN s.day = {UNDATED} THEN s.day ELSE s.day - ((s.day + 3) % 7 + 7) % 7 END"
_MONTH = "strftime('%Y-%m', s.day * 86400, 'unixepoch')"
_KEYS = {
    "day": "s.day",
    "week": _MONDAY,
    "month": f"CASE WHEN s.day = {UNDATED} THEN '{_UNKNOWN}' ELSE {_MONTH} END",
    "repo": f"coalesce(x.repo, '{_UNKNOWN}')",
    "model": f"coalesce(nullif(m.name, ''), '{_UNKNOWN}')",
    "flavor": "x.flavor",
    "session": "x.id",
}

# Ticks, tokens without a price, whether any message has one.
Money = tuple[float, int, int]
NO_MONEY: Money = (0.0, 0, 0)


def session_money(
    database: Database, prices: PriceTable, keys: Sequence[int] | None = None
) -> dict[int, Money]:
    """What each session cost, by key; of all sessions for None."""
    connection = _with_rates(database, prices)
    select = f"SELECT s.session, {_MONEY} {_FROM}"
    rows: list[tuple[Any, ...]] = []
    if keys is None:
        rows = connection.execute(f"{select} GROUP BY s.session").fetchall()
    for chunk in chunks(keys or ()):
        query = f"{select} WHERE s.session IN ({marks(chunk)}) GROUP BY s.session"
        rows += connection.execute(query, chunk).fetchall()
    return {key: (ticks, unpriced, is_known) for key, ticks, unpriced, is_known in rows}


def cost_of(tokens: Sequence[int], money: Money) -> Cost:
    """Tokens with their cost, which is known only where each of them has a price."""
    input_tokens, output_tokens, from_cache, to_cache, reasoning = tokens
    ticks, unpriced, is_known = money
    priced = ticks / TICKS_PER_USD if is_known else None
    usd = None if unpriced else priced
    return Cost(input_tokens, output_tokens, from_cache, to_cache, reasoning, usd, priced, unpriced)


def usage_by(
    database: Database, prices: PriceTable, by: str, usage_filter: UsageFilter
) -> tuple[list[UsageRow], UsageRow]:
    """Tokens and cost summed by time, repo, model, flavor or session, and their total."""
    conditions = {
        "x.flavor = ?": usage_filter.flavor,
        "x.repo = ?": usage_filter.repo,
        "s.day >= ?": usage_filter.since_day,
        "s.day <= ?": usage_filter.until_day,
    }
    active = {text: value for text, value in conditions.items() if value is not None}
    source = (
        f"{_FROM} JOIN session x ON x.key = s.session JOIN model m ON m.key = s.model "
        f"WHERE {' AND '.join(active) or 'true'}"
    )
    tokens = ", ".join(f"sum(s.{name})" for name in _TOKENS)
    with database.atomic():  # both queries see the same store
        connection = _with_rates(database, prices)
        groups = connection.execute(
            f"SELECT {_KEYS[by]}, count(DISTINCT s.session), {tokens}, {_MONEY} {source} "
            "GROUP BY 1",
            [*active.values()],
        ).fetchall()
        (sessions,) = connection.execute(
            f"SELECT count(DISTINCT s.session) {source}", [*active.values()]
        ).fetchone()
    rows = [
        UsageRow(_day_name(key) if by in _DAYS else key, count, _cost(sums))
        for key, count, *sums in groups
    ]
    return sorted(rows, key=_place(by)), UsageRow("total", sessions, _total(groups))


def _place(by: str) -> Callable[[UsageRow], tuple[float, int, str]]:
    """The order of rows: times as they pass, anything else by what it cost."""
    if by in _TIMES:
        return lambda row: (0.0, 0, row.key)
    return lambda row: (-(row.cost.usd_priced or 0.0), -row.cost.output, row.key)


def spent_rows(database: Database, prices: PriceTable, repo: str | None = None) -> list[Spent]:
    """All tokens by session, day and model, with what they cost."""
    tokens = ", ".join(f"sum(s.{name})" for name in _TOKENS)
    rows = _with_rates(database, prices).execute(
        f"SELECT x.id, s.day, m.name, {tokens}, {_MONEY} {_FROM} "
        "JOIN session x ON x.key = s.session JOIN model m ON m.key = s.model "
        "WHERE ?1 IS NULL OR x.repo = ?1 GROUP BY s.session, s.day, s.model",
        (repo,),
    )
    return [
        Spent._make((*row[:-3], round(row[-3]), row[-2], bool(row[-1])))
        for row in yielding(rows.fetchall())
    ]


def priced_rows(rows: Iterable[tuple[str, SharedSpent]], prices: PriceTable) -> list[Spent]:
    """The same for sessions that lie in other stores: what each spent, with what it cost."""
    database = peewee.SqliteDatabase(":memory:")
    with database.connection_context():
        database.connection().executescript(
            "CREATE TABLE session (key INTEGER PRIMARY KEY, id TEXT, repo TEXT);"
            "CREATE TABLE model (key INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE spend (session INTEGER, day INTEGER, model INTEGER, step INTEGER, "
            "input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, "
            "cache_write_1h INTEGER, reasoning INTEGER, cost_ticks INTEGER)"
        )
        sessions: dict[str, int] = {}
        models: dict[str, int] = {}
        insert = database.connection().executemany
        insert(
            f"INSERT INTO spend VALUES ({', '.join('?' * 11)})",
            (
                (
                    *(sessions.setdefault(name, len(sessions)), one.day),
                    *(models.setdefault(one.model, len(models)), one.step, *astuple(one)[3:]),
                )
                for name, one in rows
            ),
        )
        insert("INSERT INTO session VALUES (?, ?, NULL)", [(k, n) for n, k in sessions.items()])
        insert("INSERT INTO model VALUES (?, ?)", [(k, n) for n, k in models.items()])
        return spent_rows(database, prices)


def _cost(sums: Sequence[Any]) -> Cost:
    ticks, unpriced, is_known = sums[len(_TOKENS) :]
    return cost_of(sums[: len(_TOKENS)], (ticks, unpriced, is_known))


def _total(groups: Sequence[Sequence[Any]]) -> Cost:
    sums = [sum(row[column] for row in groups) for column in range(2, 2 + len(_TOKENS) + 3)]
    return _cost(sums)


def _day_name(day: int) -> str:
    return _UNKNOWN if day == UNDATED else date.fromordinal(_EPOCH + day).isoformat()


def _with_rates(database: Database, prices: PriceTable) -> sqlite3.Connection:
    """The connection, with a temporary table of the rates of every stored model."""
    connection: sqlite3.Connection = database.connection()
    connection.execute("PRAGMA temp_store = memory")
    connection.execute("DROP TABLE IF EXISTS temp.rate")
    # With another type than the columns they are compared with, the primary key would not be used.
    names = ("model", "step", "first", "end", "is_known", *_RATES, *(f"no_{k}" for k in _RATES))
    connection.execute(
        f"CREATE TEMP TABLE rate ({', '.join(f'{name} INTEGER' for name in names)}, "
        "PRIMARY KEY (model, step, first)) WITHOUT ROWID"
    )
    models = connection.execute("SELECT key, name FROM model").fetchall()
    connection.executemany(
        f"INSERT INTO temp.rate VALUES ({marks(names)})",
        [
            (
                *(key, period.step, period.first, period.end, period.rate.input is not None),
                *(ticks or 0 for ticks in period.rate),
                *(ticks is None for ticks in period.rate),
            )
            for key, name in models
            for period in prices.periods(name)
        ],
    )
    return connection
