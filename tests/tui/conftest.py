"""What tests of the workstation share: the bundled sample, and frames that nobody looks at."""

from __future__ import annotations

import os

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.screen import Screen

from helix_tui.tui.review.draft_pane import DraftPane
from tests.cli.conftest import demo_store, sample_store, sampled

__all__ = ["demo_store", "sample_store", "sampled"]


@pytest.fixture(autouse=True)
def _drawn_where_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame is drawn when a test looks at the screen, and not each time that something changed.

    That is a third of what tests of screens take. The marker `drawn` and HELIX_REAL=1 have every
    frame drawn, as a terminal has.
    """
    if os.environ.get("HELIX_REAL") or request.node.get_closest_marker("drawn"):
        return
    draw = Compositor.render_update

    def render_update(
        self: Compositor,
        full: bool = False,
        screen_stack: list[Screen[object]] | None = None,
        simplify: bool = False,
    ) -> RenderableType | None:
        if full:  # a picture was asked for
            return draw(self, full, screen_stack, simplify)
        self._dirty_regions.clear()
        visible_screen_stack.set(screen_stack or [])
        for widget, (region, clip) in self.visible_widgets.items():
            if isinstance(widget, DraftPane):  # it keeps whether a person could have read it all
                widget.render_lines(region.intersection(clip).translate(-region.offset))
        return None

    monkeypatch.setattr(Compositor, "render_update", render_update)
