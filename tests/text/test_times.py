"""Times are read exactly, quickly or not at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.times import iso, parse_iso

MOMENTS = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9999, 12, 31))


@given(MOMENTS)
def test_what_is_printed_is_read_back(moment: datetime) -> None:
    text = moment.isoformat(timespec="milliseconds") + "Z"
    ts = parse_iso(text)
    since = moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    assert ts == since // timedelta(milliseconds=1)
    assert iso(ts) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-02-07T04:23:03.483Z", "2026-02-07T04:23:03.483Z"),
        ("2026-02-07T04:23:03Z", "2026-02-07T04:23:03.000Z"),
        ("2026-02-07T04:23:03.483999+02:00", "2026-02-07T02:23:03.483Z"),
        ("2026-02-07", "2026-02-07T00:00:00.000Z"),
        ("2026-02-07T04:23:63.483Z", None),
        ("2026-02-07T04+23:03.483Z", None),
        ("2026-02-07T04:23:0x.483Z", None),
        ("2026-02-31T04:23:03.483Z", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_forms(text: str, read: str | None) -> None:
    assert iso(parse_iso(text)) == read
