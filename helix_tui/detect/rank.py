"""Score and rank candidates: how surely each recurs, times what an occurrence costs.

score = 100 x (Wilson 95 % lower bound of sessions with it among eligible sessions)
            x (median waste per occurrence), where waste = tokens / 1000 + minutes.
A repository counts for at most half of the sessions, unless a remedy fixes it. `order.py` says
which comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil, sqrt
from operator import itemgetter
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace

from helix_tui.detect.draw import tally_of
from helix_tui.detect.list_order import place_in
from helix_tui.detect.states import state_of, trend_of, week_of
from helix_tui.detect.worth import ASKED_FOR, is_laid_down, is_shared, is_to_be_mended, worth_of
from helix_tui.schema.candidate import (
    Brief,
    Candidate,
    Member,
    Order,
    Ranked,
    Rate,
    ScoreParts,
)
from helix_tui.schema.large import Reading, Tally
from helix_tui.text.times import EARLIEST
from helix_tui.yielding import sorted_politely, yielding

MIN_SESSIONS = 3
_Z = 1.96
_CHARS_PER_TOKEN = 4
_MOST_TOKENS = 50_000
_MOST_MINUTES = 30.0
_PERCENTILE = 0.95


class Population(NamedTuple):
    """The eligible sessions, by flavor and by repository."""

    by_flavor: Mapping[str, int]
    by_repo: Mapping[str, int]
    total: int
    now: int

    @property
    def week(self) -> int:
        """The last week, that of the newest session."""
        return week_of(self.now)


@lru_cache(maxsize=4096)
def wilson_low(having: float, eligible: int) -> float:
    """Return the lower bound of a share, with 95 % confidence."""
    if not eligible or having <= 0:
        return 0.0
    share = min(1.0, having / eligible)
    spread = _Z * sqrt(share * (1 - share) / eligible + (_Z / (2 * eligible)) ** 2)
    return max(0.0, (share + _Z * _Z / (2 * eligible) - spread) / (1 + _Z * _Z / eligible))


def counted_sessions(by_repo: Mapping[str, int]) -> float:
    """Count sessions; one repository counts for at most half of them."""
    total = sum(by_repo.values())
    return total - max(0.0, max(by_repo.values(), default=0) - total / 2)


def _winsorised(values: Sequence[float], most: float) -> list[float]:
    """Cap values at their 95th percentile, and never above a ceiling."""
    if not values:
        return []
    cap = min(most, sorted(values)[max(0, ceil(_PERCENTILE * len(values)) - 1)])
    return [min(value, cap) for value in values]


class _Waste(NamedTuple):
    median_tokens: float
    median_minutes: float
    tokens: int


def _waste_of(members: Sequence[Member]) -> _Waste:
    """Return the median waste per occurrence, and the tokens of all occurrences."""
    tokens = _winsorised(
        [member.chars / _CHARS_PER_TOKEN / max(member.count, 1) for member in members], _MOST_TOKENS
    )
    minutes = _winsorised(
        [member.ms / 60_000 / max(member.count, 1) for member in members], _MOST_MINUTES
    )
    if not members:
        return _Waste(0.0, 0.0, 0)
    total = sum(each * member.count for each, member in zip(tokens, members, strict=True))
    return _Waste(median(tokens), median(minutes), round(total))


def times_of(members: Iterable[Member]) -> tuple[list[int], list[int]]:
    """Return when it began and ended in each session; times of an unset clock are dropped."""
    both = [(member.first_ts, member.last_ts) for member in members]
    begun = [ts for ts, _ in both if ts is not None and ts >= EARLIEST]
    ended = [ts for _, ts in both if ts is not None and ts >= EARLIEST]
    return begun, ended


def brief_of(candidate: Candidate, tally: Tally | None = None) -> Brief:
    """Compute the figures of a candidate that do not depend on other sessions.

    Of very many conversations what an occurrence costs is that of those that were drawn; where not
    all of them are members by name, `tally` has the figures of all.
    """
    if candidate.drawn:
        return _brief_of_many(candidate, tally or tally_of(candidate))
    members = list(candidate.members.values())
    by_repo = Counter(member.repo for member in members)
    own = _waste_of(members)
    begun, ended = times_of(members)
    # What one repository has and a remedy fixes is worth no less for being of one.
    is_sure_fix = _is_sure_fix(candidate)
    return Brief(
        candidate.id,
        candidate.kind,
        candidate.title,
        candidate.error_class,
        len(members),
        sum(member.count for member in members),
        dict(_sorted(Counter(member.flavor for member in members))),
        dict(_sorted(by_repo)),
        float(len(members)) if is_sure_fix else counted_sessions(by_repo),
        own.median_tokens,
        own.median_minutes,
        own.tokens,
        min(begun, default=None),
        max(ended, default=None),
        sorted(map(week_of, begun)),
        candidate.aliases,
        "",
        candidate.tier,
        is_sure_fix or is_to_be_mended(candidate) or is_laid_down(candidate),
        worth_of(candidate),
        candidate.sort in ASKED_FOR,
        is_shared(candidate),
    )


def _is_sure_fix(candidate: Candidate) -> bool:
    return candidate.tier == "fix" and candidate.cure is not None


def _brief_of_many(candidate: Candidate, tally: Tally) -> Brief:
    """The figures of what very many conversations have: what it says is that of those drawn."""
    return with_all(_told(candidate), tally, reading_of(candidate))


def _told(candidate: Candidate) -> Brief:
    return brief_of(replace(candidate, members=candidate.read, drawn=[]))


def reading_of(candidate: Candidate) -> Reading:
    """What those cost that were drawn."""
    members = candidate.read.values()
    chars = sum(member.chars for member in members)
    return Reading(_waste_of(list(members)).tokens, chars, _is_sure_fix(candidate))


def with_all(told: Brief, tally: Tally, reading: Reading) -> Brief:
    """The figures of all in the place of those of the conversations that were read."""
    by_repo = dict(_sorted(Counter(tally.repos)))
    spent = reading.cost * tally.chars / reading.chars if reading.chars else 0
    return replace(
        told,
        sessions=tally.sessions,
        frequency=tally.frequency,
        flavors=dict(_sorted(Counter(tally.flavors))),
        repos=by_repo,
        counted_sessions=float(tally.sessions)
        if reading.is_sure_fix
        else counted_sessions(by_repo),
        cost_impact=round(spent),
        first_ts=tally.first_ts,
        last_ts=tally.last_ts,
        weeks=[week for week, often in sorted(tally.weeks.items()) for _ in range(often)],
        origins=tally.origins,
    )


def _rate_low(brief: Brief, among: Population) -> float:
    return round(wilson_low(brief.counted_sessions, among.total), 6)


def _waste(spent: Brief) -> float:
    return round(spent.median_tokens / 1000 + spent.median_minutes, 4)


def score_of(brief: Brief, among: Population) -> float:
    """Score a candidate: how surely it recurs, times what it costs."""
    return round(100 * _rate_low(brief, among) * _waste(brief), 3)


def rank(
    candidates: Sequence[Candidate],
    population: Population,
    order: Order = "band",
    briefs: Mapping[str, Brief] = {},
) -> list[Ranked]:
    """Rank candidates, the one most worth a person's time first.

    `briefs` are those of candidates that do not name all of their sessions, by id.
    """
    ranked = [
        _ranked(candidate, population, briefs.get(candidate.id))
        for candidate in yielding(candidates)
    ]
    return sorted(ranked, key=lambda row: place_in(order, row.brief, row.score))


def rank_briefs(
    briefs: Iterable[Brief], population: Population, order: Order
) -> list[tuple[Brief, float]]:
    """Score briefs and return them in the order of `rank`."""
    placed = []
    for brief in yielding(briefs):
        score = score_of(brief, population)
        placed.append((place_in(order, brief, score), brief, score))
    return [(brief, score) for _, brief, score in sorted_politely(placed, itemgetter(0))]


def _ranked(candidate: Candidate, among: Population, brief: Brief | None) -> Ranked:
    brief = brief or brief_of(candidate)
    return Ranked(
        candidate,
        brief,
        {name: Rate(count, among.by_flavor.get(name, 0)) for name, count in brief.flavors.items()},
        {name: Rate(count, among.by_repo.get(name, 0)) for name, count in brief.repos.items()},
        score_of(brief, among),
        ScoreParts(
            brief.sessions,
            brief.counted_sessions,
            among.total,
            _rate_low(brief, among),
            round(brief.median_tokens, 1),
            round(brief.median_minutes, 3),
            _waste(brief),
        ),
        trend_of(brief.weeks, among.week),
        state_of(brief.weeks, week_of(brief.last_ts or 0), among.week),
    )


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
