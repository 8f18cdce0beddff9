"""The candidate list in use: what is shown, marked, skipped and just decided.

With 100,000 rows a key may not look at each of them: lists hold ids, a verdict takes one out of
its place or puts it back, and a filter that narrows looks only at what the last one let through.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from helix_tui.tui.kit.candidate_row import ReviewRow, standing_as
from helix_tui.tui.review.candidate_filter import OPEN, SORTS, ListFilter, in_order


class ListState:
    """Rows in an order, those of them that a filter shows, and a person's own marks."""

    def __init__(self) -> None:
        self._rows: dict[str, ReviewRow] = {}
        self._ordered: list[str] = []
        self._orders: dict[str, list[str]] = {}
        self._asked: list[str] = []
        self.shown: list[str] = []
        self.wanted: ListFilter = OPEN
        self.sort = "tier"
        # How wide a title must be so that few are cut; a new board says.
        self.title_width = 0
        self.marked: set[str] = set()
        self.skipped: dict[str, None] = {}
        # How many changes there were, and which was the last of each row.
        self.changes = 0
        self._changed: dict[str, int] = {}
        # What is being written: how it stands then is shown when the journal has it.
        self.writing: set[str] = set()

    def __len__(self) -> int:
        return len(self._rows)

    def load(
        self,
        rows: Mapping[str, ReviewRow],
        orders: Mapping[str, Sequence[str]] | None = None,
        changes: int | None = None,
    ) -> dict[str, ReviewRow]:
        """Take a new board, with orders that were made beforehand; marks on what is gone go.

        Returns the rows of before, for somebody to let go of (`let_go`).

        `changes` is how many there were when the board was asked for: what was decided since, or
        is not written yet, stays decided.
        """
        later = {name for name, at in self._changed.items() if changes is not None and at > changes}
        later |= self.writing
        before = {name: row for name in later if (row := self._rows.get(name)) is not None}
        gone, self._rows = self._rows, dict(rows)
        for name, row in before.items():
            if name in self._rows:
                self._rows[name] = standing_as(self._rows[name], row)
        self._orders = {sort: list(names) for sort, names in (orders or {}).items()}
        self.marked &= self._rows.keys()
        self.skipped = {name: None for name in self.skipped if name in self._rows}
        self._order()
        return gone

    def row(self, name: str) -> ReviewRow | None:
        """A row by the candidate's id."""
        return self._rows.get(name)

    def at(self, index: int) -> ReviewRow | None:
        """The row that is shown at a place."""
        return self._rows[self.shown[index]] if 0 <= index < len(self.shown) else None

    def index_of(self, name: str) -> int | None:
        """Where a candidate is shown."""
        return self._place(self.shown, name, self._skipped_from())

    @property
    def verdict_counts(self) -> Counter[str]:
        """How many rows stand how; looks at each of them."""
        return Counter(row.verdict for row in self._rows.values())

    @property
    def wakes_on(self) -> str:
        """The first day on which something that is put off comes back; empty where none does."""
        snoozed = (row for row in self._rows.values() if row.verdict == "snoozed")
        days = (row.listed.review.until.date for row in snoozed if row.listed.review.until)
        return min(filter(None, days), default="")

    @property
    def hidden_marks(self) -> int:
        """How many rows are marked and not shown: no verdict hits these."""
        return len(self.marked) - len(self.marked_rows())

    def hidden_rows(self) -> list[ReviewRow]:
        """The marked rows that are not shown, by rank."""
        if not self.marked:
            return []
        hidden = self.marked - {row.id for row in self.marked_rows()}
        return sorted((self._rows[name] for name in hidden), key=lambda row: row.rank)

    def marked_rows(self) -> list[ReviewRow]:
        """The marked rows that are shown, in their order."""
        if not self.marked:
            return []
        return [self._rows[name] for name in self.shown if name in self.marked]

    def narrow(self, wanted: ListFilter) -> None:
        """Show what a filter lets through."""
        is_narrower = wanted.narrows(self.wanted)
        self.wanted = wanted
        if is_narrower:
            self.shown = wanted.narrowed(self.shown, self._rows)
        else:
            self._show()

    def sort_by(self, name: str) -> None:
        """Put the rows into another order."""
        self.sort = name
        self._order()

    def next_sort(self) -> str:
        """The order behind the one in force."""
        names = list(SORTS)
        return names[(names.index(self.sort) + 1) % len(names)]

    def write(self, names: Iterable[str]) -> None:
        """Show that verdicts on candidates are being written; until then these stay in place."""
        names = set(names)
        self.writing |= names & self._rows.keys()
        self.marked -= names

    def unmark_hidden(self, names: Iterable[str]) -> None:
        """Take marks off rows that others decided, and that are shown no longer."""
        self.marked -= {name for name in names if self.index_of(name) is None}

    def written(self, names: Iterable[str]) -> None:
        """Show of candidates no longer that something is being written."""
        self.writing.difference_update(names)

    def put(self, rows: Iterable[ReviewRow], *, is_written: bool = True, kept: str = "") -> None:
        """Show rows as they really are, or are about to be, each in its place.

        The one that is `kept` stays where somebody looks at it, whatever the filter says.
        """
        has_moved = False
        self.changes += 1
        for row in rows:
            before = self._rows.get(row.id)
            if before is None:
                continue
            self._changed[row.id] = self.changes
            if is_written:
                self.writing.discard(row.id)
            else:
                self.writing.add(row.id)
            is_kept = row.id == kept and self.index_of(kept) is not None
            self._take_out(row.id)
            self._rows[row.id] = row
            if SORTS[self.sort](row) != SORTS[self.sort](before):
                has_moved = True
            if row.is_asked:
                insort(self._asked, row.id, key=self._key)
            if is_kept or self.wanted.passes(row):
                if row.id in self.skipped:
                    self.shown.append(row.id)
                else:
                    insort(self.shown, row.id, hi=self._skipped_from(), key=self._key)
        if has_moved:
            self._orders = {}
            self._order()

    def forget_writing(self) -> None:
        """What was being written came to nothing: the next board is right."""
        self.writing.clear()
        self._changed.clear()

    def skip(self, names: Sequence[str]) -> None:
        """Put candidates behind all others."""
        for name in names:
            at = self.index_of(name)
            self.skipped.pop(name, None)
            self.skipped[name] = None
            if at is not None:
                del self.shown[at]
                self.shown.append(name)
        self.marked.difference_update(names)

    def take_back_skip(self, names: Sequence[str]) -> None:
        """Put skipped candidates where they were."""
        for name in names:
            at = self.index_of(name)
            if at is not None:
                del self.shown[at]
            self.skipped.pop(name, None)
        self.put([self._rows[name] for name in names if name in self._rows])

    def _take_out(self, name: str) -> None:
        for names, last in ((self._asked, len(self._asked)), (self.shown, self._skipped_from())):
            at = self._place(names, name, last)
            if at is not None:
                del names[at]

    def _place(self, names: list[str], name: str, last: int) -> int | None:
        """Where a name is: by its order up to a place, behind it one by one; None if nowhere."""
        row = self._rows.get(name)
        if row is None:
            return None
        at = bisect_left(names, SORTS[self.sort](row), hi=last, key=self._key)
        if at < len(names) and names[at] == name:
            return at
        return next((n for n in range(last, len(names)) if names[n] == name), None)

    def _skipped_from(self) -> int:
        """Where in what is shown those begin that were skipped."""
        at = len(self.shown)
        while at and self.shown[at - 1] in self.skipped:
            at -= 1
        return at

    def _key(self, name: str) -> Any:
        return SORTS[self.sort](self._rows[name])

    def _order(self) -> None:
        if self.sort not in self._orders:
            self._orders[self.sort] = in_order(list(self._rows.values()), self.sort)
        self._ordered = self._orders[self.sort]
        self._asked = [name for name in self._ordered if self._rows[name].is_asked]
        self._show()

    def _show(self) -> None:
        names = self._asked if self.wanted.is_open_only else self._ordered
        shown = self.wanted.narrowed(names, self._rows)
        if self.skipped:
            last = set(shown) & self.skipped.keys()
            shown = [name for name in shown if name not in last]
            shown += [name for name in self.skipped if name in last]
        self.shown = list(shown)
