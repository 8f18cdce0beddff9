"""The memory screen: daily logs, knowledge, notes, what waits and what failed, over a page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from operator import attrgetter
from typing import ClassVar

from textual import on
from textual.message import Message

from helix_tui.errors import HelixError, NotFoundError
from helix_tui.schema import SessionFilter
from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.transcript_view import TranscriptView
from helix_tui.tui.kit.text_pane import Line
from helix_tui.tui.memory.keys import RememberingScreen
from helix_tui.tui.memory.messages import MemoryLoaded, MemoryPageRead
from helix_tui.tui.memory.rows import (
    MemoryRow,
    beginning_with,
    by_title,
    groups_of,
    has_no_title,
    memory_title,
    page_lines,
    rows_of,
    session_rows,
    spent_words,
)
from helix_tui.tui.memory.widget import MemoryList

_HOOKED = ("claude", "codex", "grok")
_NOTHING = [
    "Nothing is remembered yet.",
    "`helix hooks install claude` (codex, grok): the agent reports when a session",
    "ends, and {sweep.start} then takes in and flushes what ended.",
    "To flush one now: {screen.sessions}, choose it, {session.memory}, then {memory.retry}.",
]


class MemoryScreen(RememberingScreen):
    """The list over the page of what is under the cursor, of all sessions or of one."""

    SCOPE: ClassVar[str] = "memory"
    LIST, PAGE, TITLES = "memory", "memory-page", ("Memory", "Page")
    FILTER_HINT = "daily knowledge notes spool failure, words, !not"
    NEEDS_ROW = frozenset({"pane.open", "item.copy", "pane.zoom", "list.sort"})
    row_id = attrgetter("key")
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "page", "item.copy": "copy path", "pane.leave": "back", "sweep.start": "",
    }  # fmt: skip

    def __init__(self, row: object = None, at: int = 0, session: str = "") -> None:
        super().__init__()
        self._session = session
        self._spent = self._of = ""
        self._shown: MemoryRow | None = None
        self._is_read_again = False

    def new_list(self) -> MemoryList:
        """What is remembered."""
        return MemoryList(id=self.LIST)

    # Data

    def load(self) -> None:
        """Ask for all that is remembered, or for what is of the one session."""
        session = self._session

        def read() -> Message:
            memory = self.jobs.source.memory
            if session:
                rows = session_rows(session, memory.of_session(session))
                title = ""
                with suppress(NotFoundError):  # remembered, and no longer in the store
                    title = self.jobs.source.session(session).title or ""
                return MemoryLoaded(by_title(rows, {session: title}), of=title)
            overview = memory.overview()
            rows = rows_of(overview)
            if any(map(has_no_title, rows)):
                sessions = self.jobs.source.sessions(SessionFilter())
                rows = by_title(rows, {one.id: one.title or "" for one in sessions})
            return MemoryLoaded(rows, spent_words(overview))

        self.jobs.ask("memory", read, self, "memory", is_latest_only=True)

    @on(MemoryLoaded)
    def _on_loaded(self, event: MemoryLoaded) -> None:
        self.all_rows, self._spent, self._of = event.rows, event.spent, event.of
        self.row_list.is_loaded = True
        self._is_read_again = True
        self.refill()

    def no_rows(self) -> Sequence[str]:
        """Say how something comes to be remembered."""
        if not self._session:
            return _NOTHING
        flavor = self._session.partition(":")[0]
        flavor = flavor if flavor in _HOOKED else "claude"
        return [
            "Nothing of this session was flushed yet, and it has no notes.",
            "{memory.retry} flushes what is in it now.",
            f"`helix hooks install {flavor}` lets its agent report the end of sessions.",
        ]

    def arranged(self) -> Sequence[MemoryRow]:
        """The rows that fit the filter, one group before the others."""
        rows = beginning_with(self.all_rows, self.order)
        return [row for row in rows if is_fitting(row.words, self.filter_text)]

    def retitle(self, shown: int) -> None:
        """Say how many things are shown, and whose memory this is."""
        of = f" of “{safe_line(self._of or self._session, 60)}”" if self._session else ""
        self.list_title.label = f"Memory{of}"
        self.list_title.detail = memory_title(self.all_rows, shown, self._spent)

    def narrowed_by(self) -> str:
        """What is being done, what is looked for, or which group comes first."""
        return "flushing…" if self.flushing else super().narrowed_by()

    def say_progress(self) -> None:
        """Say whether something is being flushed."""
        self.list_title.right = self.narrowed_by()
        self.keys_changed()

    def show_current(self) -> None:
        """Ask for the page of the row under the cursor."""
        row, is_anew = self.current, self._is_read_again
        # What the page says may have changed where the row has not.
        self._is_read_again = False
        is_same = row is not None and self._shown is not None and row.key == self._shown.key
        if is_same and not is_anew:
            return
        self._shown = row
        if not is_same:
            self.page_read = None
        if row is None or not row.path:
            self._draw()
            return
        if not is_same:
            self._draw()
        key, path, width = row.key, row.path, self.page.scrollable_content_region.width

        def read() -> Message:
            try:
                text = self.jobs.source.memory.page(path)
            except HelixError as error:
                return MemoryPageRead(key, "", str(error), width, ())
            return MemoryPageRead(key, text, "", width, page_lines(text, width))

        self.jobs.ask("memory page", read, self, "memory page", is_latest_only=True)

    @on(MemoryPageRead)
    def _on_page(self, event: MemoryPageRead) -> None:
        if self._shown is not None and event.key == self._shown.key:
            is_kept = self.page_read is not None
            self.page_read = event
            self._draw(is_kept=is_kept)

    def _draw(self, *, is_kept: bool = False) -> None:
        row, read = self._shown, self.page_read

        def lines(width: int) -> Sequence[Line]:
            if row is None:
                return []
            if not row.path:
                hint = f"\n\n {self.with_keys(row.hint)}" if row.hint else ""
                return page_lines(row.text + hint, width)
            if read is None:
                return [[(" reading…", "dim")]]
            if read.trouble:
                return page_lines(f"# ✗ {safe_line(read.trouble, 600)}", width)
            # Laid out beside the keys, unless the width is another one by now.
            return read.lines if read.width == width else page_lines(read.text, width)

        self.page.show(lines, is_kept=is_kept)
        self.page_title.detail = f"{row.group} · {row.title}" if row else ""
        self.keys_changed()

    # Keys

    def refusal(self, action: Action) -> str:
        """What needs a session, or a page, does nothing without."""
        if action.id == "screen.memory" and self._session:
            return ""
        if action.id == "memory.retry":
            return self.no_flush()
        if action.id == "memory.edit_outside":
            return self.no_edit()
        return super().refusal(action)

    def footer_word(self, action: Action) -> str:
        """Enter leads to the page, or to the session that something is about."""
        row = self.current
        if action.id == "pane.open" and row is not None and self._leads_to_session(row):
            return "transcript"
        if action.id == "memory.retry" and row is not None and row.group == "failure":
            return "retry"
        return action.footer

    @property
    def session_here(self) -> str:
        """The session of the row, or the one that all is about."""
        row = self.current
        return row.session if row is not None and row.session else self._session

    def _leads_to_session(self, row: MemoryRow) -> bool:
        return bool(row.session) and row.group != "flush"

    def action_open(self) -> None:
        """The page on the whole screen, or the transcript of the session that it is about."""
        row = self.current
        if row is None:
            return
        if self._leads_to_session(row):
            self._open_session(row.session)
        else:
            self.read_page(True)

    def _open_session(self, name: str) -> None:
        """Open a transcript, or go back to it where it is open below."""
        stack = self.app.screen_stack
        for back, screen in enumerate(reversed(stack)):
            if isinstance(screen, TranscriptView) and screen.SCOPE == "transcript":
                if screen.wanted[0] == name:
                    for _ in range(back):
                        self.app.pop_screen()
                    return
                break
        self.push("transcript", session=name)

    def open_screen(self, name: str) -> None:
        """The memory of one session widens to that of all."""
        if name != self.SCOPE:
            super().open_screen(name)
            return
        self._session = self.filter_text = self.order = ""
        self.load()

    def action_zoom(self) -> None:
        """The page on the whole screen, or both again."""
        self.read_page(not self.has_class("-reading"))

    def action_copy(self) -> None:
        """Copy the path of a page, else the id of the session."""
        row = self.current
        if row is not None:
            text = safe_line(row.path or row.session or row.figures)
            self.copy(text, safe_line(text, 120))

    def action_sort(self) -> None:
        """Begin the list with the next group."""
        groups = groups_of(self.all_rows)
        first = self.order if self.order in groups else groups[0]
        self.order = groups[(groups.index(first) + 1) % len(groups)]
        self.refill()
        self.row_list.move_to(0)
