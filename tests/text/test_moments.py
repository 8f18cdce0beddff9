"""Days as people name them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from helix_tui.errors import UsageError
from helix_tui.text.moments import day_label, parse_moment
from helix_tui.text.times import iso

# A Wednesday.
NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
NOW_MS = int(NOW.timestamp() * 1000)
DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-01", "2026-11-01"),
        ("today", "2026-11-18"),
        ("yesterday", "2026-11-17"),
        ("tuesday", "2026-11-17"),
        ("Tue", "2026-11-17"),
        ("wednesday", "2026-11-18"),
        ("last wednesday", "2026-11-11"),
        ("last-tuesday", "2026-11-17"),
        ("thursday", "2026-11-12"),
        ("sun", "2026-11-15"),
    ],
)
def test_a_day_is_all_of_it(text: str, day: str) -> None:
    moment = parse_moment(text, NOW)
    assert (iso(moment.first), iso(moment.last)) == (f"{day}T00:00:00.000Z", f"{day}T23:59:59.999Z")


@pytest.mark.parametrize(("text", "age"), [("7d", 7 * 24), ("12h", 12), ("2w", 14 * 24)])
def test_an_age_is_a_moment(text: str, age: int) -> None:
    then = int((NOW - timedelta(hours=age)).timestamp() * 1000)
    assert parse_moment(text, NOW) == (then, then)


def test_a_time_is_that_time() -> None:
    moment = parse_moment("2026-11-16T08:00:00Z", NOW)
    assert moment.first == moment.last


@pytest.mark.parametrize(
    "text", ["", "t", "th ursday", "d", "last", "last year", "12x", "9" * 40 + "d"]
)
def test_anything_else_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"no date|longer ago"):
        parse_moment(text, NOW)


@pytest.mark.parametrize(
    ("days", "label"),
    [
        (0, "today"),
        (1, "yesterday"),
        (2, "Mon"),
        (6, "Thu"),
        (7, "Wed 11 Nov"),
        (400, "2025-10-14"),
    ],
)
def test_a_day_has_a_name(days: int, label: str) -> None:
    assert day_label(NOW_MS - days * DAY_MS, NOW_MS) == label
