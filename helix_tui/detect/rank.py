"""What a candidate is worth: how surely it recurs, times what it costs each time.

score = 100 x (Wilson 95 % lower bound of sessions with it among eligible sessions)
            x (median waste per occurrence), where waste = tokens / 1000 + minutes.
A repository counts for at most half of the sessions. A success has the waste of the problem that
it overcomes. Firm cross-flavor candidates stand before others, those before the rest, and what
costs nothing stands last. How recent it is plays no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from statistics import median
from typing import NamedTuple

from helix_tui.detect.states import state_of, trend_of
from helix_tui.pace import politely
from helix_tui.schema.candidate import Candidate, Member, Ranked, Rate, Remedy, ScoreParts

MIN_SESSIONS = 3
_Z = 1.96
_CHARS_PER_TOKEN = 4
_MOST_TOKENS = 50_000
_MOST_MINUTES = 30.0
_PERCENTILE = 0.95
_FIRM = 2


class Population(NamedTuple):
    """The sessions that could have had something, by flavor and by repository."""

    by_flavor: Mapping[str, int]
    by_repo: Mapping[str, int]
    total: int
    now: int


def wilson_low(having: float, eligible: int) -> float:
    """The lower bound of a share, with 95 % confidence."""
    if not eligible or having <= 0:
        return 0.0
    share = min(1.0, having / eligible)
    spread = _Z * sqrt(share * (1 - share) / eligible + (_Z / (2 * eligible)) ** 2)
    return max(0.0, (share + _Z * _Z / (2 * eligible) - spread) / (1 + _Z * _Z / eligible))


def counted_sessions(by_repo: Mapping[str, int]) -> float:
    """Sessions, of which one repository counts for at most half."""
    total = sum(by_repo.values())
    return total - max(0.0, max(by_repo.values(), default=0) - total / 2)


def _winsorised(values: Sequence[float], most: float) -> list[float]:
    """Values with the largest brought down to the 95th percentile, and never above a ceiling."""
    if not values:
        return []
    cap = min(most, sorted(values)[max(0, ceil(_PERCENTILE * len(values)) - 1)])
    return [min(value, cap) for value in values]


class _Waste(NamedTuple):
    median_tokens: float
    median_minutes: float
    tokens: int


def _waste_of(members: Sequence[Member]) -> _Waste:
    """What each occurrence took in each session, and what all took together."""
    tokens = _winsorised(
        [one.chars / _CHARS_PER_TOKEN / max(one.count, 1) for one in members], _MOST_TOKENS
    )
    minutes = _winsorised([one.ms / 60_000 / max(one.count, 1) for one in members], _MOST_MINUTES)
    if not members:
        return _Waste(0.0, 0.0, 0)
    total = sum(each * one.count for each, one in zip(tokens, members, strict=True))
    return _Waste(median(tokens), median(minutes), round(total))


def rank(candidates: Sequence[Candidate], population: Population) -> list[Ranked]:
    """Candidates with their figures, the one most worth a person's time first."""
    by_id = {candidate.id: candidate for candidate in candidates}
    ranked = [_ranked(one, by_id, population) for one in politely(candidates)]
    return sorted(ranked, key=_order)


def _order(ranked: Ranked) -> tuple[bool, bool, bool, float, int, str]:
    return (
        ranked.score <= 0,
        not ranked.is_cross_flavor_firm,
        not ranked.is_cross_flavor,
        -ranked.score,
        -len(ranked.candidate.members),
        ranked.candidate.id,
    )


def _ranked(candidate: Candidate, by_id: Mapping[str, Candidate], among: Population) -> Ranked:
    members = list(candidate.members.values())
    by_flavor = Counter(member.flavor for member in members)
    by_repo = Counter(member.repo for member in members)
    problem = by_id.get(candidate.resolves)
    spent = _waste_of(list(problem.members.values()) if problem else members)
    own = _waste_of(members)
    waste = round(spent.median_tokens / 1000 + spent.median_minutes, 4)
    counted = counted_sessions(by_repo)
    low = round(wilson_low(counted, among.total), 6)
    times = [member.first_ts for member in members if member.first_ts is not None]
    ends = [member.last_ts for member in members if member.last_ts is not None]
    last_ts = max(ends, default=None)
    cure = by_id.get(candidate.remedy)
    return Ranked(
        candidate,
        sum(member.count for member in members),
        {name: Rate(count, among.by_flavor.get(name, 0)) for name, count in _sorted(by_flavor)},
        {name: Rate(count, among.by_repo.get(name, 0)) for name, count in _sorted(by_repo)},
        len(by_flavor) > 1,
        sum(1 for count in by_flavor.values() if count >= _FIRM) > 1,
        own.tokens,
        round(100 * low * waste, 3),
        ScoreParts(
            len(members),
            counted,
            among.total,
            low,
            round(spent.median_tokens, 1),
            round(spent.median_minutes, 3),
            waste,
        ),
        min(times, default=None),
        last_ts,
        trend_of(times, among.now),
        state_of(times, last_ts or 0, among.now),
        _remedy(cure) if cure else None,
    )


def _remedy(cure: Candidate) -> Remedy:
    return Remedy(
        cure.id, cure.title, next(iter(cure.ways), ""), cure.remedy_text, len(cure.members)
    )


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
