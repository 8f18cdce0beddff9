"""The keys that decide, for every screen that shows a candidate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from textual import on
from textual.message import Message

from helix_tui.tui.actions import Action
from helix_tui.tui.base.own_editor import open_in_editor
from helix_tui.tui.base.picker import Choice, PickerScreen
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.base.verdict_prompts import (
    REASON_KEYS,
    UNTIL,
    note_fault,
    reasons_told,
    thread_of,
    thread_title,
    until_fault,
)
from helix_tui.tui.base.verdicts_and_undo import NO_DETAILS, Verdict, VerdictDetails
from helix_tui.tui.kit.candidate_row import ReviewRow, row_of
from helix_tui.tui.kit.lines import Toned
from helix_tui.tui.kit.prompt import (
    OR_LEAVE_IT,
    PUTS_OFF_OR_CLOSES,
    REJECTS_OR_CLOSES,
    SENDS_OR_CLOSES,
    Prompt,
)
from helix_tui.tui.kit.thread import Thread
from helix_tui.tui.messages import Fact, LookNeeded, VerdictRefused

if TYPE_CHECKING:
    from helix_tui.schema.board import ApprovalPreview
    from helix_tui.schema.review import RejectReason, Seen

_ON_CANDIDATES = frozenset(
    {
        "candidate.approve",
        "candidate.approve_into",
        "candidate.reject",
        "candidate.reject_why",
        "candidate.discuss",
        "candidate.snooze",
        "candidate.skip",
        "candidate.edit",
        "candidate.split",
        "candidate.edit_outside",
        "item.copy",
    }
)


class PatternsRead(Fact):
    """The patterns that a candidate may go into, for the picker that asks."""

    def __init__(self, picker: PickerScreen, choices: list[Choice]) -> None:
        super().__init__()
        self.picker = picker
        self.choices = choices


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

    def on_targets(self, do: Callable[[list[ReviewRow]], None]) -> None:
        """Do something with the candidates that a key is on."""
        if rows := self.targets():
            do(rows)

    def action_approve(self) -> None:
        """Make the candidates patterns."""
        self.on_targets(lambda rows: self.give("approve", rows))

    def action_reject(self) -> None:
        """Decide that they are not to be taught."""
        self.on_targets(lambda rows: self.give("reject", rows))

    def action_reject_why(self) -> None:
        """Ask why they are not to be taught: a digit says it at once, words with enter."""
        self.on_targets(self._ask_why)

    def _ask_why(self, rows: list[ReviewRow]) -> None:
        thread, prompt, seen = self.query_one(Thread), self.query_one(Prompt), self.seen()

        def reject(reason: RejectReason, note: str = "") -> None:
            closed()
            self.give("reject", rows, VerdictDetails(note=note, reason=reason, seen=seen))

        def typed(text: str) -> None:
            if text in REASON_KEYS:
                prompt.close()
                reject(REASON_KEYS[text])

        def closed() -> None:
            thread.close()
            self.prompt_closed()

        thread.open(thread_title("Reject", rows), [[(reasons_told(), "plain")]])
        prompt.ask(
            "why: ", lambda text: reject("other", text.strip()), typed=typed, cancelled=closed,
            check=lambda text: note_fault(text) if text.strip() else f"Say why, {OR_LEAVE_IT}.",
            hint=REJECTS_OR_CLOSES,
        )  # fmt: skip

    def action_approve_into(self) -> None:
        """Ask for a pattern that the candidates are to go into."""
        self.on_targets(self._ask_pattern)

    def _ask_pattern(self, rows: list[ReviewRow]) -> None:
        seen = self.seen()

        def load(picker: PickerScreen) -> None:
            def read() -> Message:
                from helix_tui.engine.catalog.catalog_reader import CatalogReader

                found = CatalogReader(self.jobs.source.config).listing().patterns.values()
                return PatternsRead(
                    picker,
                    [
                        Choice(one.id, one.title, f"{one.status}, {one.id}")
                        for one in sorted(found, key=lambda one: one.title.lower())
                        if one.status != "deprecated"
                    ],
                )

            self.jobs.ask("patterns", read, self, "catalog")

        def picked(name: str | None) -> None:
            self.prompt_closed()
            if name:
                self.give("approve", rows, VerdictDetails(into=name, seen=seen))

        title = thread_title("Approve into a pattern:", rows)
        none = "No pattern of the catalog fits."
        empty = self.with_keys("The catalog is empty: {candidate.approve} makes a pattern of it.")
        self.app.clear_notifications()
        self.app.push_screen(PickerScreen(title, None, none, load, empty=empty), picked)

    @on(PatternsRead)
    def _on_patterns(self, event: PatternsRead) -> None:
        if event.picker.is_attached:
            event.picker.offer(event.choices)

    def action_discuss(self) -> None:
        """Show the thread on them, and ask for a note."""
        self.on_targets(self._discuss)

    def _discuss(self, rows: list[ReviewRow]) -> None:
        self._ask_and_give(
            "discuss", rows, thread_title("Discuss", rows), thread_of(rows), "note", note_fault,
            SENDS_OR_CLOSES,
        )  # fmt: skip

    def action_snooze(self) -> None:
        """Ask until when they are put off."""
        self.on_targets(self._snooze)

    def _snooze(self, rows: list[ReviewRow]) -> None:
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
            # One that only a log recorded cannot be opened.
            there = (one for one in told.lines if one.state != "recorded")
            line = next(there, told.lines[0])
            open_in_editor(self, line.file, line.line)

    def came_back(self, row: ReviewRow, at: int) -> None:
        """Somebody left the evidence of a candidate at one of its occurrences."""

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
