"""How wide the columns of the candidate list are, and what is written above them."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

from helix_tui.text.human import wrap
from helix_tui.tui.kit.lines import fit


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
_BEFORE_TITLE = 2 + 4 + 3 + 6
_FIXED = _BEFORE_TITLE + 2
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
# Where no title fits whatever is left out, these stay.
_CUT = 5


def fit_columns(width: int, wanted: int = _LEAST_TITLE) -> Columns:
    """The columns for a width: others are left out until a title of the wanted width fits."""
    wanted = max(wanted, _LEAST_TITLE)
    fitting = [others for others in _CHOICES if _room(width, others) >= wanted]
    if not fitting:
        fitting = [one for one in _CHOICES[_CUT:] if _room(width, one) >= _LEAST_TITLE]
    if not fitting:
        return Columns(max(width - _FIXED, 1), 0, 0, 0, 0, 0, 0)
    return Columns(_room(width, fitting[0]), *fitting[0])


def indent_of(columns: Columns) -> int:
    """Where titles begin: behind cursor and mark, rank, score, XX and tier."""
    return _BEFORE_TITLE + columns.score


def title_lines(title: str, first: int, rest: int) -> list[str]:
    """A title on one line, or on two, of which the second has all of the row's width."""
    if cell_len(title) <= first:
        return [title]
    head = wrap(title, first)[0]
    return [head, fit(title[len(head) :].lstrip(), rest)]


def _room(width: int, others: tuple[int, ...]) -> int:
    return width - _FIXED - sum(others)


# Which column an order goes by.
_SORTED = {"score": "score", "sessions": "sess", "tokens": "tokens"}


def header_text(columns: Columns, order: str, *, is_team: bool = False) -> str:
    """The names of the columns, with a sign at the one that the list is in the order of.

    On a team's list one's own sessions and the machines stand where the tokens are.
    """

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
            name("tier", 6),
            f"{title:<{columns.title}}",
            name("agents", columns.agents),
            name("sess", columns.sessions, is_right=True),
            name("own/m" if is_team else "tokens", columns.tokens, is_right=True),
            name("state", columns.state) if columns.state > SIGN else " " * columns.state,
            name("weeks", columns.trend),
        ]
    )
