"""The patterns of the effect screen: those that were measured, and those that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.effect_words import STATE_TONES, state_word

if TYPE_CHECKING:
    from helix_tui.schema.effect import EffectReport, Measured, Rate

_NEEDS_SOMEBODY = ("worse", "regressed", "no_change", "not_seen")


class EffectRow(NamedTuple):
    """A pattern of the list; all but its id is for the eye."""

    id: str
    title: str
    state: str
    tone: str
    before: str
    after: str
    # What to know besides: how many more sessions it takes, or why it is not measured.
    note: str
    since: int
    at: int
    measured: Measured | None = None

    @property
    def words(self) -> str:
        """What a filter looks in."""
        return f"{self.id} {self.title} {self.state} {self.note}".lower()


# Each order of the list; the engine has what needs a person first.
SORTS: dict[str, Callable[[EffectRow], tuple[Any, ...]]] = {
    "urgency": lambda row: (row.at,),
    "since": lambda row: (-row.since, row.at),
    "title": lambda row: (row.title.casefold(),),
}


def rows_of(report: EffectReport) -> list[EffectRow]:
    """All patterns that were taught, what needs a person first."""
    rows = [_measured(one, at) for at, one in enumerate(report.measured)]
    for at, one in enumerate(report.unmeasured, len(rows)):
        title, reason = safe_line(one.title, 200), safe_line(one.reason, 300)
        rows.append(EffectRow(one.id, title, "not measured", "dim", "", "", reason, 0, at))
    return rows


def _measured(one: Measured, at: int) -> EffectRow:
    effect = one.effect
    return EffectRow(
        one.id,
        safe_line(one.title, 200),
        state_word(effect.state),
        STATE_TONES.get(effect.state, "plain"),
        counted(effect.before),
        counted(effect.after),
        f"about {effect.needed:,} more" if effect.needed else "",
        effect.since,
        at,
        one,
    )


def counted(rate: Rate) -> str:
    """A rate as the sessions behind it."""
    return f"{rate.did:,} of {rate.opportunities:,}" if rate.opportunities else "none"


def sorted_rows(rows: Iterable[EffectRow], order: str) -> list[EffectRow]:
    """Rows in one of the orders."""
    return sorted(rows, key=SORTS[order])


def effects_title(rows: Sequence[EffectRow]) -> str:
    """How many need somebody."""
    measured = [row for row in rows if row.measured is not None]
    helped = sum(row.state == "helped" for row in measured)
    waiting = sum(
        row.measured is not None and row.measured.effect.state in _NEEDS_SOMEBODY for row in rows
    )
    parts = [f"{helped:,} helped"] if measured else []
    parts += [f"{plural(waiting, 'needs', 'need')} a look"] if waiting else []
    return " · ".join(parts)
