"""How wide the columns of the candidate list are."""

from __future__ import annotations

from typing import NamedTuple


class Columns(NamedTuple):
    """How wide each column is; 0 leaves it out."""

    title: int
    agents: int
    state: int
    trend: int


# What stands in every line besides: cursor and mark, rank, score, XX, tier, sessions, verdict.
_FIXED = 2 + 4 + 6 + 3 + 5 + 6 + 2


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
