"""Made data that reports are computed from."""

from __future__ import annotations

from typing import Any

from helix_tui.schema import TICKS_PER_USD
from helix_tui.schema.report import CheckRun, Gathered, Period, Spent, Wasting, WorkedSession

DAY_MS = 86_400_000
# A Monday.
MONDAY = 20_409


def session(name: str, day: int = MONDAY, **fields: Any) -> WorkedSession:
    values: dict[str, Any] = {
        "title": f"title of {name}",
        "flavor": "claude",
        "repo": "api",
        "model": "opus",
        "outcome": "success",
        "calls": 10,
        "failures": 1,
        "corrections": 0,
        **fields,
    }
    return WorkedSession(id=name, last_ts=day * DAY_MS + 1, **values)


def spent(
    name: str, usd: float, day: int = MONDAY, model: str = "opus", tokens: int = 100
) -> Spent:
    return Spent(name, day, model, tokens, 0, 0, 0, 0, round(usd * TICKS_PER_USD), 0, True)


def unpriced(name: str, day: int = MONDAY, tokens: int = 100) -> Spent:
    return Spent(name, day, "new", tokens, 0, 0, 0, 0, 0, tokens, False)


def run(state: Any, at_seconds: int | None, name: str = "pytest") -> CheckRun:
    ts = None if at_seconds is None else at_seconds * 1000
    return CheckRun(name, "test", state, ts)


def wasting(name: str, tokens: int, *sessions: str) -> Wasting:
    return Wasting(name, f"title of {name}", "open", "fix", 3, tokens, sessions)


def gathered(
    sessions: list[WorkedSession], rows: list[Spent], period: Period | None = None, **fields: Any
) -> Gathered:
    return Gathered(
        period or Period(), sessions, rows, fields.get("waste", []), fields.get("taught", [])
    )
