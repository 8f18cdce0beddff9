"""A running workstation for a test: keys in, the screen and what was written out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from textual._context import visible_screen_stack
from textual.pilot import Pilot

from helix_tui.tui.app import HelixApp
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.review.screen import ReviewScreen
from tests.tui.made import MadeSource, made_app, made_reviewed

# How long a busy machine may take, in seconds, to come to what a key asked for.
PATIENCE = 30.0
both_sizes = pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])


def screen_text(app: HelixApp) -> str:
    """What is on the screen, line by line."""
    visible_screen_stack.set(app._background_screens)  # what shows behind a dialog
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


class Sitting:
    """A running app with the parts that tests look at."""

    def __init__(self, app: HelixApp, source: MadeSource | None, pilot: Pilot[None]) -> None:
        self.app = app
        self._source = source
        self.pilot = pilot

    @property
    def review(self) -> ReviewScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, ReviewScreen)
        return screen

    @property
    def text(self) -> str:
        return screen_text(self.app)

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        return [(line.action, line.candidate) for line in self.source.verdicts.lines]

    async def past_words(self) -> None:
        """Goes on to the first row that holds no words of people, so that a key approves it."""
        while self.current.startswith("user-"):
            await self.press("j")

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    @property
    def source(self) -> MadeSource:
        assert self._source is not None, "this one is on a real store"
        return self._source

    async def until(self, is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if is_so():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"it never came to that:\n{self.text}")

    @property
    def place(self) -> str:
        """Which screen is on top."""
        screen = self.app.screen
        return screen.SCOPE if isinstance(screen, HelixScreen) else ""

    @property
    def current(self) -> str:
        row = self.review.candidates.current
        return row.id if row else ""


@asynccontextmanager
async def sitting(
    size: tuple[int, int] = (120, 40), count: int = 8, source: MadeSource | None = None
) -> AsyncIterator[Sitting]:
    source = source or MadeSource([made_reviewed(number) for number in range(count)])
    app = made_app(source)
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, source, pilot)
        await found.until(lambda: found.review.candidates.is_loaded)
        await found.until(lambda: "distilled 41" in found.text)
        yield found
        if app.is_running:
            screen_text(app)  # whatever the test left there can be drawn
