"""The list of the effect screen: a pattern, its verdict, and the sessions before and after."""

from __future__ import annotations

from collections.abc import Hashable

from helix_tui.tui.effect.rows import EffectRow
from helix_tui.tui.kit.lines import Toned, fit
from helix_tui.tui.kit.row_list import RowList

_STATE, _RATES, _NOTE = 13, 23, 15
_WIDE = 100


class EffectList(RowList[EffectRow]):
    """One line for each pattern."""

    cursor_tone = "cursor"

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when what it shows changes."""
        return self.rows[index][:9]

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a pattern."""
        row = self.rows[index]
        if row.measured is None:
            room = max(8, (width - 4 - _STATE) // 2)
            return [
                (f" {fit(row.state, _STATE)}", row.tone),
                (f"{fit(row.title, room)} ", "plain"),
                (fit(row.note, max(8, width - 3 - _STATE - room)), "dim"),
            ]
        note = _NOTE if width >= _WIDE else 0
        title = max(8, width - 3 - _STATE - _RATES - note)
        return [
            (f" {fit(row.state, _STATE)}", row.tone),
            (fit(f"{row.before} → {row.after}", _RATES), "plain"),
            (f"{fit(row.title, title)} ", "plain"),
            (fit(row.note, note) if note else "", "dim"),
        ]
