"""Times as the store keeps them (milliseconds since 1970) and as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_day_starts: dict[str, int] = {}


def parse_iso(text: str) -> int | None:
    """Milliseconds of an ISO 8601 time, or None where there is none to read."""
    # The agents write `2026-02-07T04:23:03.483Z`; a calendar look-up per day replaces a
    # datetime per record.
    if len(text) == 24 and text[10] == "T" and text[19] == "." and text[23] == "Z":
        start = _day_starts.get(text[:10])
        try:
            if start is None:
                start = _day_start(text[:10])
            hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
            if hour < 24 and minute < 60 and second < 60:
                return start + hour * 3_600_000 + minute * 60_000 + second * 1000 + int(text[20:23])
        except ValueError:
            return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // _MILLISECOND


def _day_start(day: str) -> int:
    start = (datetime.fromisoformat(day).replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
    if len(_day_starts) > 10_000:
        _day_starts.clear()
    _day_starts[day] = start
    return start


def iso(ts: int | None) -> str | None:
    """A stored time as ISO 8601 UTC with milliseconds."""
    if ts is None:
        return None
    return (_EPOCH + ts * _MILLISECOND).isoformat(timespec="milliseconds").replace("+00:00", "Z")
