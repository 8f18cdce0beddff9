"""When a snoozed candidate is asked about again: what a person may say of it, and whether it is."""

from __future__ import annotations

import re
from datetime import date, timedelta

from helix_tui.errors import UsageError
from helix_tui.schema.review import Snapshot, Until

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPAN = re.compile(r"\+?([0-9]{1,6})([dw])")
_COUNT = re.compile(r"(\+?)([0-9]{1,9})")
_DAYS = {"d": 1, "w": 7}
# Nobody has so many: it is a day that was written without its dashes.
_MOST_SESSIONS = 1_000_000
_FORMS = (
    "Say a day (2026-12-01), how long (7d, 2w), a number of sessions (12 in all, +3 more), "
    "or `flavor` for one agent more."
)


def is_awake(until: Until, snapshot: Snapshot | None, now: Snapshot, today: date) -> bool:
    """Whether one of the things has come that a candidate was put off for."""
    if until.date and today.isoformat() >= until.date:
        return True
    if until.sessions and now.sessions >= until.sessions:
        return True
    return until.flavor and bool(new_flavors(snapshot, now))


def new_flavors(snapshot: Snapshot | None, now: Snapshot) -> list[str]:
    """The agents that have it now and had not when somebody decided."""
    if snapshot is None:
        return []
    return sorted(set(now.flavors) - set(snapshot.flavors))


def parse_until(text: str, now: Snapshot, today: date) -> Until:
    """What a person says that a candidate is to wait for; refused where it has come already."""
    text = text.strip().lower()
    if text == "flavor":
        return Until(flavor=True)
    if _DAY.fullmatch(text):
        return _until_day(_day(text), today)
    if span := _SPAN.fullmatch(text):
        try:
            day = today + timedelta(days=int(span[1]) * _DAYS[span[2]])
        except OverflowError as error:
            raise UsageError(f"`{text}` is too long a time.", _FORMS) from error
        return _until_day(day, today)
    if count := _COUNT.fullmatch(text):
        return _until_sessions(int(count[2]) + (now.sessions if count[1] else 0), now)
    raise UsageError("It is not clear until when to snooze.", _FORMS)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"There is no day {text}.", _FORMS) from error


def _until_day(day: date, today: date) -> Until:
    if day <= today:
        when = "today" if day == today else "in the past"
        raise UsageError(f"{day.isoformat()} is {when}: it would be awake at once.", _FORMS)
    return Until(date=day.isoformat())


def _until_sessions(sessions: int, now: Snapshot) -> Until:
    if sessions <= now.sessions:
        raise UsageError(
            f"It is in {now.sessions} sessions already: it would be awake at once.", _FORMS
        )
    if sessions > _MOST_SESSIONS:
        raise UsageError(f"It will never be in {sessions} sessions.", _FORMS)
    return Until(sessions=sessions)
