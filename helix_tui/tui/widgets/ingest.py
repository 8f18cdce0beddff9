"""The ingest pane: what came in by agent, what is wrong, what vanishes, the last sweep."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from helix_tui.tui.text import Span, ingest_line, ingest_lines
from helix_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from helix_tui.engine.status import Status


class IngestPane(Lines, can_focus=True):
    """Counts by agent; one line where there is room for no more."""

    _status: Status | None = None
    _now: float = 0.0
    _is_sweeping = False

    def show(self, status: Status, now: float | None = None) -> None:
        """Shows how things stand."""
        self._status = status
        self._now = time.time() if now is None else now
        self.refresh()

    def show_sweep(self, *, is_sweeping: bool) -> None:
        """Says that a sweep runs, or no longer."""
        self._is_sweeping = is_sweeping
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        if self._status is None:
            return [[("1 Ingest  reading…" if height == 1 else " reading…", "dim")]]
        if height == 1:
            return [ingest_line(self._status, self._now)]
        found = ingest_lines(self._status, self._now, is_sweeping=self._is_sweeping)
        return [[(" ", "plain"), *line] for line in found]
