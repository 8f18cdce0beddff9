"""The transcript of a session: every event folded to a line, and what is remembered of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.transcript_view import (
    LANE,
    TranscriptHeader,
    TranscriptView,
    is_whole,
    slices_around,
    source_words,
)
from helix_tui.tui.kit.frame import PaneTitle
from helix_tui.tui.kit.prompt import FINDS_OR_CLOSES, Prompt
from helix_tui.tui.kit.session_text import remembered_words, session_words
from helix_tui.tui.messages import (
    EventsSelected,
    SessionFlushed,
    SessionRemembered,
    TranscriptOpened,
    WordsFound,
)

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.transcript import Reading, Selection

# In this order a key goes through them, and this is what each is called.
_SELECTIONS: dict[Selection, str] = {
    "told": "what was said and done",
    "errors": "what failed",
    "all": "everything",
}


class TranscriptScreen(TranscriptView):
    """One session; keys lead from prompt to prompt and from error to error, and find words."""

    SCOPE: ClassVar[str] = "transcript"
    SELECTION: ClassVar[Selection] = "told"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "unfold",
        "event.fold": "",
        "pane.leave": "back",
        "list.filter": "find",
        "occurrence.next": "next error",
        "prompt.next": "next prompt",
        "event.selection": "errors only",
        "item.copy": "copy",
        "session.pin": "",
        "sweep.start": "",
    }

    # Keys that do nothing before a session is open.
    NEED_SESSION: ClassVar[frozenset[str]] = frozenset(
        {
            "session.pin",
            "session.memory",
            "item.copy",
            "event.fold",
            "event.selection",
            "list.filter",
            "occurrence.next",
            "occurrence.previous",
            "prompt.next",
            "prompt.previous",
        }
    )

    _words = ""

    def show_opened(self, event: TranscriptOpened) -> None:
        """Show the session, and ask what is remembered of it."""
        super().show_opened(event)
        if self.reading is not None:
            self._show_where(self.reading)
        self.ask_memory()

    def _show_where(self, reading: Reading) -> None:
        """Say where the events come from, and how many of them are folded away."""
        hidden = reading.total - reading.count
        source = source_words(reading)
        if hidden:
            kind = "of the client's own" if self.selection == "told" else "without a failure"
            told = f"{plural(hidden, 'event')} {kind} folded away ({{event.selection}})"
            source += self.with_keys(f"; {told}")
        words = session_words(reading.session)
        self.query_one(TranscriptHeader).show(source, words, is_whole=is_whole(reading))

    def retitle(self) -> None:
        """Say above the events what the session is called, and what is looked for."""
        super().retitle()
        session = self.reading.session if self.reading else None
        if session is None:
            return
        title = self.query_one("#transcript-title", PaneTitle)
        name = safe_line(session.title or session.id, 100)
        title.detail = f"/{safe_line(self._words, 40)} · {name}" if self._words else name

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

    def footer_word(self, action: Action) -> str:
        """One key leads to the next place of what is looked for, or else to the next error."""
        is_next = action.id == "occurrence.next" and bool(self._words)
        return "next place" if is_next else super().footer_word(action)

    def action_next_occurrence(self) -> None:
        """The next place of what is looked for, or else the next thing that failed."""
        self._step(1)

    def action_previous_occurrence(self) -> None:
        """The place before, or else the thing that failed before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        reading, current = self.reading, self.events.current
        if reading is None or current is None:
            return
        if self._words:
            self._look(by)
        else:
            self._go(reading.next_error(current, by), "Nothing failed", by)

    def action_next_prompt(self) -> None:
        """What the person said next."""
        self._step_prompt(1)

    def action_previous_prompt(self) -> None:
        """What the person said before."""
        self._step_prompt(-1)

    def _step_prompt(self, by: int) -> None:
        reading, current = self.reading, self.events.current
        if reading is not None and current is not None:
            self._go(reading.next_prompt(current, by), "No prompt", by)

    def _go(self, event: int | None, nothing: str, by: int) -> None:
        if event is None:
            self.notify(f"{nothing} {'below' if by > 0 else 'above'}.", timeout=2, markup=False)
        else:
            self.events.go_to(event)

    def action_selection(self) -> None:
        """Show what failed alone, everything, or what was said and done."""
        reading, current = self.reading, self.events.current
        if reading is None:
            return
        at = reading.place_of(current) if current is not None and reading.count else 0
        order = list(_SELECTIONS)
        self.selection = order[(order.index(self.selection) + 1) % len(order)]
        self.say(f"Showing {_SELECTIONS[self.selection]}.", seconds=2)
        selection = self.selection

        def work() -> Message:
            chosen = reading.selected(selection)
            near = chosen.nearest(at)
            return EventsSelected(chosen, near, slices_around(chosen, near))

        self.jobs.ask("selection", work, self, LANE, is_latest_only=True)

    @on(EventsSelected)
    def _on_selected(self, event: EventsSelected) -> None:
        if self.reading is None or self.reading.session.id != event.reading.session.id:
            return
        self.show_selected(event)
        self._show_where(event.reading)

    def action_filter(self) -> None:
        """Find words in what is shown."""
        self.query_one(Prompt).ask(
            "find ", self._find, value=self._words, hint=f"words   {FINDS_OR_CLOSES}"
        )

    def _find(self, text: str) -> None:
        self._words = text.strip()
        self.set_focus(self.events)
        self.events.mark_words(self._words)
        self.retitle()
        if self._words:
            self._look(1)

    def action_leave(self) -> None:
        """Out of what is looked for first, then out of the transcript."""
        if self._words:
            self._find("")
        else:
            super().action_leave()

    def _look(self, by: int) -> None:
        """Look for the words from the cursor on; other keys go on meanwhile."""
        reading, current, words = self.reading, self.events.current, self._words
        if reading is None or current is None:
            return

        def is_over() -> bool:
            return self._words != words or self.reading is not reading or self.jobs.is_closed

        def work() -> Message | None:
            found = reading.next_with(current, by, words, is_over)
            if is_over():
                return None
            slices = {} if found is None else slices_around(reading, found)
            return WordsFound(reading, words, found, slices)

        self.jobs.ask("find", work, self, LANE, is_latest_only=True)

    @on(WordsFound)
    def _on_words(self, event: WordsFound) -> None:
        if event.reading is not self.reading or event.words != self._words:
            return
        if event.event is None:
            self.say(f"Not found: {safe_line(event.words, 60)}. {{event.selection}} shows more.")
            return
        for number, pieces in event.slices.items():
            self.events.take(number, pieces)
        self.events.unfold(event.event)
        self.events.go_to(event.event)

    def action_remember(self) -> None:
        """What is remembered of the session."""
        self.push("memory", session=self.wanted[0])
