"""The last verdicts, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from helix_tui.text.safe import safe_line
from helix_tui.tui.base.list_screen import ListScreen
from helix_tui.tui.base.screen import Movable
from helix_tui.tui.kit.candidate_row import WRITING_SIGN
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.lines import Toned
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.side_pane import SideView
from helix_tui.tui.messages import VerdictRefused, VerdictUndone
from helix_tui.tui.undo.messages import RestoredLoaded, UndoableLoaded
from helix_tui.tui.undo.rows import MOST_WHO, UndoableVerdict, restored_lines, verdict_line

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


class VerdictList(RowList[UndoableVerdict]):
    """Verdicts, the newest first."""

    cursor_tone = "cursor"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.writing: set[str] = set()
        self._who, self._widest = MOST_WHO, 0

    def show(self, rows: Sequence[UndoableVerdict], cursor: int | None = None) -> None:
        """Show other verdicts; what their authors' names do not need is the titles'."""
        self._who = min(MOST_WHO, max((cell_len(row.line.author) for row in rows), default=0))
        self._widest = max((cell_len(row.title) for row in rows), default=0)
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """A verdict never changes; that it is taken back is being written, or is not."""
        name = self.rows[index].line.id
        return name, name in self.writing, self._who, self._widest

    def cells(self, index: int, width: int) -> list[Toned]:
        """When, what, on what, by whom."""
        line, title = self.rows[index]
        sign = WRITING_SIGN if line.id in self.writing else ""
        return verdict_line(line, title, width, sign, self._who, self._widest)


class UndoScreen(ListScreen[UndoableVerdict]):
    """The last ten verdicts, with what taking each of them back would restore."""

    SCOPE: ClassVar[str] = "undo"
    LIST = "verdicts"
    NEEDS_ROW = frozenset({"verdict.undo", "pane.open", "item.copy"})
    NO_ROW = "There is no verdict to take back."
    row_id = attrgetter("line.id")

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

    @property
    def verdicts(self) -> VerdictList:
        """The list."""
        return self.query_one(VerdictList)

    def moving(self) -> Movable | None:
        """Cursor keys move in the list unless the other pane has the focus."""
        return self.focused if isinstance(self.focused, SideView) else self.row_list

    def load(self) -> None:
        """Ask for the last verdicts."""

        def read() -> Message:
            verdicts = self.jobs.source.verdicts
            lines = verdicts.undoable(_MOST)
            if not lines:  # perhaps there is no store yet to ask for their titles
                return UndoableLoaded([])
            candidates = verdicts.listed(list(dict.fromkeys(line.candidate for line in lines)))
            titles = {
                name: candidate.brief.title
                for candidate in candidates
                for name in (candidate.brief.id, *candidate.brief.aliases)
            }
            return UndoableLoaded(
                [
                    UndoableVerdict(line, titles.get(line.candidate, line.candidate))
                    for line in lines
                ]
            )

        # Behind the verdicts that were given before.
        self.jobs.ask("verdicts", read, self, "verdicts")

    @on(UndoableLoaded)
    def _on_loaded(self, event: UndoableLoaded) -> None:
        self.all_rows = event.verdicts
        self.verdicts.is_loaded = True
        self.verdicts.writing.intersection_update(verdict.line.id for verdict in event.verdicts)
        self.refill()

    def arranged(self) -> Sequence[UndoableVerdict]:
        """All of them."""
        return self.all_rows

    def retitle(self, shown: int) -> None:
        """Say how many verdicts there are."""
        self.list_title.detail = f"· {shown}"

    def no_rows(self) -> Sequence[str]:
        """Say where candidates are."""
        return ["There is no verdict to take back. {pane.leave} leads to the list."]

    def show_current(self) -> None:
        """Ask what taking back the verdict under the cursor would restore."""
        current = self.current
        if current is None:
            self.query_one(SideView).show_beside(lambda _: [[("Nothing is selected.", "dim")]])
            return
        line, title = current
        self._draw(line, title, None)

        def read() -> Message:
            return RestoredLoaded(line.id, self.jobs.source.verdicts.restores(line))

        self.jobs.ask("verdict", read, self, "reading", is_latest_only=True)

    @on(RestoredLoaded)
    def _on_restored(self, event: RestoredLoaded) -> None:
        current = self.current
        if current is not None and current.line.id == event.line_id:
            self._draw(*current, event.restored)

    def _draw(self, line: JournalLine, title: str, restored: Restored | None) -> None:
        self.query_one(SideView).show_beside(
            lambda width: restored_lines(line, title, restored, width)
        )

    def action_open(self) -> None:
        """Take the verdict under the cursor back."""
        self.action_undo()

    def action_copy(self) -> None:
        """Copy the id and the title of the candidate that the verdict is on."""
        if (current := self.current) is not None:
            line, title = current
            name = safe_line(line.candidate)
            self.copy(f"{name}  {safe_line(title, 300)}", safe_line(name, 60))

    def action_undo(self) -> None:
        """Take the verdict under the cursor back; its row goes when that is written."""
        rows = self.verdicts
        current = rows.current
        if current is None or current.line.id in rows.writing:
            return
        self.station.deciding.take_back(current.line)
        rows.writing.add(current.line.id)
        rows.show(rows.rows, rows.cursor + 1)

    @on(VerdictUndone)
    def _on_undone(self) -> None:
        self.load()

    @on(VerdictRefused)
    def _on_refused(self) -> None:
        self.verdicts.writing.clear()
        self.load()
