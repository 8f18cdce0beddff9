"""Classify how a candidate develops, by a fixed rule over its sessions week by week.

new: first seen within the last two weeks. quiet: not seen for three weeks. regressed: seen within
the last two weeks after three quiet ones. escalating: in the last two weeks at least three sessions
and twice as many a week as in the four before. ongoing: all else. The last week is that of the
newest session that counts, so that candidates of a store nobody sweeps do not turn quiet; it is
never later than the clock. Weeks after the last one, or before there were agents, are ignored.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from helix_tui.schema.candidate import CandidateState
from helix_tui.text.times import EARLIEST

_DAY_MS = 86_400_000
_RECENT = 2
_QUIET = 3
_BEFORE = 4
_FEW = 3
MOST_WEEKS = 26


def week_of(ts: int) -> int:
    """Return the number of the week, beginning on Monday, that a time is in."""
    return (ts // _DAY_MS + 3) // 7


_FIRST_WEEK = week_of(EARLIEST)


def _believed(weeks: Sequence[int], last: int) -> Sequence[int]:
    """Drop weeks that only a wrong clock can have recorded."""
    if not weeks or (weeks[0] >= _FIRST_WEEK and weeks[-1] <= last):
        return weeks
    return [week for week in weeks if _FIRST_WEEK <= week <= last]


def trend_of(weeks: Sequence[int], last: int) -> list[int]:
    """Count sessions by week, the newest last, from the first week with one; at most 26 weeks.

    `weeks` are those in which sessions began, in order; `last` is the week to end with.
    """
    weeks = _believed(weeks, last)
    first = max(weeks[0] if weeks else last, last - MOST_WEEKS + 1)
    trend = [0] * (last - first + 1)
    for week in weeks[bisect_left(weeks, first) : bisect_right(weeks, last)]:
        trend[week - first] += 1
    return trend


def state_of(weeks: Sequence[int], last_seen: int, last: int) -> CandidateState:
    """Return the state; `last_seen` is the week of the last occurrence, also in old sessions."""
    weeks = _believed(weeks, last)
    if last_seen > last and weeks:
        last_seen = weeks[-1]
    if not weeks or last - last_seen >= _QUIET:
        return "quiet"
    if last - weeks[0] < _RECENT:
        return "new"
    begun = bisect_right(weeks, last - _RECENT)
    recent = len(weeks) - begun
    if recent and weeks[begun] - weeks[begun - 1] >= 1 + _QUIET:
        return "regressed"
    before = begun - bisect_right(weeks, last - _RECENT - _BEFORE)
    if recent >= _FEW and recent / _RECENT >= 2 * before / _BEFORE:
        return "escalating"
    return "ongoing"
