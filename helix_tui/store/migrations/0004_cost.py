"""What agents recorded of costs, and sums of usage that prices can be laid over."""

from __future__ import annotations

from typing import Any

_DAY = "(CASE WHEN ts IS NULL THEN -1000000 ELSE (ts - ((ts % {ms}) + {ms}) % {ms}) / {ms} END)"
_PROMPT = "(input + cache_read + cache_write)"
STATEMENTS = (
    "ALTER TABLE usage ADD COLUMN cost_ticks INTEGER",
    "ALTER TABLE usage ADD COLUMN cache_write_1h INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE usage ADD COLUMN requests INTEGER NOT NULL DEFAULT 1",
    "CREATE TABLE model (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE spend (
        session INTEGER NOT NULL,
        day INTEGER NOT NULL,
        model INTEGER NOT NULL,
        step INTEGER NOT NULL,
        messages INTEGER NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        cache_write_1h INTEGER NOT NULL,
        reasoning INTEGER NOT NULL,
        cost_ticks INTEGER NOT NULL,
        PRIMARY KEY (session, day, model, step)
    ) WITHOUT ROWID
    """,
    "INSERT INTO model (name) SELECT DISTINCT coalesce(model, '') FROM usage ORDER BY 1",
    f"""
    INSERT INTO spend
    SELECT session, {_DAY.format(ms=86_400_000)}, m.key,
        ({_PROMPT} > 100000) + ({_PROMPT} > 200000) + ({_PROMPT} > 272000),
        count(*), sum(input), sum(output), sum(cache_read), sum(cache_write), 0, sum(reasoning), 0
    FROM usage JOIN model m ON m.name = coalesce(usage.model, '')
    GROUP BY 1, 2, 3, 4
    """,
)


def up(migrator: Any, db: Any) -> None:
    """Sums up what is stored; of the cache, only what is read from now on tells one hour apart."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 4")
