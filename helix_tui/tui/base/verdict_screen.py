"""The keys that decide, for every screen that shows a candidate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from textual import on

from helix_tui.tui.actions import Action
from helix_tui.tui.base.discussing import UNTIL, note_fault, thread_of, thread_title, until_fault
from helix_tui.tui.base.own_editor import open_in_editor
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.base.verdicts_and_undo import NO_DETAILS, Verdict, VerdictDetails
from helix_tui.tui.kit.candidate_row import ReviewRow, row_of
from helix_tui.tui.kit.lines import Toned
from helix_tui.tui.kit.prompt import (
    OR_LEAVE_IT,
    PUTS_OFF_OR_CLOSES,
    SENDS_OR_CLOSES,
    Prompt,
)
from helix_tui.tui.kit.thread import Thread
from helix_tui.tui.messages import LookNeeded, VerdictRefused

if TYPE_CHECKING:
    from helix_tui.schema.board import ApprovalPreview
    from helix_tui.schema.review import Seen

_ON_CANDIDATES = frozenset(
    {
        "candidate.approve",
        "candidate.reject",
        "candidate.discuss",
        "candidate.snooze",
        "candidate.skip",
        "candidate.edit",
        "candidate.split",
        "candidate.edit_outside",
        "item.copy",
    }
)


class VerdictScreen(HelixScreen):
    """A screen on which verdicts are given; `targets` are the rows that a verdict is on."""

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self._to_look_at: list[ApprovalPreview] = []
        self._opened_by: Seen | None = None

    def seen(self) -> Seen | None:
        """What is before the reviewer; on a screen of one candidate, what was when it opened."""
        return self._opened_by or self.station.deciding.seen

    def targets(self) -> list[ReviewRow]:
        """The candidates that a key decides on, at this moment."""
        return [self.row] if self.row else []

    def decided(self, rows: list[ReviewRow], verdict: Verdict) -> None:
        """Show at once that a verdict is being written."""

    def restored(self, rows: list[ReviewRow]) -> None:
        """Show rows as they were before a verdict."""

    def refusal(self, action: Action) -> str:
        """Verdicts need something to be on."""
        if action.id in _ON_CANDIDATES and not self.targets():
            return "No candidate is selected."
        if action.id == "told.edit" and not self._is_told():
            return "No line of instructions says it already."
        return super().refusal(action)

    def _is_told(self) -> bool:
        row, _ = self.subject()
        return row is not None and row.told != "no"

    def give(
        self, verdict: Verdict, rows: list[ReviewRow], wording: VerdictDetails = NO_DETAILS
    ) -> None:
        """Have a verdict written, and show that."""
        if rows:
            seen = wording.seen or self.seen()
            self.station.deciding.give(verdict, rows, wording._replace(seen=seen))
            self.decided(rows, verdict)

    def action_approve(self) -> None:
        """Make the candidates patterns."""
        self.give("approve", self.targets())

    def action_reject(self) -> None:
        """Decide that they are not to be taught."""
        self.give("reject", self.targets())

    def action_discuss(self) -> None:
        """Show the thread on them, and ask for a note."""
        rows = self.targets()
        self._ask_and_give(
            "discuss", rows, thread_title("Discuss", rows), thread_of(rows), "note", note_fault,
            SENDS_OR_CLOSES,
        )  # fmt: skip

    def action_snooze(self) -> None:
        """Ask until when they are put off."""
        rows = self.targets()
        today = datetime.fromtimestamp(self.station.clock(), UTC).date()
        self._ask_and_give(
            "snooze", rows, thread_title("Snooze", rows), [[(f"until {UNTIL}", "dim")]], "until",
            lambda text: until_fault(text, rows, today), PUTS_OFF_OR_CLOSES,
        )  # fmt: skip

    def _ask_and_give(
        self,
        verdict: Verdict,
        rows: list[ReviewRow],
        title: str,
        thread_lines: list[list[Toned]],
        field: Literal["note", "until"],
        fault: Callable[[str], str],
        hint: str,
    ) -> None:
        unsent = self.station.deciding.unsent
        nothing = "Write a note" if field == "note" else "Say until when"
        nothing += f", {OR_LEAVE_IT}."
        thread = self.query_one(Thread)
        seen = self.seen()

        def closed() -> None:
            thread.close()
            self.prompt_closed()

        def send(text: str) -> None:
            closed()
            unsent.pop(rows[0].id, None)
            typed = text.strip()
            wording = VerdictDetails(note=typed) if field == "note" else VerdictDetails(until=typed)
            self.give(verdict, rows, wording._replace(seen=seen))

        thread.open(title, thread_lines)
        self.query_one(Prompt).ask(
            f"{field}: ", send, hint=hint, cancelled=closed,
            value=getattr(unsent.get(rows[0].id, NO_DETAILS), field),
            check=lambda text: fault(text.strip()) if text.strip() else nothing,
        )  # fmt: skip

    def action_undo(self) -> None:
        """Take back what the last key did."""
        step = self.station.deciding.undo()
        if step is not None:
            self.restored(step.before)

    def action_edit_outside(self) -> None:
        """Write the pattern up in the reviewer's own editor."""
        row, at = self.subject()
        self.push("editor", row=row, at=at, is_outside=True)

    def action_edit_told(self) -> None:
        """Open the line that already says it in the reviewer's own editor."""
        row, _ = self.subject()
        told = self.station.told.get(row.id) if row is not None else None
        if told is not None and told.lines:
            open_in_editor(self, told.lines[0].file, told.lines[0].line)

    def prompt_closed(self) -> None:
        """Give the focus back to where it was."""

    @on(VerdictRefused)
    def _on_refused(self, event: VerdictRefused) -> None:
        self.station.deciding.forget(event.candidate_ids)
        if event.news is not None:
            # It was told what changed: who decides again knows it.
            self._opened_by = None

    @on(LookNeeded)
    def _on_look_needed(self, event: LookNeeded) -> None:
        deciding = [screen for screen in self.app.screen_stack if isinstance(screen, VerdictScreen)]
        if deciding[-1:] == [self]:
            self.ask_for_look(event.preview)

    def ask_for_look(self, preview: ApprovalPreview) -> None:
        """Open the editor on what would bring words of a log along, one after the other."""
        self.station.deciding.forget([preview.reviewed.ranked.candidate.id])
        self._to_look_at.append(preview)
        if self.is_current:
            self._look_at_next()

    def on_screen_resume(self) -> None:
        """Go on to what is still to be looked at."""
        self._look_at_next()

    def _look_at_next(self) -> None:
        if self._to_look_at:
            from helix_tui.engine.review.reviewed_candidates import listed_of

            preview = self._to_look_at.pop(0)
            (row,) = self.fresh([row_of(listed_of(preview.reviewed), 0)])
            self.push("editor", row=row, preview=preview)

    def fresh(self, rows: list[ReviewRow]) -> list[ReviewRow]:
        """The rows as this screen has them."""
        return rows
