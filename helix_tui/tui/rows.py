"""What a line of the candidate list says, made of plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.pace import politely
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema.board import Reviewed
    from helix_tui.schema.candidate import CandidateKind, CandidateState, VerdictName

_TITLE_LIMIT = 300
_BARS = " ▁▂▃▄▅▆▇█"
# One sign for each state where there is no room for the word.
STATE_SIGNS: dict[CandidateState, str] = {
    "new": "+",
    "ongoing": "=",
    "escalating": "↑",
    "regressed": "!",
    "quiet": "↓",
}
# How a candidate stands, as one letter: that of the key which makes it so.
VERDICT_SIGNS: dict[VerdictName, str] = {
    "open": " ",
    "discussed": "d",
    "approved": "a",
    "rejected": "r",
    "snoozed": "w",
    "merged": "m",
}


class Row(NamedTuple):
    """A candidate as the list shows it; `searched` is what the filter looks into."""

    id: str
    rank: int
    score: float
    is_cross: bool
    kind: CandidateKind
    title: str
    flavors: tuple[str, ...]
    repos: tuple[str, ...]
    sessions: int
    state: CandidateState
    trend: str
    verdict: VerdictName
    is_asked: bool
    is_changed: bool
    last_ts: int
    cost: int
    searched: str
    reviewed: Reviewed


def row_of(reviewed: Reviewed, rank: int) -> Row:
    """The line of one candidate at its rank."""
    ranked = reviewed.ranked
    candidate = ranked.candidate
    title = safe_line(candidate.title, _TITLE_LIMIT)
    flavors = tuple(sorted(safe_line(one, 40) for one in ranked.flavors))
    return Row(
        id=candidate.id,
        rank=rank,
        score=ranked.score,
        is_cross=ranked.is_cross_flavor,
        kind=candidate.kind,
        title=title,
        flavors=flavors,
        repos=tuple(ranked.repos),
        sessions=len(candidate.members),
        state=ranked.state,
        trend=sparkline(ranked.trend),
        verdict=reviewed.verdict,
        is_asked=reviewed.is_asked,
        is_changed=bool(reviewed.changed),
        last_ts=ranked.last_ts or 0,
        cost=ranked.cost_impact,
        searched=f"{title}\n{candidate.id}\n{candidate.error_class}".lower(),
        reviewed=reviewed,
    )


def rows_of(board: Iterable[Reviewed]) -> list[Row]:
    """The lines of a board, ranked as it is."""
    return [row_of(reviewed, number) for number, reviewed in enumerate(politely(board), 1)]


def sparkline(counts: Sequence[int], most: int = 6) -> str:
    """The last counts as bars of one cell each."""
    counts = counts[-most:]
    top = max(counts, default=0)
    if not top:
        return ""
    return "".join(_BARS[-(-count * 8 // top)] for count in counts)


class Columns(NamedTuple):
    """How wide each column is; 0 leaves it out."""

    title: int
    agents: int
    state: int
    trend: int


# What stands in every line besides: cursor and mark, rank, score, X, kind, sessions, verdict.
_FIXED = 2 + 4 + 6 + 2 + 8 + 6 + 2
_AGENTS, _STATE, _TREND = 18, 11, 7
_SIGN = 2
_SHORT_AGENTS = 9
_LEAST_TITLE = 24
_GOOD_TITLE = 36


def fit_columns(width: int) -> Columns:
    """The columns for a width: the title takes what the others leave."""
    room = width - _FIXED
    if room >= _GOOD_TITLE + _AGENTS + _STATE + _TREND:
        return Columns(room - _AGENTS - _STATE - _TREND, _AGENTS, _STATE, _TREND)
    if room >= _GOOD_TITLE + _AGENTS + _SIGN + _TREND:
        return Columns(room - _AGENTS - _SIGN - _TREND, _AGENTS, _SIGN, _TREND)
    if room >= _GOOD_TITLE + _AGENTS + _SIGN:
        return Columns(room - _AGENTS - _SIGN, _AGENTS, _SIGN, 0)
    if room >= _LEAST_TITLE + _SHORT_AGENTS + _SIGN:
        return Columns(room - _SHORT_AGENTS - _SIGN, _SHORT_AGENTS, _SIGN, 0)
    return Columns(max(room, 1), 0, 0, 0)


def agents_text(flavors: Sequence[str], width: int) -> str:
    """The agents of a candidate, by two letters each where there is no room for their names."""
    if width <= _SHORT_AGENTS:
        return " ".join(flavor[:2] for flavor in flavors)
    return " ".join(flavors)


def score_text(score: float) -> str:
    """A score in at most five characters."""
    return f"{score:.1f}" if score < 99.95 else f"{min(score, 99_999):.0f}"


def compact(count: int) -> str:
    """A count in a few characters: 4.1k, 41k, 1.2M."""
    for limit, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= limit:
            size = count / limit
            return f"{size:.1f}{unit}" if size < 9.95 else f"{size:.0f}{unit}"
    return str(count)
