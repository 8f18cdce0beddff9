"""What is shown of the candidate under the cursor: its evidence, and what approving it writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.timer import Timer

from helix_tui.errors import HelixError, NotFoundError
from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.base.dialogs import TextScreen
from helix_tui.tui.base.pinning import pin_session, say_pinned
from helix_tui.tui.base.verdicts_and_undo import Verdict, VerdictDetails
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.excerpt import (
    Occurrence,
    evidence_title,
    occurrences_of,
    shorter_titles,
)
from helix_tui.tui.kit.frame import PaneTitle
from helix_tui.tui.kit.lines import READING, UNREAD
from helix_tui.tui.messages import (
    EvidenceLoaded,
    SessionPinned,
    VerdictGiven,
    VerdictUndone,
)
from helix_tui.tui.review.candidate_list import CandidateList
from helix_tui.tui.review.draft_pane import DraftPane
from helix_tui.tui.review.draft_text import Draft, draft_of
from helix_tui.tui.review.evidence_pane import EvidencePane
from helix_tui.tui.review.list_keys import TriageScreen
from helix_tui.tui.review.messages import DraftLoaded
from helix_tui.tui.review.why_text import LABEL
from helix_tui.yielding import give_way

if TYPE_CHECKING:
    from helix_tui.tui.ports import CandidatesPort

# What is read beforehand: so many rows behind the cursor, and so many before it.
_AHEAD, _BACK = 6, 2
_KEPT_DRAFTS = 256
_SECONDS_TO_REST = 0.06


class CursorScreen(TriageScreen):
    """A list with the evidence and the draft of the candidate under its cursor."""

    def __init__(self) -> None:
        super().__init__()
        self._shown_id = ""
        self._asked_id = ""  # whose evidence is being read
        self._drafts: dict[str, Draft] = {}
        # How often drafts were asked for, and which of them hold: a verdict may change all.
        self._around_timer: Timer | None = None
        self._asked_drafts = 0
        self._drafts_from = 0

    @on(CandidateList.CursorMoved)
    def _on_cursor(self) -> None:
        self.show_evidence()

    @on(CandidateList.Chosen)
    def _on_chosen(self) -> None:
        self.open_screen("evidence")

    def show_evidence(self) -> None:
        """Show what is known, and ask for what is not."""
        row = self.candidates.current
        name = row.id if row else ""
        if name != self._shown_id:
            self._shown_id, self.at = name, 0
        elif row is not None and row.id in self.station.evidence and name in self._drafts:
            return
        self.query_one(EvidencePane).waiting = self.query_one(DraftPane).waiting = READING
        self._draw_evidence()
        self._draw_draft()
        if row is None:
            return
        if row.id not in self.station.evidence and name != self._asked_id:
            self._read_evidence(row)
        self._read_around_soon()

    def _read_evidence(self, row: ReviewRow) -> None:
        name, merged = row.id, row.listed.review.merged
        self._asked_id = name

        def read() -> Message:
            return EvidenceLoaded(name, _occurrences(self.jobs.source.candidates, name, merged))

        self.jobs.ask("evidence", read, self, "evidence", is_latest_only=True)

    def _unread_around(self) -> list[str]:
        """The rows at which the next keys may come, where enough of them are to be read."""
        cursor, shown = self.candidates.cursor, self.table.shown
        around = [*shown[cursor : cursor + _AHEAD], *shown[max(0, cursor - _BACK) : cursor]]
        names = [name for name in around if name not in self._drafts]
        # Most of what is around was read when the cursor was a few rows before.
        is_enough = around and (around[0] not in self._drafts or len(names) >= _AHEAD // 2)
        return names if is_enough else []

    def _read_around_soon(self) -> None:
        """Read what is around the cursor once it rests: while keys come, nothing runs beside."""
        if self._around_timer is not None:
            self._around_timer.stop()
            self._around_timer = None
        if self._unread_around():
            self._around_timer = self.set_timer(_SECONDS_TO_REST, self._read_around)

    def _read_around(self) -> None:
        """Have drafts and evidence read of the rows at which the next keys may come."""
        self._around_timer = None
        names = self._unread_around()
        if not names:
            return
        self._asked_drafts += 1
        number = self._asked_drafts
        evidence = self.station.evidence
        merged = {
            name: row.listed.review.merged
            for name in names
            if name not in evidence and (row := self.table.row(name)) is not None
        }

        def read() -> None:
            source = self.jobs.source
            folder = source.config.curate.catalog_dir
            for name, preview in source.verdicts.previews(names):
                if isinstance(preview, HelixError):
                    draft = Draft(name, f"Nothing can be written of it: {preview}")
                else:
                    draft = draft_of(name, preview, folder)
                self.post_message(DraftLoaded(draft, number))
                give_way()
                if self._asked_drafts != number or self.jobs.is_closed:
                    return  # the cursor is elsewhere by now
            for name in names[1:]:
                if name in merged and self._asked_drafts == number and not self.jobs.is_closed:
                    occurrences = _occurrences(source.candidates, name, merged[name])
                    self.post_message(EvidenceLoaded(name, occurrences))

        self.jobs.do("drafts", read, "drafts", is_latest_only=True, asker=self)

    @on(DraftLoaded)
    def _on_draft(self, event: DraftLoaded) -> None:
        if event.number < self._drafts_from:
            return  # read before a verdict that may have made it another
        if len(self._drafts) >= _KEPT_DRAFTS:
            del self._drafts[next(iter(self._drafts))]
        self._drafts[event.draft.name] = event.draft
        if event.draft.told is not None:
            self.station.told[event.draft.name] = event.draft.told
        if event.draft.name == self._shown_id:
            self._draw_draft()

    @on(VerdictGiven)
    @on(VerdictUndone)
    def _on_written(self, event: VerdictGiven | VerdictUndone) -> None:
        # A pattern that was approved meanwhile may take in what comes next.
        if any(outcome.patterns for outcome in event.outcomes):
            self.drafts_changed()

    def drafts_changed(self) -> None:
        """Read drafts again; until then what is shown stays on the screen."""
        self._drafts.clear()
        self._drafts_from = self._asked_drafts + 1
        if self._shown_id:
            self._read_around_soon()

    def unread(self) -> None:
        """Say of evidence and draft, too, that nothing is to be waited for."""
        self._asked_id = ""
        unread = self.with_keys(UNREAD)
        self.query_one(EvidencePane).waiting = self.query_one(DraftPane).waiting = unread
        self._draw_evidence()
        self._draw_draft()

    def evidence_changed(self) -> None:
        """Read again what is shown."""
        self.station.evidence.clear()
        self.station.told.clear()
        self._shown_id = self._asked_id = ""
        self.drafts_changed()

    @on(EvidenceLoaded)
    def _on_evidence(self, event: EvidenceLoaded) -> None:
        self.station.evidence[event.candidate_id] = event.occurrences
        if event.candidate_id == self._asked_id:
            self._asked_id = ""
        if event.candidate_id == self._shown_id:
            self._draw_evidence()

    def _draw_evidence(self) -> None:
        row = self.candidates.current
        occurrences = self.station.evidence.get(row.id) if row else None
        cut = row.title if row is not None and self.candidates.cuts(row) else ""
        self.query_one(EvidencePane).show(row, occurrences, self.at, cut)
        self.title_evidence()

    def title_evidence(self) -> None:
        """Say above the evidence which occurrence it is; how it stands, where there is room."""
        row = self.candidates.current
        occurrences = self.station.evidence.get(row.id) if row else None
        title = self.query_one("#evidence-title", PaneTitle)
        title.shorter = shorter_titles(self.at, occurrences or ())
        title.detail = evidence_title(self.at, occurrences or ())
        is_short = self.has_class("-small") and not self.has_class("-stacked")
        title.right = f"{row.state} {row.trend}".rstrip() if row and not is_short else ""

    def _draw_draft(self) -> None:
        row, pane = self.candidates.current, self.query_one(DraftPane)
        draft = self._drafts.get(row.id) if row else None
        if row is None:
            pane.show_nothing()
        elif draft is not None or not pane.is_of(row.id):
            pane.show_draft(draft)
        effects = (draft.effect, draft.short_effect) if draft and draft.page else ("", "")
        told = [
            self.with_keys(f"{{candidate.approve}} writes {one}") if one else "" for one in effects
        ]
        title = self.query_one("#draft-title", PaneTitle)
        title.detail, title.shorter = told[0], told[1:]

    def give(
        self, verdict: Verdict, rows: list[ReviewRow], wording: VerdictDetails | None = None
    ) -> None:
        """Have a verdict written; whose draft was on the screen was looked at."""
        wording = wording or VerdictDetails()
        is_plain = not wording.is_looked_at and not wording.into
        if verdict == "approve" and len(rows) == 1 and is_plain:
            page = self.query_one(DraftPane).page_seen(rows[0].id)
            wording = wording._replace(is_looked_at=bool(page), shown=page)
        super().give(verdict, rows, wording)

    def action_why(self) -> None:
        """Say why the candidate stands where it does."""
        row = self.candidates.current
        draft = self._drafts.get(row.id) if row else None
        if row is None or draft is None:
            self.say("It is being read.")
            return
        self.app.clear_notifications()
        self.app.push_screen(
            TextScreen(f"Why here  {row.title}", draft.why or [draft.refused], label=LABEL)
        )

    def _occurrence(self) -> Occurrence | None:
        occurrences = self.station.evidence.get(self._shown_id)
        return occurrences[self.at] if occurrences else None

    def action_next_occurrence(self) -> None:
        """The next occurrence, and behind the last one the first."""
        self._step_occurrence(1)

    def action_previous_occurrence(self) -> None:
        """The occurrence before."""
        self._step_occurrence(-1)

    def _step_occurrence(self, by: int) -> None:
        occurrences = self.station.evidence.get(self._shown_id)
        if occurrences:
            self.at = (self.at + by) % len(occurrences)
            self._draw_evidence()

    def came_back(self, row: ReviewRow, at: int) -> None:
        """Show the occurrence that was looked at last."""
        if row.id == self._shown_id:
            self.at = at
            self._draw_evidence()

    def action_copy(self) -> None:
        """Copy the candidate's id, by which every command knows it."""
        if (row := self.candidates.current) is not None:
            self.app.copy_to_clipboard(safe_line(row.id))
            self.notify(f"Copied {safe_line(row.id, 60)}.", timeout=2, markup=False)

    def action_copy_evidence(self) -> None:
        """Copy the excerpt that is shown, made safe."""
        if (occurrence := self._occurrence()) is not None:
            self.app.copy_to_clipboard(
                f"{safe_line(occurrence.session)}\n{safe(occurrence.text)}\n"
            )
            self.notify("Copied the evidence.", timeout=2, markup=False)

    def action_pin(self) -> None:
        """Keep the raw bytes of the session that is shown, or no longer."""
        if (occurrence := self._occurrence()) is not None:
            pin_session(self, occurrence.session)

    @on(SessionPinned)
    def _on_pinned(self, event: SessionPinned) -> None:
        say_pinned(self, event)


def _occurrences(source: CandidatesPort, name: str, merged: Sequence[str]) -> list[Occurrence]:
    try:
        candidate = source.whole(name, merged)
    except NotFoundError:
        return []  # a sweep has just made another of it
    return occurrences_of(candidate, source.excerpts(candidate))
