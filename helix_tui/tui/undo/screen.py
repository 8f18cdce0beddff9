"""The last verdicts, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.kit.candidate_row import WRITING_SIGN
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.lines import strip_of
from helix_tui.tui.kit.side_pane import SideView
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import VerdictRefused, VerdictUndone
from helix_tui.tui.undo.messages import RestoredLoaded, UndoableLoaded
from helix_tui.tui.undo.rows import restored_lines, verdict_line

if TYPE_CHECKING:
    from helix_tui.engine.review.undo_preview import Restored
    from helix_tui.schema.review import JournalLine

_MOST = 10
_FOOTER = {
    "verdict.undo": "take back",
    "item.copy": "copy",
    "pane.leave": "leave",
    "app.help": "help",
    "app.commands": "commands",
}


class VerdictList(VirtualList):
    """Verdicts, the newest first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.verdicts: Sequence[tuple[JournalLine, str]] = ()
        self.writing: set[str] = set()
        self.is_loaded = False

    @property
    def current(self) -> tuple[JournalLine, str] | None:
        """The verdict under the cursor."""
        return self.verdicts[self.cursor] if self.cursor < len(self.verdicts) else None

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        if not self.is_loaded:
            return ["", f"  {self.waiting}"]
        return ["", "  There is no verdict to take back. {pane.leave} leads to the list."]

    def row_key(self, index: int) -> Hashable:
        """A verdict never changes; that it is taken back is being written, or is not."""
        name = self.verdicts[index][0].id
        return name, name in self.writing

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """When, what, on what, by whom."""
        line, title = self.verdicts[index]
        sign = WRITING_SIGN if line.id in self.writing else ""
        spans = verdict_line(line, title, width, sign, is_cursor=is_cursor)
        if is_cursor:
            spans = [(text, "cursor") for text, _ in spans]
        return strip_of(self, spans, width)


class UndoScreen(HelixScreen):
    """The last ten verdicts, with what taking each of them back would restore."""

    SCOPE: ClassVar[str] = "undo"

    def compose_body(self) -> ComposeResult:
        """The verdicts over what the one under the cursor changed."""
        with Vertical(id="undo"):
            yield PaneTitle("Last verdicts", id="verdicts-title")
            yield VerdictList(id="verdicts")
            yield PaneTitle("Taking it back", "├┤", id="restored-title")
            yield SideView(id="restored")
            yield PaneBottom()

    def footer(self) -> KeyFooter:
        """What there is to do here."""
        return KeyFooter(self.SCOPE, self.station.keymap, self.refusal, _FOOTER, is_only=True)

    def on_mount(self) -> None:
        """The list has the keys."""
        self.query_one("#verdicts-title", PaneTitle).is_active = True
        self.query_one(VerdictList).focus()
        self._load()

    def refusal(self, action: Action) -> str:
        """Nothing can be taken back where nothing is."""
        needs_verdict = action.id in ("verdict.undo", "pane.open", "item.copy")
        if needs_verdict and self.query_one(VerdictList).current is None:
            return "There is no verdict to take back."
        return super().refusal(action)

    def moving(self) -> Movable | None:
        """Cursor keys move in the list unless the other pane has the focus."""
        return super().moving() or self.query_one(VerdictList)

    def _load(self) -> None:
        def read() -> Message:
            verdicts = self.jobs.source.verdicts
            lines = verdicts.undoable(_MOST)
            found = verdicts.listed(list(dict.fromkeys(line.candidate for line in lines)))
            titles = {
                name: one.brief.title
                for one in found
                for name in (one.brief.id, *one.brief.aliases)
            }
            return UndoableLoaded(
                [(line, titles.get(line.candidate, line.candidate)) for line in lines]
            )

        # Behind the verdicts that were given before.
        self.jobs.ask("verdicts", read, self, "verdicts")

    @on(UndoableLoaded)
    def _on_loaded(self, event: UndoableLoaded) -> None:
        rows = self.query_one(VerdictList)
        current = rows.current
        rows.verdicts, rows.is_loaded = event.verdicts, True
        names = [line.id for line, _ in event.verdicts]
        rows.writing.intersection_update(names)
        rows.redraw()
        # Whoever moved on stays where they are, however many rows above went.
        is_there = current is not None and current[0].id in names
        rows.rows_changed(len(names), names.index(current[0].id) if is_there and current else None)
        self.query_one("#verdicts-title", PaneTitle).detail = f"· {len(event.verdicts)}"
        if not event.verdicts:
            self.query_one(SideView).show(lambda _: ())
        self.keys_changed()

    @on(VirtualList.CursorMoved)
    def _on_cursor(self) -> None:
        current = self.query_one(VerdictList).current
        if current is None:
            return
        line, title = current
        self._draw(line, title, None)

        def read() -> Message:
            return RestoredLoaded(line.id, self.jobs.source.verdicts.restores(line))

        self.jobs.ask("verdict", read, self, "reading", is_latest_only=True)

    @on(RestoredLoaded)
    def _on_restored(self, event: RestoredLoaded) -> None:
        current = self.query_one(VerdictList).current
        if current is not None and current[0].id == event.line_id:
            self._draw(*current, event.restored)

    def _draw(self, line: JournalLine, title: str, restored: Restored | None) -> None:
        self.query_one(SideView).show(lambda width: restored_lines(line, title, restored, width))

    def action_open(self) -> None:
        """Takes the verdict under the cursor back."""
        self.action_undo()

    def action_copy(self) -> None:
        """Copy the id and the title of the candidate that the verdict is on."""
        if (current := self.query_one(VerdictList).current) is not None:
            line, title = current
            self.app.copy_to_clipboard(f"{safe_line(line.candidate)}  {safe_line(title, 300)}")
            self.notify(f"Copied {safe_line(line.candidate, 60)}.", timeout=2, markup=False)

    def action_undo(self) -> None:
        """Takes the verdict under the cursor back; its row goes when that is written."""
        rows = self.query_one(VerdictList)
        current = rows.current
        if current is None or current[0].id in rows.writing:
            return
        self.station.deciding.take_back(current[0])
        rows.writing.add(current[0].id)
        rows.rows_changed(len(rows.verdicts), rows.cursor + 1)
        rows.refresh()

    @on(VerdictUndone)
    def _on_undone(self) -> None:
        self._load()

    @on(VerdictRefused)
    def _on_refused(self) -> None:
        self.query_one(VerdictList).writing.clear()
        self._load()
