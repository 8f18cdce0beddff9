"""A session's events, read as they come into sight: what transcript and evidence share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from helix_tui.errors import HelixError
from helix_tui.text.safe import safe_line
from helix_tui.tui.base.pinning import pin_session, say_pinned
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.lines import Lines, fit
from helix_tui.tui.kit.session_text import session_words
from helix_tui.tui.kit.transcript_list import SLICE, TranscriptList
from helix_tui.tui.kit.transcript_rows import TranscriptRow, piece_of
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import (
    EventsSelected,
    SessionPinned,
    SliceRead,
    TranscriptOpened,
)

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.transcript import Reading, Selection

LANE = "transcript"
_NO_EVENT = -1


class TranscriptHeader(Lines):
    """Where what is shown comes from, and what is known of its session."""

    def __init__(self) -> None:
        super().__init__(id="where")
        self._said: list[tuple[str, str]] = []
        self._about = ""
        self._remembered = ""

    def show(self, source: str, known: str, *, is_whole: bool, about: str = "") -> None:
        """Say it, behind the candidate that it is evidence of."""
        self._said = [(f" {source}", "dim" if is_whole else "warn"), (f"  {known}", "dim")]
        self._about = about
        self.refresh()

    def remember(self, text: str) -> None:
        """Say below it what is remembered of the session, where that is anything."""
        self._remembered = text
        self.set_class(bool(text), "-remembered")
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The line, and what is remembered below it."""
        if not self._said:
            return []
        return [self._line(width), [(fit(f" {self._remembered}", width), "accent")]]

    def _line(self, width: int) -> list[tuple[str, str]]:
        (source, tone), (known, dim) = self._said
        room = max(1, width - cell_len(source))
        if not self._about:
            return [(source, tone), (fit(_whole_parts(known, room), room), dim)]
        room -= min(cell_len(known), room - 1)
        about = f" {self._about} "
        about = about if cell_len(about) <= room else fit(about, room)
        return [(about, "strong"), (source, tone), (known, dim)]


def _whole_parts(known: str, room: int) -> str:
    """As many of the parts that dots part as there is room for: half a figure tells nothing."""
    parts = known.split(" · ")
    while len(parts) > 1 and cell_len(" · ".join(parts)) > room:
        parts.pop()
    return " · ".join(parts)


