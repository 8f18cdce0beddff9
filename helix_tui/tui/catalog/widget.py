"""The list of the catalog: patterns, and files that cannot be read as one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.cells import cell_len

from helix_tui.tui.catalog.rows import PatternRow
from helix_tui.tui.kit.effect_words import STATE_TONES, state_word
from helix_tui.tui.kit.lines import Toned, agents_text, fit
from helix_tui.tui.kit.row_list import RowList

_STATUS, _VERSION, _SESSIONS, _EFFECT = 12, 7, 10, 10
# The room for agents, by their names or by two letters each: as much as titles leave.
_AGENTS = (20, 15, 9)
_WIDE = 100
# Titles have so much room at most that is not theirs: what is said of them stays near them.
_LONGEST, _NEAR = 80, 72
_TONES = {"approved": "good", "unreadable": "bad", "removed": "warn", "deprecated": "dim"}


class PatternList(RowList[PatternRow]):
    """One line for each pattern."""

    cursor_tone = "cursor"
    # Whether anything was taught; until then the column would be empty, and titles have its room.
    _has_effects = False
    # Whether some have more agents than their names have room for: then all are short.
    _has_many = False
    # How much room titles want.
    _wanted = _widest = 0

    def show(self, rows: Sequence[PatternRow], cursor: int | None = None) -> None:
        """Show other rows."""
        self._has_effects = any(row.effect for row in rows)
        wanted = max((cell_len(f"{_told(row)}{row.title}") for row in rows), default=0)
        self._wanted, self._widest = min(wanted, _LONGEST), wanted
        self._has_many = any(len(" ".join(row.flavors)) >= _AGENTS[0] for row in rows)
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """Draw a row anew when anything of it changes, or how much room it has."""
        return self.rows[index], self._has_effects, self._widest, self._has_many

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a pattern."""
        row = self.rows[index]
        room = _EFFECT if self._has_effects else 0
        title = version = agents = 0
        choices = _AGENTS[1:] if self._has_many else _AGENTS
        # Titles go before versions and agents, which the page tells.
        wide = [(_VERSION, agents) for agents in choices] if width >= _WIDE else []
        fitting = [*wide, (_VERSION, _AGENTS[-1]), (0, _AGENTS[-1]), (0, 0)]
        for version, agents in fitting:
            title = max(8, width - 4 - _STATUS - room - version - agents - _SESSIONS)
            title = min(title, max(_NEAR, self._widest + 1))
            if title >= self._wanted:
                break
        effect = state_word(row.effect) if row.effect else ""
        is_bad = row.status == "unreadable"
        mark = "✗" if is_bad else "!" if row.notes else "+" if row.is_ready else " "
        told = _told(row)
        sessions = f"{row.sessions:>{_SESSIONS - 6},} sess " if row.is_page else " " * _SESSIONS
        return [
            (f"{mark} ", "warn" if row.notes else "good"),
            (told, "warn"),
            (f"{fit(row.title, max(8, title - len(told)))} ", "plain"),
            (fit(row.status, _STATUS), _TONES.get(row.status, "plain")),
            (fit(effect, room) if room else "", STATE_TONES.get(row.effect, "dim")),
            (fit(row.version, version) if version else "", "dim"),
            (fit(self._agents(row, agents), agents) if agents else "", "dim"),
            (sessions, "plain"),
        ]

    def _agents(self, row: PatternRow, width: int) -> str:
        """The agents of a pattern, in all rows by their names or in all by two letters each."""
        flavors = [name[:2] for name in row.flavors] if self._has_many else row.flavors
        return agents_text(flavors, width)


def _told(row: PatternRow) -> str:
    return f"({row.told}) " if row.told != "no" else ""
