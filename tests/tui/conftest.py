"""What tests of the workstation share: the bundled sample, and frames that nobody looks at."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.screen import Screen

from helix_tui.tui.review.draft_pane import DraftPane
from tests.cli.conftest import demo_store, sample_store, sampled

__all__ = ["demo_store", "sample_store", "sampled"]


@pytest.fixture(autouse=True, scope="session")
def _styles_read_once() -> Iterator[None]:
    """The style sheets of all apps are read once for each theme, and not by each app.

    That is a third of a start. An app itself keeps what it read, and reads it no second time.
    """
    if os.environ.get("HELIX_REAL"):
        yield
        return
    read = Stylesheet._parse_rules
    known: dict[tuple[object, ...], list[RuleSet]] = {}

    def parse_rules(
        self: Stylesheet,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        rest = (css, read_from, is_default_rules, tie_breaker, scope)
        key = (*self._variables.items(), *rest)
        if key not in known:
            known[key] = read(self, *rest)
        return known[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Stylesheet, "_parse_rules", parse_rules)
        yield


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