class TranscriptView(HelixScreen):
    """A screen that shows one session, at an event or from its beginning."""

    # What is shown of a session before somebody asks for more or less.
    SELECTION: ClassVar[Selection] = "all"

    def __init__(
        self, row: ReviewRow | None = None, at: int = 0, session: str = "", ts: int | None = None
    ) -> None:
        super().__init__(row, at)
        self.selection: Selection = self.SELECTION
        self.wanted: tuple[str, int] = (session, _NO_EVENT)
        self._ts = ts
        self._reading: Reading | None = None
        self._is_gone = False

    @property
    def events(self) -> TranscriptList:
        """The transcript."""
        return self.query_one(TranscriptList)

    @property
    def reading(self) -> Reading | None:
        """The session that is shown, once it is open."""
        return self._reading

    def compose_body(self) -> ComposeResult:
        """The events in a frame, with where they come from below the title."""
        with Vertical(id="transcript-column"):
            yield PaneTitle(self.SCOPE.title(), id="transcript-title")
            yield TranscriptHeader()
            yield TranscriptList(id="transcript")
            yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """Events have the keys; they follow the first frame."""
        self.query_one("#transcript-title", PaneTitle).is_active = True
        self.set_focus(self.events)
        if self.wanted[0]:
            self.retitle()
            self.open_session(*self.wanted)

    def on_unmount(self) -> None:
        """Let go of the session."""
        self._is_gone = True
        self._let_go(self._reading)

    def open_session(self, session: str, fingerprint: int = _NO_EVENT) -> None:
        """Open a session at an event; what was opened before is let go."""
        wanted = self.wanted = session, fingerprint

        def work() -> Message:
            return self._opened(wanted)

        self.jobs.ask("transcript", work, self, LANE, is_latest_only=True)

    def _opened(self, wanted: tuple[str, int]) -> TranscriptOpened:
        name, fingerprint = wanted
        try:
            reading = self.jobs.source.open_transcript(name)
        except HelixError as error:
            return TranscriptOpened(wanted, None, None, {}, f"{error.what} {error.todo}".strip())
        reading = reading.selected(self.selection)
        marked = self._marked_in(reading, fingerprint)
        if marked is None and (fingerprint != _NO_EVENT or self._ts is not None):
            # What is looked for is shown, whatever else is folded away.
            reading = reading.selected("all")
            marked = self._marked_in(reading, fingerprint)
        return TranscriptOpened(wanted, reading, marked, slices_around(reading, marked or 0))

    def _marked_in(self, reading: Reading, fingerprint: int) -> int | None:
        if fingerprint != _NO_EVENT:
            return reading.find(fingerprint)
        return reading.find_time(self._ts) if self._ts is not None else None

    @on(TranscriptOpened)
    def _on_opened(self, event: TranscriptOpened) -> None:
        if event.wanted != self.wanted or self._is_gone:
            self._let_go(event.reading)
            return
        if self._reading is not event.reading:
            self._let_go(self._reading)
        self._reading = event.reading
        self.show_opened(event)
        self.keys_changed()

    def _let_go(self, reading: Reading | None) -> None:
        if reading is not None:
            self.jobs.do("close the transcript", reading.close, LANE)

    def show_opened(self, event: TranscriptOpened) -> None:
        """Show what was opened, or why nothing was."""
        reading, where = event.reading, self.query_one(TranscriptHeader)
        if reading is None:
            self.events.say([safe_line(event.gone, 300), self.with_keys("{pane.leave} goes back.")])
            where.show("nothing to show", "", is_whole=False)
            return
        where.show(
            source_words(reading), session_words(reading.session), is_whole=is_whole(reading)
        )
        if reading.count:
            self.events.show(reading.count, event.marked, event.slices)
        else:
            self.events.say(
                [
                    "The raw of this session is gone, here and in the agent's own log.",
                    "What was distilled of it is kept: `helix show` tells.",
                    self.with_keys("{pane.leave} goes back."),
                ]
            )
        self.retitle()

    def show_selected(self, event: EventsSelected) -> None:
        """Show other events of the session that is open."""
        self._reading = event.reading
        if event.reading.count:
            self.events.show(event.reading.count, None, event.slices)
            self.events.go_to(event.at)
        else:
            self.events.say(
                ["Nothing failed in this session.", self.with_keys("{event.selection} shows all.")]
            )
        self.retitle()

    def retitle(self) -> None:
        """Say above the events which session this is, and where in it the cursor stands."""
        title = self.query_one("#transcript-title", PaneTitle)
        title.detail = safe_line(self.wanted[0], 80)
        title.right = self.place()

    def place(self) -> str:
        """Where in the session the cursor stands."""
        current, reading = self.events.current, self._reading
        if current is None or reading is None:
            return ""
        return f"event {reading.place_of(current) + 1:,} of {reading.total:,}"

    @on(VirtualList.CursorMoved)
    def _on_cursor(self) -> None:
        self.query_one("#transcript-title", PaneTitle).right = self.place()

    @on(TranscriptList.SliceWanted)
    def _on_wanted(self, event: TranscriptList.SliceWanted) -> None:
        reading, number = self._reading, event.number
        if reading is None:
            return

        def work() -> Message | None:
            if self._reading is not reading or self._is_gone:
                return None
            return SliceRead(reading, number, self.pieces(reading, number))

        self.jobs.ask("transcript slice", work, self, LANE)

    def pieces(self, reading: Reading, number: int) -> Sequence[TranscriptRow]:
        """The events of a slice; asked for in a job."""
        return _pieces(reading, number)

    @on(SliceRead)
    def _on_slice(self, event: SliceRead) -> None:
        if event.reading is self._reading:
            self.events.take(event.number, event.pieces)

    # Keys

    def moving(self) -> Movable | None:
        """Cursor keys move in the events."""
        return self.events

    def action_fold(self) -> None:
        """Unfold the event under the cursor, or fold it."""
        self.events.toggle()

    def action_open(self) -> None:
        """Into an event: unfolds it."""
        self.events.toggle()

    def action_copy(self) -> None:
        """Copy the event under the cursor, made safe."""
        current = self.events.current
        piece = self.events.piece(current) if current is not None else None
        if piece is not None:
            self.app.copy_to_clipboard(text_of(piece))
            self.notify("Copied the event.", timeout=2, markup=False)

    def action_pin(self) -> None:
        """Keep the raw bytes of the session, or no longer."""
        pin_session(self, self.wanted[0])

    @on(SessionPinned)
    def _on_pinned(self, event: SessionPinned) -> None:
        say_pinned(self, event)


def slices_around(reading: Reading, event: int) -> dict[int, Sequence[TranscriptRow]]:
    """The slice that an event is in, and those beside it; asked for in a job."""
    number = event // SLICE
    return {
        at: _pieces(reading, at)
        for at in (number - 1, number, number + 1)
        if 0 <= at * SLICE < reading.count
    }


def _pieces(reading: Reading, number: int) -> list[TranscriptRow]:
    start = number * SLICE
    return [piece_of(step) for step in reading.steps(start, min(start + SLICE, reading.count))]


def is_whole(reading: Reading) -> bool:
    """Whether all of a session is in the store."""
    return not reading.recalled and not reading.missing


def source_words(reading: Reading) -> str:
    """Where the events come from."""
    if is_whole(reading):
        return "from the store"
    parts = []
    if reading.recalled:
        parts.append(f"{reading.recalled:,} events evicted, read again from the agent's own log")
    if reading.missing:
        parts.append(f"{reading.missing:,} events are gone")
    return "; ".join(parts)


def text_of(piece: TranscriptRow) -> str:
    """All that is shown of an event, as text."""
    head = " ".join(part for part in (piece.at, piece.who, piece.sign.strip()) if part)
    return "\n".join([head, *(line for line, _ in piece.body)]) + "\n"
