"""Days and times as people name them: a date, an age, a weekday, `yesterday`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from helix_tui.errors import UsageError
from helix_tui.text.times import iso, parse_iso

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_MS = 86_400_000
_LEAST_LETTERS = 3
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


class Moment(NamedTuple):
    """The first and the last millisecond that a person may mean by a word."""

    first: int
    last: int


def parse_moment(text: str, now: datetime) -> Moment:
    """What a date, time, age or name of a day means; days are UTC.

    A weekday is the latest such day, today included; `last friday` is one before today.
    """
    word = " ".join(text.lower().replace("-", " ").split()) if text[:1].isalpha() else text
    day = _named_day(word, now)
    if day is not None:
        return day
    if word[:-1].isdecimal() and word[-1] in _UNITS:
        try:
            moment = now - timedelta(**{_UNITS[word[-1]]: int(word[:-1])})
        except OverflowError:
            raise UsageError(f"{text!r} is longer ago than there are dates.") from None
        then = int(moment.timestamp() * 1000)
        return Moment(then, then)
    ts = parse_iso(text) if text else None
    if ts is None:
        raise UsageError(
            f"{text!r} is no date.",
            "Write 2026-11-16, an age such as 7d or 12h, or a day: monday, yesterday.",
        )
    is_day = len(text) == len("2026-11-16") or text.isdecimal()
    return Moment(ts, ts + _DAY_MS - 1 if is_day else ts)


def day_label(ts: int | None, now_ms: int) -> str:
    """A time as people name its day: `today`, `yesterday`, `Tue`, `Tue 3 Mar`, `2025-03-03`."""
    if ts is None:
        return "-"
    day, today = ts // _DAY_MS, now_ms // _DAY_MS
    date = datetime.fromtimestamp(ts / 1000, UTC)
    if day == today:
        return "today"
    if day == today - 1:
        return "yesterday"
    if today - 7 < day < today:
        return f"{date:%a}"
    if date.year == datetime.fromtimestamp(now_ms / 1000, UTC).year:
        return f"{date:%a} {date.day} {date:%b}"
    return (iso(ts) or "-")[:10]


def _named_day(word: str, now: datetime) -> Moment | None:
    """A day by its name, of which three letters do."""
    is_last = word.startswith("last ")
    name = word.removeprefix("last ")
    today = int(now.timestamp() * 1000) // _DAY_MS
    back: int | None = None
    if name in ("today", "yesterday") and not is_last:
        back = ("today", "yesterday").index(name)
    elif len(name) >= _LEAST_LETTERS:
        number = next((n for n, day in enumerate(WEEKDAYS) if day.startswith(name)), None)
        if number is not None:
            back = (now.weekday() - number) % 7
            back = 7 if is_last and not back else back
    if back is None:
        return None
    first = (today - back) * _DAY_MS
    return Moment(first, first + _DAY_MS - 1)
