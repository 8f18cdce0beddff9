"""The draft pane: what `a` writes, before it is written."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from helix_tui.tui.kit.lines import READING
from helix_tui.tui.kit.text_pane import Line, PagePane
from helix_tui.tui.review.draft_text import Draft, draft_lines


class DraftPane(PagePane):
    """Shows the draft of the candidate under the cursor, and knows how much of it was drawn."""

    waiting = READING

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draft: Draft | None = None
        self._must_be_seen = 0
        self._drawn_to = 0

    def show_draft(self, draft: Draft | None) -> None:
        """Show what approving would write; None while that is being read."""
        if draft is not None and draft == self._draft:
            return
        self._draft, self._drawn_to = draft, 0
        # Until it is laid out for a width, which it is not while it is hidden, none of it is seen.
        self._must_be_seen = 1 if draft is not None and draft.words_of_log else 0
        self.show(self._layout_draft)

    def show_nothing(self) -> None:
        """No candidate is under the cursor."""
        self.show_draft(Draft("", "Nothing is selected."))

    def is_of(self, name: str) -> bool:
        """Whether a draft of this candidate is shown, be it of before a verdict."""
        return self._draft is not None and self._draft.name == name

    def _layout_draft(self, width: int) -> Sequence[Line]:
        if self._draft is None:
            return [[(f" {self.waiting}", "dim")]]
        lines, self._must_be_seen = draft_lines(self._draft, width)
        # In another width lines are others: what was seen is to be seen again.
        self._drawn_to = 0
        return lines

    def render_line(self, y: int) -> Strip:
        """One line of the screen; one that follows on what was drawn was seen."""
        at = int(self.scroll_offset.y) + y
        if at == self._drawn_to:
            self._drawn_to += 1
        return super().render_line(y)

    def page_seen(self, name: str) -> str:
        """The page of a candidate, where all words of a log in it were on the screen."""
        draft = self._draft
        if draft is None or draft.name != name or self._drawn_to < self._must_be_seen:
            return ""
        return draft.page
