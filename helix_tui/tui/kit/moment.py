"""Times of the store as a screen shows them, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from helix_tui.text.times import EARLIEST


def moment(ts_ms: int | None) -> str:
    """A time as people read it, UTC."""
    if ts_ms is None or ts_ms < EARLIEST:  # of a clock that was wrong
        return "at an unknown time"
    try:
        return datetime.fromtimestamp(ts_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "at an unknown time"


def day(ts_ms: int | None) -> str:
    """The day of a time, UTC, in ten characters."""
    text = moment(ts_ms)[:10]
    return text if text[:1].isdigit() else "unknown"
