"""Did it help? Every pattern that was taught, over its rate by week and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.list_screen import PageListScreen
from helix_tui.tui.effect.messages import EffectLoaded, EffectsLoaded
from helix_tui.tui.effect.page_text import effect_lines, marks_of
from helix_tui.tui.effect.rows import SORTS, EffectRow, effects_title, rows_of, sorted_rows
from helix_tui.tui.effect.widget import EffectList
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.text_pane import NOTHING

if TYPE_CHECKING:
    from helix_tui.schema.effect import EffectPoint, Measured

# The lines of the plot, by those of the screen.
_LOW, _MIDDLE, _HIGH = 9, 13, 18
_SMALL, _LARGE = 30, 50


class EffectScreen(PageListScreen[EffectRow]):
    """The patterns over the one under the cursor; in its page a week is marked."""

    SCOPE: ClassVar[str] = "effect"
    LIST, PAGE, TITLES, ORDERS = "effects", "effect", ("Effect", "By week"), tuple(SORTS)
    FILTER_HINT = "words of title, id, verdict; !not"
    NO_ROW = "No pattern was taught yet; {screen.context} brings patterns to agents."
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "by week", "occurrence.next": "next week", "list.sort": "sort",
        "item.copy": "copy", "pane.leave": "back", "sweep.start": "",
    }  # fmt: skip

    def __init__(self, row: ReviewRow | None = None, at: int = 0, *, pattern_id: str = "") -> None:
        super().__init__(row, at)
        self._wanted_id = pattern_id
        self._shown_id = ""
        self._measured: Measured | None = None
        self._marked: EffectPoint | None = None

    def new_list(self) -> EffectList:
        """The patterns."""
        return EffectList(id=self.LIST)

    # Data

    def load(self) -> None:
        """Ask whether the patterns helped."""

        def read() -> Message:
            from helix_tui.schema.effect import EffectReport

            source = self.jobs.source
            has = source.has_store()
            return EffectsLoaded(source.effects.all() if has else EffectReport([], []))

        self.jobs.ask("effects", read, self, "effect", is_latest_only=True)

    @on(EffectsLoaded)
    def _on_loaded(self, event: EffectsLoaded) -> None:
        self.all_rows = rows_of(event.report)
        self.row_list.is_loaded = True
        self._shown_id = ""
        self.refill()
        rows = self.row_list.rows
        at = next((n for n, row in enumerate(rows) if row.id == self._wanted_id), None)
        if at is not None:
            self._wanted_id = ""
            self.row_list.move_to(at)

    def unread(self) -> None:
        """Say that nothing is to be waited for."""
        self.row_list.is_loaded = True
        self.refill()

    def arranged(self) -> Sequence[EffectRow]:
        """The patterns that the filter leaves, in the order in force."""
        rows = sorted_rows(self.all_rows, self.order)
        return [row for row in rows if is_fitting(row.words, self.filter_text)]

    def retitle(self, shown: int) -> None:
        """Say how many patterns are shown, and how many need somebody."""
        self.list_title.label = f"Effect  {shown:,} of {len(self.all_rows):,}"
        self.list_title.detail = effects_title(self.all_rows)

    def no_rows(self) -> Sequence[str]:
        """Say how a pattern is taught."""
        return [
            "No pattern was taught yet, so nothing can be measured.",
            "{screen.context} shows what would be written into agents' files.",
        ]

    def show_current(self) -> None:
        """Show what is known of the pattern, and ask for its weeks."""
        row = self.current
        name = row.id if row else ""
        if name == self._shown_id and name:
            return
        self._shown_id, self._measured, self._marked = name, None, None
        self._draw()
        if row is None or row.measured is None:
            return

        def read() -> Message:
            import plotext  # noqa: F401 - it is there before the plot is drawn, and no key waits

            return EffectLoaded(self.jobs.source.effects.one(name))

        self.jobs.ask("effect", read, self, "effect one", is_latest_only=True)

    @on(EffectLoaded)
    def _on_effect(self, event: EffectLoaded) -> None:
        if event.measured.id == self._shown_id:
            self._measured = event.measured
            # The latest week is always among those that have room, whatever the width is yet.
            own = [point for point in event.measured.points if not point.is_control]
            self._marked = max(own, key=lambda point: point.week, default=None)
            self._draw()

    def _marks(self) -> list[EffectPoint]:
        width = self.page.scrollable_content_region.width
        return marks_of(self._measured.points, width - 2) if self._measured else []

    def _draw(self, *, is_kept: bool = False) -> None:
        row, measured, marked = self.current, self._measured, self._marked
        lines = self.size.height
        height = _LOW if lines < _SMALL else _HIGH if lines >= _LARGE else _MIDDLE
        is_reading = self.has_class("-reading")
        hint = self.with_keys("; {pane.open} opens them") if is_reading else ""
        nothing = NOTHING if self.row_list.is_loaded else ()
        self.page.show(
            lambda width: (
                effect_lines(row, measured, marked, hint, width, height) if row else nothing
            ),
            is_kept=is_kept,
        )
        self.page_title.detail = safe_line(row.title, 120) if row else ""
        self.keys_changed()

    def on_resize(self) -> None:
        """Draw the plot as high as there is room."""
        self._draw(is_kept=True)

    def read_page(self, is_whole: bool) -> None:
        """Give the page the whole screen, or show both again."""
        super().read_page(is_whole)
        self._draw(is_kept=True)

    # Keys

    def refusal(self, action: Action) -> str:
        """Say that there is no week to be marked."""
        if action.id in ("occurrence.next", "occurrence.previous") and not self._marks():
            return "No week is shown."
        return super().refusal(action)

    def action_next_occurrence(self) -> None:
        """Mark the next week, or its control."""
        self._mark(1)

    def action_previous_occurrence(self) -> None:
        """Mark the week before."""
        self._mark(-1)

    def _mark(self, by: int) -> None:
        marks = self._marks()
        at = marks.index(self._marked) if self._marked in marks else len(marks) - 1
        self._marked = marks[max(0, min(len(marks) - 1, at + by))]
        self._draw(is_kept=True)

    def action_open(self) -> None:
        """Give the page the whole screen; there, open the sessions of the marked week."""
        point = self._marked
        if self.focused is not self.page:
            self.read_page(True)
        elif point is not None and (row := self.current) is not None:
            of = "the control of " if point.is_control else ""
            about = f"{of}{safe_line(row.id, 60)}, week of {point.week}"
            self.push("sessions", only=frozenset(point.sessions), about=about)

    def action_copy(self) -> None:
        """Copy the command that prints it."""
        if (row := self.current) is not None:
            self.copy(f"helix effect {safe_line(row.id)}", "the command")
