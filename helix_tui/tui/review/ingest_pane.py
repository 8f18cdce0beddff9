"""The ingest pane: what came in by agent, what is wrong, what vanishes, the last sweep."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from helix_tui.text.human import wrap
from helix_tui.tui.kit.lines import Lines, Span
from helix_tui.tui.review.text import ingest_line, ingest_lines

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.tui.messages import SweepState


class IngestPane(Lines, can_focus=True):
    """Counts by agent; one line where there is room for no more."""

    _status: Status | None = None
    _now: float = 0.0
    _sweep: SweepState | None = None
    notice = ""

    def show(self, status: Status, now: float | None = None) -> None:
        """Show how things stand."""
        self._status = status
        self._now = time.time() if now is None else now
        self.refresh()

    def show_sweep(self, sweep: SweepState | None) -> None:
        """Say how fast a sweep runs, or that none does."""
        self._sweep = sweep
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        if self._status is None:
            name = f"{self.key_of('pane.focus_1')} Ingest "
            return [[(f"{name if height == 1 else ''} {self.waiting}", "dim")]]
        if height == 1:
            return [ingest_line(self._status, self._now, self._sweep, self.key_of, width)]
        figures = ingest_lines(self._status, self._now, self._sweep, self.key_of)
        if self.notice:
            # What a toast says for a moment stays where there is room for it.
            notice: list[list[Span]] = [[(piece, "warn")] for piece in wrap(self.notice, width - 2)]
            figures += [[], *notice] if len(figures) + len(notice) < height else []
        return [[(" ", "plain"), *line] for line in figures]
