"""The list of candidates in use: verdicts show at once, filters as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from textual import on
from textual.timer import Timer

from helix_tui.text.safe import safe_line
from helix_tui.tui.base.dialogs import QuestionScreen
from helix_tui.tui.base.verdict_keys import VerdictScreen
from helix_tui.tui.base.verdicts_and_undo import STAYING, Verdict, VerdictDetails
from helix_tui.tui.kit.candidate_row import ReviewRow, row_of
from helix_tui.tui.kit.frame import PaneTitle
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.messages import (
    LookNeeded,
    OthersDecided,
    VerdictGiven,
    VerdictRefused,
    VerdictUndone,
)
from helix_tui.tui.review.candidate_filter import ORDER_SAID, filter_mistakes, parse_filter
from helix_tui.tui.review.candidate_list import CandidateList
from helix_tui.tui.review.list_state import ListState
from helix_tui.tui.review.marks import hidden_question, marks_told, without_hidden
from helix_tui.tui.review.merging import MARK_TO_MERGE, merge_question

if TYPE_CHECKING:
    from helix_tui.schema.board import Listed, News

_MANY = 5_000
_SECONDS_TO_FILTER = 0.03
_ROOM_FOR_ORDER = 110


class TriageScreen(VerdictScreen):
    """A screen with the list of candidates under `#candidates`."""

    def __init__(self) -> None:
        super().__init__()
        self.table = ListState()
        self._filter_timer: Timer | None = None

    @property
    def candidates(self) -> CandidateList:
        """The list."""
        return self.query_one(CandidateList)

    def show_evidence(self) -> None:
        """Show what the candidate under the cursor is believed for."""

    def load_board(self) -> None:
        """Ask for the candidates as they stand."""

    def evidence_changed(self) -> None:
        """What candidates are believed for is another now: some were merged or taken apart."""

    def refill(self, wanted: str | None = None, cursor: int | None = None) -> None:
        """Draw what the table has now, with the cursor on a candidate or at a place."""
        at = self.table.index_of(wanted) if wanted else None
        self.candidates.table_changed(at if at is not None else cursor)
        self.retitle()
        self.show_evidence()
        self.keys_changed()

    def retitle(self) -> None:
        """Say above the list what is shown of how many, in which order, by which filter."""
        title = self.query_one("#candidates-title", PaneTitle)
        table = self.table
        name = self.with_keys("{pane.focus_3} Candidates")
        title.label = f"{name}  {len(table.shown):,} of {len(table):,}"
        view = f"· {table.wanted.view} · {table.sort} ▼{filter_mistakes(table.wanted)}"
        title.shorter = (f"{view}{marks_told(table, is_short=True)}",)
        title.detail = f"{view}{marks_told(table)}"
        order = ORDER_SAID.get(table.sort, "") if self.size.width >= _ROOM_FOR_ORDER else ""
        title.right = f"/{safe_line(table.wanted.text, 40)}" if table.wanted.text else order

    def targets(self) -> list[ReviewRow]:
        """The marked rows that are shown, or the one under the cursor."""
        if marked := self.table.marked_rows():
            return marked
        current = self.candidates.current
        return [current] if current else []

    def subject(self) -> tuple[ReviewRow | None, int]:
        """The candidate under the cursor and the occurrence that is shown."""
        return self.candidates.current, self.at

    def fresh(self, rows: list[ReviewRow]) -> list[ReviewRow]:
        """The rows as the list has them."""
        return [self.table.row(row.id) or row for row in rows]

    def decided(self, rows: list[ReviewRow], verdict: Verdict) -> None:
        """The rows show at once that it is being written; the cursor moves on from what it ends."""
        current = self.candidates.current
        is_staying = verdict in STAYING and current is not None
        following = current.id if is_staying and current else self._following(rows)
        self.table.write(row.id for row in rows)
        self.refill(following, self.candidates.cursor)

    def _following(self, rows: list[ReviewRow]) -> str | None:
        """The candidate that comes next behind the cursor, without some that are dealt with.

        Behind the last one that is the next one before.
        """
        names = {row.id for row in rows} | self.table.writing
        shown, cursor = self.table.shown, self.candidates.cursor
        behind = islice(shown, cursor, None)
        before = (shown[at] for at in range(min(cursor, len(shown)) - 1, -1, -1))
        return next((name for name in chain(behind, before) if name not in names), None)

    def restored(self, rows: list[ReviewRow]) -> None:
        """The rows are as they were, and the cursor is on the first of them."""
        names = [row.id for row in rows]
        if any(name in self.table.skipped for name in names):
            self.table.take_back_skip(names)
        else:
            # Since the key was pressed another board may have come, with other ranks.
            ranks = {row.id: row.rank for row in self.fresh(rows)}
            ranked = [row._replace(rank=ranks[row.id]) for row in rows]
            self.table.put(ranked, is_written=False)
        self.refill(self._first_of(names))

    def _first_of(self, names: Sequence[str]) -> str | None:
        """Of some candidates the one that stands first in the list."""
        shown = [(at, name) for name in names if (at := self.table.index_of(name)) is not None]
        return min(shown)[1] if shown else None

    def on_targets(self, do: Callable[[list[ReviewRow]], None]) -> None:
        """Do something with marked rows; whether with those that the filter hides is asked."""
        hidden = self.table.hidden_rows()
        if not hidden:
            super().on_targets(do)
            return
        shown, marked = self.targets(), self.table.marked_rows()

        def answered(is_yes: bool | None) -> None:
            if is_yes is not None:
                do([*marked, *hidden] if is_yes else shown)

        question = QuestionScreen(*hidden_question(hidden), no=without_hidden(marked))
        self.ask(question, answered)

    def action_skip(self) -> None:
        """Put rows behind all others."""
        self.on_targets(self._skip)

    def _skip(self, rows: list[ReviewRow]) -> None:
        following, cursor = self._following(rows), self.candidates.cursor
        self.table.skip([row.id for row in rows])
        self.station.deciding.skip(rows)
        self.refill(following, cursor)

    def action_merge(self) -> None:
        """Count the marked candidates as one, when somebody says so."""
        self.on_targets(lambda rows: self._merge(rows if self.table.marked else []))

    def _merge(self, rows: list[ReviewRow]) -> None:
        current = self.candidates.current
        if len(rows) == 1 and current is not None:
            # One mark and the cursor elsewhere: that one goes into the one under the cursor.
            rows = [current, *(row for row in rows if row.id != current.id)]
        if len(rows) < 2:
            self.say(MARK_TO_MERGE, severity="warning")
            return
        kept, *others = rows
        seen = self.seen()

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.station.deciding.give("merge", rows, VerdictDetails(seen=seen))
                self.table.write(row.id for row in rows)
                self.refill(kept.id)

        self.ask(QuestionScreen(*merge_question(kept, others, self.station.keymap)), answered)

    def action_split(self) -> None:
        """Take apart what was merged; what comes free is shown when it is written."""
        rows = self.targets()
        self.station.deciding.give("split", rows)
        self.table.write(row.id for row in rows)
        self.refill(self.candidates.current.id if self.candidates.current else None)

    @on(VerdictGiven)
    def _on_given(self, event: VerdictGiven) -> None:
        current = self.candidates.current
        if event.verdict in ("merge", "split"):
            self.evidence_changed()
        self._put_fresh(event)
        self.refill(current.id if current else None)

    @on(VerdictUndone)
    def _on_undone(self, event: VerdictUndone) -> None:
        rows, current = self.fresh_rows(event), self.candidates.current
        taken_back = [
            outcome.line.candidate for outcome in event.outcomes if outcome.line is not None
        ]
        # What the key put back already: whoever moved on since is not called back to it.
        is_there = self._first_of(taken_back) is not None
        if len(event.fresh) > len(event.outcomes):
            self.evidence_changed()
        self._put_fresh(event)
        if rows and event.outcomes:
            wanted = self._first_of(taken_back) or rows[0].id
            self.refill(current.id if is_there and current else wanted)
        else:
            self.refill(current.id if current else None)

    def _put_fresh(self, event: VerdictGiven | VerdictUndone) -> None:
        """Show how rows stand by what is written now, unless a later key is on them."""
        rows = self.fresh_rows(event)
        self.table.put(rows)
        deciding = self.station.deciding
        shown = {row.id for row in rows}
        unknown = [
            name
            for name in event.names
            if name not in shown and not deciding.is_overtaken(name, event.number)
        ]
        if any(name in self.table.writing for name in unknown):
            # How these stand could not be told, and what was written on them stands.
            self.table.written(unknown)
            self.load_board()

    @on(OthersDecided)
    def _on_others(self, event: OthersDecided) -> None:
        self.show_news(event.news)

    def show_news(self, news: News) -> None:
        """Show what others decided; the row under the cursor stays there, as it stands now."""
        current = self.candidates.current
        rows = self._known_rows(news.listed)
        self.evidence_changed()
        self.table.put(
            (row for row in rows if row.id not in self.table.writing),
            kept=current.id if current else "",
        )
        self.table.unmark_hidden(row.id for row in rows)
        self.station.deciding.saw(news.seen)
        self.refill(current.id if current else None)

    def _known_rows(self, listed: Sequence[Listed]) -> list[ReviewRow]:
        """Candidates as rows of this list, those that it has."""
        return [
            row_of(candidate, row.rank)
            for candidate in listed
            if (row := self.table.row(candidate.brief.id)) is not None
        ]

    def fresh_rows(self, event: VerdictGiven | VerdictUndone) -> list[ReviewRow]:
        """What a verdict made of rows that the list has, and that no later key decided on."""
        deciding = self.station.deciding
        rows = self._known_rows(event.fresh)
        return [row for row in rows if not deciding.is_overtaken(row.id, event.number)]

    @on(VerdictRefused)
    def _on_put_back(self, event: VerdictRefused) -> None:
        if event.news is not None:
            self.table.written(event.candidate_ids)
            self.show_news(event.news)
        if event.verdict == "undo":
            # How the rows stand now only the journal knows.
            self.table.forget_writing()
            self.load_board()
        elif event.news is None:
            self._put_back(event.candidate_ids)

    @on(LookNeeded)
    def _on_look(self, event: LookNeeded) -> None:
        self._put_back([event.preview.reviewed.ranked.candidate.id])

    def _put_back(self, names: Sequence[str]) -> None:
        rows = [row for name in names if (row := self.table.row(name)) is not None]
        self.table.put(row_of(row.listed, row.rank) for row in rows)
        self.refill(names[0] if names else None)

    def action_filter(self) -> None:
        """Narrow the list as somebody types."""
        before = self.table.wanted.text

        def narrow(text: str) -> None:
            if self._filter_timer is not None:
                self._filter_timer.stop()
                self._filter_timer = None
            if text == self.table.wanted.text:
                return
            current = self.candidates.current
            self.table.narrow(parse_filter(text))
            self.refill(current.id if current else None, 0)

        def typed(text: str) -> None:
            # What was typed is seen first; many rows are looked through a moment later.
            if len(self.table) < _MANY:
                narrow(text)
                return
            if self._filter_timer is not None:
                self._filter_timer.stop()
            self._filter_timer = self.set_timer(_SECONDS_TO_FILTER, lambda: narrow(text))

        def clear() -> None:
            narrow("")
            self.prompt_closed()

        def keep(text: str) -> None:
            narrow(text)
            self.prompt_closed()

        self.query_one(Prompt).ask(
            "/", keep, value=before, typed=typed, cancelled=clear,
            hint=f"words, !not, flavor: repo: kind: verdict: state:   {KEEPS_OR_CLEARS}",
        )  # fmt: skip

    def action_sort(self) -> None:
        """The next order; the cursor stays on its candidate."""
        current = self.candidates.current
        self.table.sort_by(self.table.next_sort())
        self.refill(current.id if current else None)

    def action_mark(self) -> None:
        """Mark the line; a marked line is unmarked."""
        current, marked = self.candidates.current, self.table.marked
        if current is None:
            return
        if current.id in marked:
            marked.discard(current.id)
        else:
            marked.add(current.id)
            self.candidates.range_start = current.id
        self.candidates.refresh()
        self.retitle()

    def action_mark_range(self) -> None:
        """Mark all lines from the last mark to this one."""
        current, begun = self.candidates.current, self.candidates.range_start
        if current is None:
            return
        at = self.candidates.cursor
        anchor = self.table.index_of(begun) if begun in self.table.marked else None
        low, high = sorted((at if anchor is None else anchor, at))
        self.table.marked.update(self.table.shown[low : high + 1])
        self.candidates.range_start = current.id
        self.candidates.refresh()
        self.retitle()
