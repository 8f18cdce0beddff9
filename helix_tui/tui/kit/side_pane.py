"""Lines of tones with a margin, beside something that is being written or chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from helix_tui.tui.kit.lines import Toned
from helix_tui.tui.kit.text_pane import Line, PagePane

Drawn = Callable[[int], Sequence[Sequence[Toned]]]


class SideView(PagePane):
    """What stands beside something that is being written or chosen."""

    def show_beside(self, draw: Drawn) -> None:
        """Show what `draw` makes for a width; where it is scrolled to stays."""

        def layout(width: int) -> Sequence[Line]:
            return [[(" ", "plain"), *line] for line in draw(width - 2)]

        self.show(layout, is_kept=True)
