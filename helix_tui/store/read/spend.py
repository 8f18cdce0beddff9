"""Sums of usage by session, day, model and size of prompt, kept in step with every message."""

from __future__ import annotations

import sqlite3

from helix_tui.schema import DAY_MS, PROMPT_STEPS, RECORDED, UNDATED, UsageClaim, day_of

# Session, day, model, step.
_Place = tuple[int, int, str, int]
_SUMS = (
    "messages",
    "input",
    "output",
    "cache_read",
    "cache_write",
    "cache_write_1h",
    "reasoning",
    "cost_ticks",
)
_ADD = (
    f"INSERT INTO spend (session, day, model, step, {', '.join(_SUMS)}) "
    f"VALUES (?, ?, ?, ?, {', '.join('?' * len(_SUMS))}) "
    "ON CONFLICT (session, day, model, step) DO UPDATE SET "
    + ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS)
)
_CLEAR = (
    "DELETE FROM spend WHERE session = ? AND day = ? AND model = ? AND step = ? AND messages = 0"
)
# The stored sums, and the same sums computed from the messages.
BY_SPEND = (
    f"SELECT s.session, s.day, m.name, s.step, {', '.join(f's.{name}' for name in _SUMS)} "
    "FROM spend s JOIN model m ON m.key = s.model"
)
_PROMPT = "((input + cache_read + cache_write) / max(requests, 1))"
_STEP = " + ".join(f"({_PROMPT} > {size})" for size in PROMPT_STEPS)
_DAY = f"(ts - ((ts % {DAY_MS}) + {DAY_MS}) % {DAY_MS}) / {DAY_MS}"
BY_USAGE = (
    f"SELECT session, coalesce({_DAY}, {UNDATED}), coalesce(model, ''), "
    f"CASE WHEN cost_ticks IS NULL THEN {_STEP} ELSE {RECORDED} END, count(*), "
    f"{', '.join(f'sum({name})' for name in _SUMS[1:-1])}, sum(coalesce(cost_ticks, 0)) "
    "FROM usage GROUP BY 1, 2, 3, 4"
)


class SpendBook:
    """The changes of one transaction to the sums."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._changes: dict[_Place, list[int]] = {}

    def count(self, session_key: int, message: UsageClaim, sign: int = 1) -> None:
        """Add a message to the sums of the session that owns it, or (sign -1) subtract it."""
        place = session_key, day_of(message.ts), message.model or "", message.step()
        sums = self._changes.get(place)
        if sums is None:
            sums = self._changes[place] = [0] * len(_SUMS)
        sums[0] += sign
        sums[1] += sign * message.input
        sums[2] += sign * message.output
        sums[3] += sign * message.cache_read
        sums[4] += sign * message.cache_write
        sums[5] += sign * message.cache_write_1h
        sums[6] += sign * message.reasoning
        sums[7] += sign * (message.cost_ticks or 0)

    def drop(self, session_key: int) -> None:
        """Drop a session's sums, those not yet written included."""
        for place in [place for place in self._changes if place[0] == session_key]:
            del self._changes[place]
        self._connection.execute("DELETE FROM spend WHERE session = ?", (session_key,))

    def write(self) -> None:
        """Add the changes to the stored sums, and drop sums of no message."""
        changes = {place: sums for place, sums in self._changes.items() if any(sums)}
        models = self._model_keys({model for _, _, model, _ in changes})
        rows = sorted(
            ((session, day, models[model], step), sums)
            for (session, day, model, step), sums in changes.items()
        )
        self._connection.executemany(_ADD, [(*place, *sums) for place, sums in rows])
        self._connection.executemany(_CLEAR, [place for place, sums in rows if sums[0] < 0])
        self._changes.clear()

    def _model_keys(self, names: set[str]) -> dict[str, int]:
        keys: dict[str, int] = dict(
            self._connection.execute("SELECT name, key FROM model").fetchall()
        )
        for name in sorted(names - keys.keys()):
            cursor = self._connection.execute("INSERT INTO model (name) VALUES (?)", (name,))
            keys[name] = int(cursor.lastrowid or 0)
        return keys
