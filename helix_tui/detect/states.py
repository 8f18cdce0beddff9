"""How a candidate stands over time, by a stated rule over its sessions week by week.

new: first seen within the last two weeks. quiet: not seen for three weeks. regressed: seen within
the last two weeks after three quiet ones. escalating: in the last two weeks at least three sessions
and twice as many a week as in the four before. ongoing: all else. The last week is that of the
newest session that counts, so that a store nobody sweeps does not fall silent by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.schema.candidate import CandidateState

_DAY_MS = 86_400_000
_RECENT = 2
_QUIET = 3
_BEFORE = 4
_FEW = 3
MOST_WEEKS = 26


def week_of(ts: int) -> int:
    """The number of the week, which begins on Monday, that a time is in."""
    return (ts // _DAY_MS + 3) // 7


def trend_of(times: Iterable[int], now: int) -> list[int]:
    """Sessions by week, the newest last, from the first week that has one; at most half a year."""
    weeks = [week_of(ts) for ts in times]
    last = week_of(now)
    first = max(min(weeks, default=last), last - MOST_WEEKS + 1)
    trend = [0] * (last - first + 1)
    for week in weeks:
        if first <= week <= last:
            trend[week - first] += 1
    return trend


def state_of(times: Iterable[int], last_seen: int, now: int) -> CandidateState:
    """The state that the weekly series gives; what began long ago may still go on."""
    last = week_of(now)
    ages = sorted(last - week_of(ts) for ts in times)
    if not ages or last - week_of(last_seen) >= _QUIET:
        return "quiet"
    if ages[-1] < _RECENT:
        return "new"
    recent = [age for age in ages if age < _RECENT]
    earlier = [age for age in ages if age >= _RECENT]
    if recent and min(earlier) >= max(recent) + 1 + _QUIET:
        return "regressed"
    before = sum(1 for age in earlier if age < _RECENT + _BEFORE)
    if len(recent) >= _FEW and len(recent) / _RECENT >= 2 * before / _BEFORE:
        return "escalating"
    return "ongoing"
