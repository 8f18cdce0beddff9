"""What a line of the candidate list says, made of plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from helix_tui.text.human import sparkline
from helix_tui.text.safe import safe_line
from helix_tui.yielding import yielding

if TYPE_CHECKING:
    from helix_tui.schema.board import Listed
    from helix_tui.schema.candidate import CandidateKind, CandidateState, Tier, VerdictName
    from helix_tui.schema.context import ToldState

_TITLE_LIMIT = 300
_TREND_WEEKS = 6
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
# A verdict on it is on its way into the journal.
WRITING_SIGN = "…"


class ReviewRow(NamedTuple):
    """A candidate as the list shows it; `searched` is what the filter looks into.

    `listed` is how it was read, the rest how it stands by what was decided since. What is drawn is
    worded when it is drawn: of 100,000 rows few ever are.
    """

    listed: Listed
    rank: int
    verdict: VerdictName
    is_asked: bool
    is_changed: bool
    searched: str

    @property
    def id(self) -> str:
        """The candidate's id."""
        return self.listed.brief.id

    @property
    def score(self) -> float:
        """What it is worth."""
        return self.listed.score

    @property
    def cross(self) -> str:
        """`X` where more than one agent has it, `XX` where two have it in two sessions each."""
        brief = self.listed.brief
        return "XX" if brief.is_cross_flavor_firm else "X" if brief.is_cross_flavor else ""

    @property
    def tier(self) -> Tier:
        """Whether it can be fixed, or is worth knowing."""
        return self.listed.brief.tier

    @property
    def kind(self) -> CandidateKind:
        """A problem or a success."""
        return self.listed.brief.kind

    @property
    def title(self) -> str:
        """What it is, made safe."""
        return safe_line(self.listed.brief.title, _TITLE_LIMIT)

    @property
    def flavors(self) -> tuple[str, ...]:
        """The agents that have it."""
        return tuple(sorted(safe_line(flavor, 40) for flavor in self.listed.brief.flavors))

    @property
    def repos(self) -> tuple[str, ...]:
        """The repositories that it is in."""
        return tuple(self.listed.brief.repos)

    @property
    def sessions(self) -> int:
        """How many sessions have it."""
        return self.listed.brief.sessions

    @property
    def state(self) -> CandidateState:
        """How it stands over time."""
        return self.listed.state

    @property
    def told(self) -> ToldState:
        """Whether instructions say it already."""
        return self.listed.told

    @property
    def trend(self) -> str:
        """Its last weeks as bars."""
        return sparkline(self.listed.trend, _TREND_WEEKS)

    @property
    def last_ts(self) -> int:
        """When it was last seen."""
        return self.listed.brief.last_ts or 0

    @property
    def cost(self) -> int:
        """The tokens that all of it took."""
        return self.listed.brief.cost_impact


def row_of(listed: Listed, rank: int) -> ReviewRow:
    """The line of one candidate at its rank."""
    brief = listed.brief
    searched = f"{brief.title}\n{brief.id}\n{brief.error_class}".lower()
    changed = bool(listed.changed)
    return ReviewRow(listed, rank, listed.verdict, listed.is_asked, changed, searched)


def standing_as(row: ReviewRow, decided: ReviewRow) -> ReviewRow:
    """A row of a newer board, which stands as was decided on an older one."""
    decided_listed = decided.listed
    listed = replace(
        row.listed,
        review=decided_listed.review,
        verdict=decided_listed.verdict,
        changed=decided_listed.changed,
        is_asked=decided_listed.is_asked,
    )
    return decided._replace(listed=listed, rank=row.rank, searched=row.searched)


def rows_of(listing: Iterable[Listed]) -> dict[str, ReviewRow]:
    """The lines of candidates by id, ranked as they come."""
    numbered = enumerate(yielding(listing), 1)
    return {listed.brief.id: row_of(listed, number) for number, listed in numbered}


def let_go(rows: dict[str, ReviewRow]) -> None:
    """Free rows one by one: 100,000 at once hold up keys for a quarter of a second."""
    for _ in yielding(range(len(rows))):
        rows.popitem()


def score_text(score: float) -> str:
    """A score in at most five characters."""
    return f"{score:.1f}" if score < 99.95 else f"{min(score, 99_999):.0f}"
