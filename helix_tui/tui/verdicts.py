"""The keys that decide, for every screen that shows a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.deciding import Verdict, Wording
from helix_tui.tui.messages import LookNeeded, VerdictRefused
from helix_tui.tui.rows import Row
from helix_tui.tui.screens.base import HelixScreen
from helix_tui.tui.screens.dialogs import QuestionScreen
from helix_tui.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from helix_tui.schema.board import Card

_ON_CANDIDATES = frozenset(
    {
        "candidate.approve",
        "candidate.reject",
        "candidate.discuss",
        "candidate.snooze",
        "candidate.skip",
        "candidate.edit",
        "candidate.split",
        "item.copy",
    }
)
_WAYS = "2026-12-01, 2w, 12 sessions in all, +3 more, or flavor"


class DecidingScreen(HelixScreen):
    """A screen on which verdicts are given; `targets` are the rows that a verdict is on."""

    def targets(self) -> list[Row]:
        """The candidates that a key decides on, at this moment."""
        return [self.row] if self.row else []

    def decided(self, rows: list[Row], verdict: Verdict) -> None:
        """Shows a verdict at once, before it is written."""

    def restored(self, rows: list[Row]) -> None:
        """Shows rows as they were before a verdict."""

    def refusal(self, action: Action) -> str:
        """Verdicts need something to be on."""
        if action.id in _ON_CANDIDATES and not self.targets():
            return "No candidate is selected."
        return super().refusal(action)

    def give(self, verdict: Verdict, rows: list[Row], wording: Wording = Wording()) -> None:  # noqa: B008
        """Shows a verdict and has it written."""
        if rows:
            self.station.deciding.give(verdict, rows, wording)
            self.decided(rows, verdict)

    def action_approve(self) -> None:
        """Makes the candidates patterns."""
        self.give("approve", self.targets())

    def action_reject(self) -> None:
        """Decides that they are not to be taught."""
        self.give("reject", self.targets())

    def action_discuss(self) -> None:
        """Asks for a note on them."""
        rows = self.targets()

        def send(note: str) -> None:
            self.prompt_closed()
            if note.strip():
                self.give("discuss", rows, Wording(note=note.strip()))

        self.query_one(Prompt).ask(
            f"note on {_named(rows)}: ", send, hint="enter sends, esc closes",
            cancelled=self.prompt_closed,
        )  # fmt: skip

    def action_snooze(self) -> None:
        """Asks until when they are put off."""
        rows = self.targets()

        def send(until: str) -> None:
            self.prompt_closed()
            if until.strip():
                self.give("snooze", rows, Wording(until=until.strip()))

        self.query_one(Prompt).ask(
            f"snooze {_named(rows)} until: ", send, hint=_WAYS, cancelled=self.prompt_closed
        )

    def action_undo(self) -> None:
        """Takes back what the last key did."""
        step = self.station.deciding.undo()
        if step is not None:
            self.restored(step.before)

    def prompt_closed(self) -> None:
        """Gives the focus back to where it was."""

    @on(VerdictRefused)
    def _on_refused(self, event: VerdictRefused) -> None:
        self.station.deciding.forget(event.candidate_ids)

    @on(LookNeeded)
    def _on_look_needed(self, event: LookNeeded) -> None:
        deciding = [one for one in self.app.screen_stack if isinstance(one, DecidingScreen)]
        if deciding[-1:] == [self]:
            self.ask_for_look(event.card)

    def ask_for_look(self, card: Card) -> None:
        """Shows the words of a log that would go into the catalog, and asks."""
        from helix_tui.tui.rows import row_of

        candidate = card.reviewed.ranked.candidate
        row = row_of(card.reviewed, 0)
        self.station.deciding.forget([candidate.id])
        said = [f"It would bring words of a log into the catalog ({', '.join(card.words_of_log)}):"]
        for session, text in card.origins:
            said += ["", f"{safe_line(session, 80)}", text]

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.give("approve", self.fresh([row]), Wording(is_looked_at=True))

        self.app.push_screen(QuestionScreen(f"Approve “{row.title}”?", said), answered)

    def fresh(self, rows: list[Row]) -> list[Row]:
        """The rows as this screen has them."""
        return rows


def _named(rows: list[Row]) -> str:
    return safe_line(rows[0].title, 30) if len(rows) == 1 else f"{len(rows):,} candidates"
