"""Times as the store keeps them (milliseconds since 1970) and as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
_MANY_MINUTES = 10_000
# No agent is older. Clocks that were never set show 1970, 1980 or 2000.
EARLIEST = (datetime(2010, 1, 1, tzinfo=UTC) - _EPOCH) // _MILLISECOND
# So far a log may be ahead of this machine's clock: other time zones, another machine's clock.
_AHEAD = timedelta(days=1) // _MILLISECOND
_minute_starts: dict[str, int] = {}


def require_time(ts: object) -> None:
    """Raise ValueError where an adapter gives something that is no time of any calendar."""
    if type(ts) is not int or not _FIRST <= ts <= _LAST:
        raise ValueError(f"a time is a whole number of milliseconds, not {ts!r}")


def parse_iso(text: str) -> int | None:
    """Milliseconds of an ISO 8601 time, or None where there is none to read."""
    # The agents write `2026-02-07T04:23:03.483Z`: a look-up per minute replaces a datetime per
    # record, which would be a tenth of a sweep.
    if len(text) == 24 and text[19] == "." and text[16] == ":" and text[23] == "Z":
        minute, thousandths = text[:16], text[17:19] + text[20:23]
        start = _minute_starts.get(minute)
        if start is None:
            start = _remember_minute(minute)
        if start is not None and thousandths.isdecimal():
            passed = int(thousandths)
            return start + passed if passed < 60_000 else None
    return _parse_any(text)


def _remember_minute(minute: str) -> int | None:
    start = _parse_any(f"{minute}:00Z")
    if start is not None:
        if len(_minute_starts) >= _MANY_MINUTES:
            _minute_starts.clear()
        _minute_starts[minute] = start
    return start


def _parse_any(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    ts = (moment - _EPOCH) // _MILLISECOND
    # An offset may push a time out of the years that can be printed again.
    return ts if _FIRST <= ts <= _LAST else None


def latest_believed(now_ms: int) -> int:
    """The latest time that is believed of a log; a later one comes from a wrong clock.

    Where this machine's own clock was never set, every time is believed.
    """
    return now_ms + _AHEAD if now_ms >= EARLIEST else _LAST


def iso(ts: int | None) -> str | None:
    """A stored time as ISO 8601 UTC with milliseconds."""
    if ts is None:
        return None
    return (_EPOCH + ts * _MILLISECOND).isoformat(timespec="milliseconds").replace("+00:00", "Z")
