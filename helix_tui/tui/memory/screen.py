"""The memory screen: daily logs, knowledge, notes, what waits and what failed, over a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message

from helix_tui.errors import HelixError
from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import Movable
from helix_tui.tui.base.transcript_view import TranscriptView
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.kit.text_pane import Line, PagePane
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.memory.keys import RememberingScreen
from helix_tui.tui.memory.messages import MemoryLoaded, MemoryPageRead
from helix_tui.tui.memory.rows import (
    MemoryRow,
    beginning_with,
    groups_of,
    memory_title,
    page_lines,
    rows_of,
    session_rows,
    spent_words,
)
from helix_tui.tui.memory.widget import MemoryList
from helix_tui.tui.messages import SourceOpened, SweepEnded

_PANES = ("memory", "memory-page")
_HINT = f"daily knowledge notes spool failure, words, !not   {KEEPS_OR_CLEARS}"
_HOOKED = ("claude", "codex", "grok")
_NOTHING = [
    "Nothing is remembered yet.",
    "`helix hooks install claude` lets an agent report the end of its sessions;",
    "{sweep.start} then takes in and flushes what ended. codex and grok go likewise.",
    "{screen.sessions} lists sessions: {session.memory}, then {memory.retry}, flushes one now.",
]


class MemoryScreen(RememberingScreen):
    """The list over the page of what is under the cursor, of all sessions or of one."""

    SCOPE: ClassVar[str] = "memory"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "page", "item.copy": "copy path", "pane.leave": "back", "sweep.start": "",
    }  # fmt: skip

    def __init__(self, row: object = None, at: int = 0, session: str = "") -> None:
        super().__init__()
        self._session = session
        self._rows: Sequence[MemoryRow] = ()
        self._spent = ""
        self._wanted = ""
        self._first = ""
        self._shown: MemoryRow | None = None

    def compose_body(self) -> ComposeResult:
        """The list over the page."""
        yield PaneTitle("Memory", id="memory-title")
        yield MemoryList(id="memory")
        yield PaneTitle("Page", "├┤", id="memory-page-title")
        yield PagePane(id="memory-page")
        yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """The list has the keys; what is remembered follows."""
        self.remembered.focus()
        if self.jobs.connection is not None:
            self.load()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The title of the focused pane stands out."""
        for name in _PANES:
            is_active = self.focused is not None and self.focused.id == name
            self.query_one(f"#{name}-title", PaneTitle).is_active = is_active
            self.query_one(f"#{name}").set_class(is_active, "-active")

    @property
    def remembered(self) -> MemoryList:
        """The list."""
        return self.query_one(MemoryList)

    @property
    def page(self) -> PagePane:
        """The page."""
        return self.query_one(PagePane)

    @property
    def current(self) -> MemoryRow | None:
        """The row under the cursor."""
        return self.remembered.current

    # Data

    @on(SourceOpened)
    @on(SweepEnded)
    def _on_changed(self) -> None:
        self.load()

    def load(self) -> None:
        """Asks for all that is remembered, or for what is of the one session."""
        session = self._session

        def read() -> Message:
            memory = self.jobs.source.memory
            if session:
                return MemoryLoaded(session_rows(session, memory.of_session(session)))
            found = memory.overview()
            return MemoryLoaded(rows_of(found), spent_words(found))

        self.jobs.ask("memory", read, self, "memory", is_latest_only=True)

    @on(MemoryLoaded)
    def _on_loaded(self, event: MemoryLoaded) -> None:
        self._rows, self._spent = event.rows, event.spent
        self.remembered.said = self._empty()
        self._show()

    def _empty(self) -> list[str]:
        if not self._session:
            return _NOTHING
        flavor = self._session.partition(":")[0]
        flavor = flavor if flavor in _HOOKED else "claude"
        return [
            "Nothing of this session was flushed yet, and it has no notes.",
            "{memory.retry} flushes what is in it now.",
            f"`helix hooks install {flavor}` lets its agent report the end of sessions.",
        ]

    def _show(self) -> None:
        before = self.current
        rows = beginning_with(self._rows, self._first)
        rows = [row for row in rows if is_fitting(row.words, self._wanted)]
        keys = [row.key for row in rows]
        at = keys.index(before.key) if before and before.key in keys else 0
        if self._wanted:
            self.remembered.said = [
                "Nothing fits the filter. {list.filter} changes it, {pane.leave} clears it."
            ]
        elif self._rows:
            self.remembered.said = []
        self.remembered.show(rows, at)
        title = self.query_one("#memory-title", PaneTitle)
        title.label = f"Memory of {safe_line(self._session, 60)}" if self._session else "Memory"
        title.detail = memory_title(self._rows, len(rows), self._spent)
        self.say_progress()
        # What the page says may have changed where the row has not.
        self._show_current(is_anew=True)

    def say_progress(self) -> None:
        """What is being done, what is looked for, or which group comes first."""
        said = f"{self._first} ▼" if self._first else ""
        said = f"/{safe_line(self._wanted, 20)}" if self._wanted else said
        said = "flushing…" if self.flushing else said
        self.query_one("#memory-title", PaneTitle).right = said
        self.keys_changed()

    @on(MemoryList.CursorMoved)
    def _on_cursor(self) -> None:
        self._show_current()

    def _show_current(self, *, is_anew: bool = False) -> None:
        row = self.current
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
        title = self.query_one("#memory-page-title", PaneTitle)
        title.detail = f"{row.group} · {row.title}" if row else ""
        self.keys_changed()

    # Keys

    def refusal(self, action: Action) -> str:
        """What needs a session, or a page, does nothing without."""
        row = self.current
        if action.id == "screen.memory" and self._session:
            return ""
        if action.id in ("pane.open", "item.copy", "pane.zoom", "list.sort") and row is None:
            return "Nothing is under the cursor."
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
            self._zoom(True)

    @on(VirtualList.Chosen)
    def _on_chosen(self) -> None:
        self.action_open()

    def _open_session(self, name: str) -> None:
        """Opens a transcript, or goes back to it where it is open below."""
        stack = self.app.screen_stack
        for back, one in enumerate(reversed(stack)):
            if isinstance(one, TranscriptView) and one.SCOPE == "transcript":
                if one.wanted[0] == name:
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
        self._session, self._wanted, self._first = "", "", ""
        self.load()

    def action_zoom(self) -> None:
        """The page on the whole screen, or both again."""
        self._zoom(not self.has_class("-reading"))

    def _zoom(self, is_whole: bool) -> None:
        self.set_class(is_whole, "-reading")
        title = self.query_one("#memory-page-title", PaneTitle)
        title.corners = "┌┐" if is_whole else "├┤"
        title.refresh()
        (self.page if is_whole else self.remembered).focus()

    def action_leave(self) -> None:
        """Out of the page, the filter, the screen, in this order."""
        if self.has_class("-reading") or self.focused is self.page:
            self._zoom(False)
        elif self._wanted:
            self._wanted = ""
            self.remembered.said = self._empty()
            self._show()
        else:
            super().action_leave()

    def action_copy(self) -> None:
        """Copies the path of a page, else the id of the session."""
        row = self.current
        if row is not None:
            said = safe_line(row.path or row.session or row.figures)
            self.app.copy_to_clipboard(said)
            self.notify(f"Copied {safe_line(said, 120)}.", timeout=2, markup=False)

    def action_sort(self) -> None:
        """Begins the list with the next group."""
        groups = groups_of(self._rows)
        first = self._first if self._first in groups else groups[0]
        self._first = groups[(groups.index(first) + 1) % len(groups)]
        self._show()
        self.remembered.move_to(0)

    def action_filter(self) -> None:
        """Narrows the list as somebody types."""

        def narrow(text: str) -> None:
            self._wanted = text.strip()
            if not self._wanted:
                self.remembered.said = self._empty()
            self._show()

        def keep(text: str) -> None:
            narrow(text)
            self.remembered.focus()

        self._zoom(False)
        self.query_one(Prompt).ask(
            "/", keep, value=self._wanted, typed=narrow, cancelled=lambda: keep(""), hint=_HINT
        )

    def moving(self) -> Movable:
        """The page where it has the keys, else the list."""
        return self.page if self.focused is self.page else self.remembered
