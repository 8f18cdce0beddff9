"""The transcript of a session: every event folded to a line, and what is remembered of it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.message import Message

from helix_tui.tui.actions import Action
from helix_tui.tui.base.transcript_view import TranscriptHeader, TranscriptView
from helix_tui.tui.kit.session_text import remembered_words
from helix_tui.tui.messages import SessionFlushed, SessionRemembered, TranscriptOpened


class TranscriptScreen(TranscriptView):
    """One session; keys lead from error to error, and to its memory."""

    SCOPE: ClassVar[str] = "transcript"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "unfold",
        "event.fold": "",
        "pane.leave": "back",
        "session.pin": "pin",
        "item.copy": "copy",
        "occurrence.next": "next error",
        "sweep.start": "",
    }

    # Keys that do nothing before a session is open.
    NEED_SESSION: ClassVar[frozenset[str]] = frozenset(
        {
            "session.pin",
            "session.memory",
            "item.copy",
            "event.fold",
            "occurrence.next",
            "occurrence.previous",
        }
    )

    def show_opened(self, event: TranscriptOpened) -> None:
        """Show the session, and ask what is remembered of it."""
        super().show_opened(event)
        self.ask_memory()

    # Memory

    def ask_memory(self) -> None:
        """Ask what is remembered of the session."""
        name = self.wanted[0]

        def work() -> Message:
            return SessionRemembered(name, self.jobs.source.memory.of_session(name))

        if self.reading is not None:
            self.jobs.ask("memory of the session", work, self, "memory", is_latest_only=True)

    @on(SessionFlushed)
    def _on_flushed(self) -> None:
        self.ask_memory()

    @on(SessionRemembered)
    def _on_remembered(self, event: SessionRemembered) -> None:
        if event.session_id == self.wanted[0]:
            words = remembered_words(event.memory)
            key = self.with_keys("memory ({session.memory}): ")
            self.query_one(TranscriptHeader).remember(f"{key}{words}" if words else "")

    # Keys

    def refusal(self, action: Action) -> str:
        """Say that keys on a session need one."""
        if action.id in self.NEED_SESSION and self.reading is None:
            return "No session is shown."
        return super().refusal(action)

    def action_next_occurrence(self) -> None:
        """The next thing that failed."""
        self._step_error(1)

    def action_previous_occurrence(self) -> None:
        """The thing that failed before."""
        self._step_error(-1)

    def _step_error(self, by: int) -> None:
        reading, current = self.reading, self.events.current
        if reading is None or current is None:
            return
        event = reading.next_error(current, by)
        if event is None:
            where = "below" if by > 0 else "above"
            self.notify(f"Nothing failed {where}.", timeout=2, markup=False)
        else:
            self.events.go_to(event)

    def action_remember(self) -> None:
        """What is remembered of the session."""
        self.push("memory", session=self.wanted[0])
