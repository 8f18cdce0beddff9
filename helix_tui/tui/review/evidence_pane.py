"""The evidence pane: the excerpt of one occurrence, its decisive line marked."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from helix_tui.text.human import compact, plural, wrap
from helix_tui.text.safe import safe_line
from helix_tui.text.team_words import decided_words, span_words
from helix_tui.tui.actions import with_keys
from helix_tui.tui.kit.candidate_row import ReviewRow, score_text
from helix_tui.tui.kit.excerpt import Mark, Occurrence, excerpt_lines
from helix_tui.tui.kit.lines import READING, fit, strip_of
from helix_tui.tui.kit.moment import moment
from helix_tui.tui.kit.scrolling import SteadyView, set_length

_SIGNS: dict[Mark, tuple[str, str]] = {
    "call": ("▸ ", "plain"),
    "wrong": ("✗ ", "bad"),
    "right": ("✓ ", "good"),
    "said": ("  ", "strong"),
    "plain": ("  ", "dim"),
    "why": ("", "accent"),
    "dim": ("", "dim"),
    "title": ("", "strong"),
}
_MOST_LINES = 2_000
_MOST_OTHERS = 6
# How many lines of the pane the reason may take: as many as it has, where the pane is not low.
_MOST_WHY, _MOST_WHY_IF_LOW = 4, 2
_ROOM_FOR_TITLE = 10
Line = list[tuple[str, str]]
_NOT_SHARED = "What was seen is on another member's machine: they share numbers, no excerpts."
_NOTHING_KEPT = "Nothing is kept of this occurrence; {pane.open} looks for the raw."


class EvidencePane(SteadyView, can_focus=True, inherit_bindings=False):
    """What was seen, with why the candidate stands where it does."""

    waiting = READING

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said: list[tuple[Mark, str]] = []
        self._others: Sequence[Occurrence] = ()
        self._kind = self._class = ""
        self._lines: list[Line] = []
        self._why = ""
        self._why_lines: list[str] = []
        self._is_team = False
        self._shown: tuple[int, str, list[Line]] = (0, "", [])

    def show(
        self,
        row: ReviewRow | None,
        occurrences: Sequence[Occurrence] | None,
        at: int,
        cut_title: str = "",
    ) -> None:
        """Show one occurrence of a candidate; None while it is being read.

        A title that the list has no room for stands above it, where there is some here.
        """
        self._why = why_here(row) if row else ""
        self._is_team = row is not None and row.listed.brief.team is not None
        self._others, self._kind = (), row.kind if row else ""
        self._class = row.listed.brief.error_class if row else ""
        if row is None:
            self._said = [("dim", "Nothing is selected.")]
        elif occurrences is None:
            self._said = [("dim", self.waiting)]
        elif row.listed.brief.team is not None and not any(one.text for one in occurrences):
            self._said = [("dim", _NOT_SHARED)]
        elif not occurrences or not occurrences[at].text:
            self._said = [("dim", with_keys(_NOTHING_KEPT, getattr(self.app, "keymap", {})))]
        else:
            self._said = excerpt_lines(occurrences[at].text, row.kind, self._class)
            self._others = occurrences[at + 1 : at + 1 + _MOST_OTHERS]
        if cut_title and self.scrollable_content_region.height >= _ROOM_FOR_TITLE:
            self._said = [("title", cut_title), *self._said]
        self._show_decisive(self._wrap())

    def _show_decisive(self, decisive: int) -> None:
        """Have what counts in sight, below the line before it."""
        room = self.scrollable_content_region.height - len(self._why_lines)
        first = decisive - 1 if decisive >= room else 0
        self.scroll_to(y=first, animate=False, immediate=True, force=True)

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
        """Break lines for the new width; what counts is in sight in the new size, too."""
        self._show_decisive(self._wrap())

    def _wrap(self) -> int:
        """Break lines for the width; returns where the decisive one begins."""
        width, height = self.scrollable_content_region.size
        if width < 8:
            return 0
        is_low = height < _ROOM_FOR_TITLE and not self._is_team
        why = wrap(self._why, width - 3)[: _MOST_WHY_IF_LOW if is_low else _MOST_WHY]
        self._why_lines = why if self._why else []
        lines, decisive = _wrapped(self._said, width)
        for other in self._others:
            # Where a whole other occurrence fits below, it is shown, too.
            more, _ = _wrapped(excerpt_lines(other.text, self._kind, self._class), width)
            if not other.text or len(lines) + len(more) + 2 + len(self._why_lines) > height:
                break
            head = f"  also {safe_line(other.flavor, 20)}, {moment(other.ts)}"
            lines += [[], [(head, "dim")], *more]
        shown = (width, self._why, lines)
        if shown == self._shown:
            return decisive
        self._shown, self._lines = shown, lines
        # The last lines of the pane are always why the candidate is here.
        set_length(self, width, len(lines) + len(self._why_lines))
        self.refresh()
        return decisive

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        at = int(self.scroll_offset.y) + y
        width, height = self.scrollable_content_region.size
        why_at = y - min(len(self._lines), height - len(self._why_lines))
        if 0 <= why_at < len(self._why_lines):
            why = fit(self._why_lines[why_at], width - 3)
            return strip_of(self, [("  ", "plain"), (why, "accent")], width)
        return strip_of(self, self._lines[at] if at < len(self._lines) else (), width)


def _wrapped(said: Sequence[tuple[Mark, str]], width: int) -> tuple[list[Line], int]:
    """An excerpt in lines of a width, and where the decisive one begins."""
    lines: list[Line] = []
    decisive = 0
    for mark, text in said:
        sign, tone = _SIGNS[mark]
        if mark in ("wrong", "right"):
            decisive = len(lines)
        for number, piece in enumerate(wrap(text, width - 5)):
            first = f"  {sign if not number else ' ' * len(sign)}"
            lines.append([(first, tone), (piece, tone)])
        if len(lines) >= _MOST_LINES:
            break
    return lines, decisive


def _again(row: ReviewRow) -> str:
    """What became of one that was taught and asks again."""
    return f"{row.listed.changed}; " if row.tier == "again" and row.listed.changed else ""


def why_here(row: ReviewRow) -> str:
    """Why a candidate stands where it does, in its own figures."""
    team = row.listed.brief.team
    spread = f" ({span_words(team)})" if team is not None else ""
    decided = f" · {words}" if (words := decided_words(row.listed.review)) and team else ""
    return (
        f"why here: {_again(row)}{plural(row.sessions, 'session')}{spread}, "
        f"{plural(len(row.flavors), 'agent')}, {plural(len(row.repos), 'repo')}, "
        f"{compact(row.cost)} tokens spent, score {score_text(row.score)}{decided}"
    )
