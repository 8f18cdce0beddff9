"""The evidence of a candidate: each occurrence in its session, the event that counts marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from helix_tui.errors import HelixError
from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.transcript_view import TranscriptHeader, TranscriptView, text_of
from helix_tui.tui.base.verdict_keys import VerdictScreen
from helix_tui.tui.base.verdicts_and_undo import STAYING, Verdict
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.excerpt import (
    Occurrence,
    evidence_title,
    occurrences_of,
    shorter_titles,
)
from helix_tui.tui.kit.frame import PaneTitle
from helix_tui.tui.kit.session_text import ended_words
from helix_tui.tui.kit.transcript_rows import TranscriptRow, excerpt_piece
from helix_tui.tui.messages import EvidenceLoaded, TranscriptOpened

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.transcript import Reading, Selection


class EvidenceScreen(TranscriptView, VerdictScreen):
    """Every occurrence of one candidate; verdicts can be given here too."""

    SCOPE: ClassVar[str] = "evidence"
    # What the client noted for itself tells nothing of what went wrong.
    SELECTION: ClassVar[Selection] = "told"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "unfold",
        "event.fold": "",
        "occurrence.next": "next",
        "occurrence.previous": "previous",
        "pane.leave": "back",
        "sweep.start": "",
    }

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self._occurrences: Sequence[Occurrence] = []
        self._last: TranscriptOpened | None = None

    def on_mount(self) -> None:
        """Open the first session, once it is known where all are."""
        row = self.row
        self._opened_by = self.station.deciding.seen
        self.retitle()
        if row is None:
            self._say("No candidate is selected.")
            return
        cached = self.station.evidence.get(row.id)
        if cached is not None:
            self._begin(cached)
            return
        name, merged = row.id, row.listed.review.merged

        def read() -> Message:
            source = self.jobs.source.candidates
            candidate = source.whole(name, merged)
            excerpts: Mapping[tuple[str, int], str] = {}
            try:
                excerpts = source.excerpts(candidate)
            except HelixError as error:
                # Where they are is known: their sessions can still be looked at.
                self.jobs.fail("evidence", error.what, error.todo)
            return EvidenceLoaded(name, occurrences_of(candidate, excerpts))

        self.jobs.ask("evidence", read, self, "evidence")

    @on(EvidenceLoaded)
    def _on_evidence(self, event: EvidenceLoaded) -> None:
        self._begin(event.occurrences)

    def _begin(self, occurrences: Sequence[Occurrence]) -> None:
        if not occurrences:
            self._say("Nothing is kept of where this was seen.")
            return
        self._occurrences = occurrences
        self.at = min(self.at, len(occurrences) - 1)
        self._show()

    def _say(self, sentence: str) -> None:
        self.events.say([self.with_keys(f"{sentence} {{pane.leave}} goes back.")])

    @property
    def occurrence(self) -> Occurrence | None:
        """The occurrence that is shown."""
        return self._occurrences[self.at] if self._occurrences else None

    def _show(self) -> None:
        occurrence = self.occurrence
        if occurrence is not None:
            self._last = None
            self.retitle()
            self.open_session(occurrence.session, occurrence.fingerprint)

    def show_opened(self, event: TranscriptOpened) -> None:
        """Show the session at the event that counts, or what was kept of it."""
        reading, occurrence = event.reading, self.occurrence
        self._last = event
        if occurrence is None:
            return
        if reading is not None and event.marked is not None:
            super().show_opened(event)
            is_recalled = reading.is_recalled(event.marked)
            source = "from the agent's own log, evicted here" if is_recalled else "from the store"
            ending = ended_words(reading.session)
            self._where(source, ending, is_whole=not is_recalled)
            return
        self._show_excerpt(occurrence, reading, event.gone)

    def _show_excerpt(self, occurrence: Occurrence, reading: Reading | None, gone: str) -> None:
        row = self.row
        kind, name = (row.kind, row.listed.brief.error_class) if row else ("problem", "")
        if not occurrence.text:
            reason = safe_line(gone, 300) or "The raw is gone, here and in the agent's own log,"
            more = "and no excerpt was kept of it. {occurrence.next} shows the next occurrence."
            self.events.say([reason, self.with_keys(more)])
            self._where("nothing is left of this occurrence")
        else:
            pieces: list[TranscriptRow] = [excerpt_piece(occurrence.text, kind, name)]
            self.events.show(1, 0, {0: pieces})
            why = "the raw is gone, here and in the agent's own log" if reading else gone
            self._where(f"from the excerpt: {safe_line(why, 120)}")
        self.retitle()

    def _where(self, source: str, ending: str = "", *, is_whole: bool = False) -> None:
        about = self.row.title if self.row else ""
        self.query_one(TranscriptHeader).show(source, ending, is_whole=is_whole, about=about)

    def retitle(self) -> None:
        """Which occurrence of which candidate this is."""
        title = self.query_one("#transcript-title", PaneTitle)
        title.label = "Evidence"
        if self._occurrences:
            title.shorter = shorter_titles(self.at, self._occurrences)
            title.detail = evidence_title(self.at, self._occurrences)
        title.right = self.place()

    def place(self) -> str:
        """Where in the session the cursor stands, unless only an excerpt is there."""
        is_there = self._last is not None and self._last.marked is not None
        return super().place() if is_there else ""

    # Keys

    def refusal(self, action: Action) -> str:
        """What needs an occurrence does nothing without."""
        if action.id in ("evidence.copy", "session.pin") and self.occurrence is None:
            return "No evidence is shown."
        if action.id in ("occurrence.next", "occurrence.previous") and not self._occurrences:
            return "There is no occurrence to go to."
        return super().refusal(action)

    def action_next_occurrence(self) -> None:
        """The next occurrence, and behind the last one the first."""
        self._step(1)

    def action_previous_occurrence(self) -> None:
        """The occurrence before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._occurrences:
            self.at = (self.at + by) % len(self._occurrences)
            self._show()

    def action_copy_evidence(self) -> None:
        """Copy the event that counts, or the excerpt, made safe."""
        occurrence, marked = self.occurrence, self.events.marked
        if occurrence is None:
            return
        piece = self.events.piece(marked) if marked is not None else None
        text = text_of(piece) if piece else f"{safe(occurrence.text)}\n"
        self.app.copy_to_clipboard(f"{safe_line(occurrence.session)}\n{text}")
        self.notify("Copied the evidence.", timeout=2, markup=False)

    def action_leave(self) -> None:
        """Back to the list, which goes on with the occurrence that was looked at."""
        below = [screen for screen in self.app.screen_stack if isinstance(screen, VerdictScreen)]
        super().action_leave()
        if self.row is not None and below[:-1]:
            below[-2].came_back(self.row, self.at)

    def prompt_closed(self) -> None:
        """The events have the keys again."""
        self.set_focus(self.events)

    def decided(self, rows: list[ReviewRow], verdict: Verdict) -> None:
        """Back to the list, which shows it at once; a note leaves the evidence where it is."""
        if verdict in STAYING or self.app.screen is not self:
            return
        below = [screen for screen in self.app.screen_stack if isinstance(screen, VerdictScreen)][
            :-1
        ]
        self.app.pop_screen()
        if below:
            below[-1].decided(rows, verdict)
