"""The candidate list as one sitting has it: what is shown, marked, skipped and just decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from helix_tui.schema.candidate import VerdictName
from helix_tui.tui.rows import Row
from helix_tui.tui.sifting import OPEN, SORTS, Sieve

_STILL_ASKED: frozenset[VerdictName] = frozenset({"open", "discussed"})


class Sheet:
    """Rows in an order, those of them that a filter shows, and a person's own marks."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._ordered: list[Row] = []
        self.shown: list[Row] = []
        self.sieve: Sieve = OPEN
        self.sort = "rank"
        self.marked: set[str] = set()
        self.skipped: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def load(self, rows: Iterable[Row]) -> None:
        """Takes a new board; marks on what is gone go too."""
        self._rows = {row.id: row for row in rows}
        self.marked &= self._rows.keys()
        self.skipped = {name: None for name in self.skipped if name in self._rows}
        self._order()

    def row(self, name: str) -> Row | None:
        """A row by the candidate's id."""
        return self._rows.get(name)

    def index_of(self, name: str) -> int | None:
        """Where a candidate is shown."""
        return next((at for at, row in enumerate(self.shown) if row.id == name), None)

    def sift(self, sieve: Sieve) -> None:
        """Shows what a filter lets through."""
        self.sieve = sieve
        self._show()

    def sort_by(self, name: str) -> None:
        """Puts the rows into another order."""
        self.sort = name
        self._order()

    def next_sort(self) -> str:
        """The order behind the one in force."""
        names = list(SORTS)
        return names[(names.index(self.sort) + 1) % len(names)]

    def decide(self, names: Sequence[str], verdict: VerdictName) -> list[Row]:
        """Shows a verdict before it is written; returns the rows as they were."""
        before = [self._rows[name] for name in names if name in self._rows]
        after = {
            row.id: row._replace(verdict=verdict, is_asked=verdict in _STILL_ASKED)
            for row in before
        }
        self._swap(after)
        self.marked -= after.keys()
        return before

    def put(self, rows: Iterable[Row]) -> None:
        """Shows rows as they really are."""
        self._swap({row.id: row for row in rows if row.id in self._rows})

    def skip(self, names: Sequence[str]) -> None:
        """Puts candidates behind all others."""
        for name in names:
            self.skipped.pop(name, None)
            self.skipped[name] = None
        self.marked -= set(names)
        moved = [row for row in self.shown if row.id in set(names)]
        self.shown = [row for row in self.shown if row.id not in set(names)] + moved

    def take_back_skip(self, names: Sequence[str]) -> None:
        """Puts skipped candidates where they were."""
        for name in names:
            self.skipped.pop(name, None)
        self._show()

    def _swap(self, fresh: dict[str, Row]) -> None:
        """Exchanges a few of many rows: what is shown is made anew only where one comes back."""
        if not fresh:
            return
        for name in fresh:
            self._rows[name] = fresh[name]
        self._ordered = [fresh.get(row.id, row) for row in self._ordered]
        shown = {row.id for row in self.shown if row.id in fresh}
        if any(self.sieve.passes(row) for name, row in fresh.items() if name not in shown):
            self._show()
            return
        self.shown = [
            kept
            for row in self.shown
            if (kept := fresh.get(row.id, row)) is row or self.sieve.passes(kept)
        ]

    def _order(self) -> None:
        self._ordered = sorted(self._rows.values(), key=SORTS[self.sort])  # type: ignore[arg-type]
        self._show()

    def _show(self) -> None:
        passes, skipped = self.sieve.passes, self.skipped
        self.shown = [row for row in self._ordered if row.id not in skipped and passes(row)]
        if skipped:
            self.shown += [self._rows[name] for name in skipped if passes(self._rows[name])]
