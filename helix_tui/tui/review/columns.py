"""How wide the columns of the candidate list are, and what is written above them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from rich.cells import cell_len


class Columns(NamedTuple):
    """How wide each column is; 0 leaves it out."""

    title: int
    score: int
    agents: int
    sessions: int
    tokens: int
    state: int
    trend: int


# What stands in every line besides: cursor and mark, rank, XX, tier, verdict.
_FIXED = 2 + 4 + 3 + 5 + 2
_SCORE, _AGENTS, _SESSIONS, _TOKENS, _STATE, _TREND = 6, 18, 10, 7, 11, 7
_SHORT_AGENTS, SHORT_SESSIONS, SIGN = 9, 5, 2
_LEAST_TITLE = 24
# The widths of all columns but the title, the most telling first; each is tried in turn until the
# title has room.
_CHOICES = (
    (_SCORE, _AGENTS, _SESSIONS, _TOKENS, _STATE, _TREND),
    (_SCORE, _AGENTS, _SESSIONS, _TOKENS, SIGN, _TREND),
    (_SCORE, _AGENTS, _SESSIONS, _TOKENS, SIGN, 0),
    (_SCORE, _SHORT_AGENTS, _SESSIONS, _TOKENS, SIGN, 0),
    (_SCORE, _SHORT_AGENTS, SHORT_SESSIONS, _TOKENS, SIGN, 0),
    (0, _SHORT_AGENTS, SHORT_SESSIONS, _TOKENS, SIGN, 0),
    (0, _SHORT_AGENTS, SHORT_SESSIONS, 0, SIGN, 0),
)
# One title of so many may be cut, of those that somebody comes to see.
_CUT_AT_MOST, _LOOKED_AT = 10, 500
# Where no title fits whatever is left out, these stay.
_CUT = 5


def fit_columns(width: int, wanted: int = _LEAST_TITLE) -> Columns:
    """The columns for a width: others are left out until a title of the wanted width fits."""
    fitting = [others for others in _CHOICES if _room(width, others) >= wanted]
    if not fitting:
        fitting = [one for one in _CHOICES[_CUT:] if _room(width, one) >= _LEAST_TITLE]
    if not fitting:
        return Columns(max(width - _FIXED, 1), 0, 0, 0, 0, 0, 0)
    return Columns(_room(width, fitting[0]), *fitting[0])


def title_width(titles: Iterable[str]) -> int:
    """How wide the column must be so that at most a tenth of the titles that come first are cut."""
    widths = sorted(cell_len(title) + 1 for title in islice(titles, _LOOKED_AT))
    return widths[len(widths) - 1 - len(widths) // _CUT_AT_MOST] if widths else 0


def _room(width: int, others: tuple[int, ...]) -> int:
    return width - _FIXED - sum(others)


# Which column an order goes by.
_SORTED = {"score": "score", "sessions": "sess", "tokens": "tokens"}


def header_text(columns: Columns, order: str) -> str:
    """The names of the columns, with a sign at the one that the list is in the order of."""

    def name(text: str, width: int, *, is_right: bool = False) -> str:
        marked = f"{text}▼" if _SORTED.get(order) == text else text
        if not width:
            return ""
        marked = marked[: width - 1]
        return f"{marked:>{width - 1}} " if is_right else f"{marked:<{width}}"

    title = f"candidate{'▼' if order == 'title' else ''}"[: columns.title - 1]
    return "".join(
        [
            "    # ",
            name("score", columns.score, is_right=True),
            name("X", 3),
            name("tier", 5),
            f"{title:<{columns.title}}",
            name("agents", columns.agents),
            name("sess", columns.sessions, is_right=True),
            name("tokens", columns.tokens, is_right=True),
            name("state", columns.state) if columns.state > SIGN else " " * columns.state,
            name("weeks", columns.trend),
        ]
    )
