"""The workstation on a real store: keys in, journal, catalog and screen out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import islice
from pathlib import Path

from textual.pilot import Pilot

from helix_tui.curate.journal.journal import Journal
from helix_tui.schema.board import ApprovalPreview, Reviewed
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.schema.review import JournalLine
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.review.screen import ReviewScreen
from tests.conftest import Workbench
from tests.tui.sitting import PATIENCE, screen_text


class LendingApp(HelixApp):
    """An app that lends a terminal which it does not have."""

    @contextmanager
    def suspend(self) -> Iterator[None]:
        yield


class AtWork:
    """A running workstation with what it wrote."""

    def __init__(self, app: HelixApp, bench: Workbench, pilot: Pilot[None]) -> None:
        self.app = app
        self.bench = bench
        self.pilot = pilot
        self.engine = bench.engine()

    @property
    def review(self) -> ReviewScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, ReviewScreen)
        return screen

    @property
    def current(self) -> str:
        row = self.review.candidates.current
        return row.id if row else ""

    @property
    def text(self) -> str:
        return screen_text(self.app)

    @property
    def lines(self) -> list[JournalLine]:
        """The journal."""
        return Journal(self.engine.config.curate.review_log).lines().lines

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        return [(line.action, line.candidate) for line in self.lines]

    def page(self, name: str) -> Path:
        """The file of a pattern."""
        return self.engine.config.curate.catalog_dir / f"{name}.md"

    def board(self) -> list[Reviewed]:
        return self.engine.candidates.board(CandidateFilter()).reviewed

    def with_words_of_log(self) -> str:
        """A candidate whose draft has words of a log."""
        names = [one.ranked.candidate.id for one in self.board()]
        return next(name for name in names if self.engine.verdicts.preview(name).words_of_log)

    def without_words_of_log(self, count: int = 1) -> list[str]:
        """Candidates in the order of the list whose drafts are in our words alone."""
        previews = self.engine.verdicts.previews(self.review.table.shown)
        plain = (
            name
            for name, one in previews
            if isinstance(one, ApprovalPreview) and not one.words_of_log
        )
        return list(islice(plain, count))

    async def past_words(self) -> None:
        """Goes on to the first row that holds no words of a log, so that a key approves it."""
        while self.engine.verdicts.preview(self.current).words_of_log:
            await self.press("j")

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def go_to(self, name: str) -> None:
        """Puts the cursor on a candidate."""
        self.review.candidates.move_to(self.review.table.shown.index(name))
        await self.pilot.pause()

    async def until(self, is_so: Callable[[], object]) -> None:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if is_so():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"it never came to that:\n{self.text}")

    async def sees(self, *texts: str) -> None:
        """Waits until all of these are on the screen."""
        await self.until(lambda: all(text in self.text for text in texts))


@asynccontextmanager
async def at_work(bench: Workbench, size: tuple[int, int] = (120, 40)) -> AsyncIterator[AtWork]:
    app = LendingApp(lambda: Connection(bench.engine(), ["true"]))
    async with app.run_test(size=size, notifications=True) as pilot:
        found = AtWork(app, bench, pilot)
        await found.until(lambda: found.current)
        yield found
