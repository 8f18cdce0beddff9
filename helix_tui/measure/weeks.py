"""Weeks by their Mondays, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def monday_of(ts: int) -> str:
    """The Monday of the week of a time in milliseconds."""
    day = datetime.fromtimestamp(ts / 1000, UTC).date()
    return (day - timedelta(days=day.weekday())).isoformat()
