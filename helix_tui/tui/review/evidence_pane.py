"""The evidence pane: the excerpt of one occurrence, its decisive line marked."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from helix_tui.text.human import compact, plural, wrap
from helix_tui.tui.actions import with_keys
from helix_tui.tui.kit.candidate_row import ReviewRow, score_text
from helix_tui.tui.kit.excerpt import Mark, Occurrence, excerpt_lines
from helix_tui.tui.kit.lines import READING, fit, strip_of
from helix_tui.tui.kit.scrolling import SteadyView, set_length

_SIGNS: dict[Mark, tuple[str, str]] = {
    "call": ("▸ ", "plain"),
    "wrong": ("✗ ", "bad"),
    "right": ("✓ ", "good"),
    "said": ("  ", "strong"),
    "plain": ("  ", "dim"),
    "why": ("", "accent"),
    "dim": ("", "dim"),
}
_MOST_LINES = 2_000
_NOTHING_KEPT = "Nothing is kept of this occurrence; {pane.open} looks for the raw."


class EvidencePane(SteadyView, can_focus=True, inherit_bindings=False):
    """What was seen, with why the candidate stands where it does."""

    waiting = READING

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said: list[tuple[Mark, str]] = []
        self._lines: list[list[tuple[str, str]]] = []
        self._why = ""
        self._shown: tuple[int, str, list[list[tuple[str, str]]]] = (0, "", [])

    def show(
        self, row: ReviewRow | None, occurrences: Sequence[Occurrence] | None, at: int
    ) -> None:
        """Show one occurrence of a candidate; None while it is being read."""
        self._why = why_here(row) if row else ""
        if row is None:
            self._said = [("dim", "Nothing is selected.")]
        elif occurrences is None:
            self._said = [("dim", self.waiting)]
        elif not occurrences or not occurrences[at].text:
            self._said = [("dim", with_keys(_NOTHING_KEPT, getattr(self.app, "keymap", {})))]
        else:
            self._said = excerpt_lines(occurrences[at].text, row.kind)
        self._wrap()
        self.scroll_home(animate=False, immediate=True)

    def move(self, by: int) -> None:
        """Scroll by so many lines."""
        self.scroll_relative(y=by, animate=False, force=True)

    def move_page(self, by: int) -> None:
        """Scroll by so many pages."""
        self.scroll_relative(y=by * max(1, self.size.height - 1), animate=False, force=True)

    def move_to(self, index: int) -> None:
        """Scroll to a line."""
        self.scroll_to(y=index, animate=False, force=True)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def on_resize(self) -> None:
        """Break lines for the new width."""
        self._wrap()

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width < 8:
            return
        lines: list[list[tuple[str, str]]] = []
        for mark, text in self._said:
            sign, tone = _SIGNS[mark]
            pieces = wrap(text, width - 5)
            for number, piece in enumerate(pieces):
                first = f"  {sign if not number else ' ' * len(sign)}"
                lines.append([(first, tone), (piece, tone)])
            if len(lines) >= _MOST_LINES:
                break
        shown = (width, self._why, lines)
        if shown == self._shown:
            return
        self._shown, self._lines = shown, lines
        # The last line of the pane is always why the candidate is here.
        set_length(self, width, len(lines) + bool(self._why))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        at = int(self.scroll_offset.y) + y
        width, height = self.scrollable_content_region.size
        if self._why and y == min(len(self._lines), height - 1):
            return strip_of(self, [("  ", "plain"), (fit(self._why, width - 3), "accent")], width)
        return strip_of(self, self._lines[at] if at < len(self._lines) else (), width)


def why_here(row: ReviewRow) -> str:
    """Why a candidate stands where it does, in its own figures."""
    return (
        f"why here: {plural(row.sessions, 'session')}, "
        f"{plural(len(row.flavors), 'agent')}, {plural(len(row.repos), 'repo')}, "
        f"{compact(row.cost)} tokens spent, score {score_text(row.score)}"
    )
