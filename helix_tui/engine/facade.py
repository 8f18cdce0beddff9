"""The engine: what Helix can do, as methods; every long job is a stream of events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from helix_tui.config import Config
from helix_tui.engine.curation import Curation
from helix_tui.engine.health.upkeep import Upkeep
from helix_tui.engine.memory.remembering import never
from helix_tui.engine.sweep.sweep import LogSource, run_sweep
from helix_tui.events import SweepEvent, UnitIngested

# Jobs load what only they need: a sweep that finds nothing new is mostly start-up.
if TYPE_CHECKING:
    from helix_tui.memory.remembered import Remembered
    from helix_tui.schema.memory import Flushed
    from helix_tui.schema.report import Period, Report


class Engine(Curation, Upkeep):
    """One store and its sources, under one configuration."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._swept_at = 0
        self._has_news = False
        # What the last `after_sweep` flushed; None where nothing asked for it.
        self.remembered: Remembered | None = None

    def sweep(
        self,
        *,
        is_dry_run: bool = False,
        cancelled: Callable[[], bool] = never,
        groups_early: bool = False,
        source: LogSource | None = None,
    ) -> Iterator[SweepEvent]:
        """Take in what is new in the sources; stop soon after `cancelled()` is true.

        With `groups_early` the first sweep of a store has candidates to show before its end. A
        `source` takes the place of the configured folders.
        """
        self._swept_at = int(time.time() * 1000)
        events = run_sweep(self.config, self._layout, is_dry_run, cancelled, groups_early, source)
        with closing(events):
            for event in events:
                self._has_news = self._has_news or isinstance(event, UnitIngested)
                yield event

    def after_sweep(self, cancelled: Callable[[], bool] = never) -> list[str]:
        """Settle the catalog, send what is due to the hub, have a model read turns where one may.

        Flush what hooks asked for and update the notes of running sessions as well. Return messages
        for a person.
        """
        from helix_tui.engine.sweep.after_sweep import after_sweep, has_memory_work

        messages = after_sweep(self.config, cancelled)
        if self.config.detect.reader == "model" and not cancelled():
            from helix_tui.engine.reader.reading import read_after_sweep

            messages += read_after_sweep(self.config, cancelled)
        if has_memory_work(self.config) and not cancelled():
            from helix_tui.engine.memory.flushing import remember

            self.remembered, troubles = remember(self.memory, self._swept_at, cancelled)
            messages += troubles
        messages += self._note_running(cancelled)
        return messages + self.prepare_recall()

    def push_to_team(
        self, cancelled: Callable[[], bool] = never, *, is_asked: bool = False
    ) -> list[str]:
        """Push what changed, where this is a team's machine; return messages.

        Asked for, it tries whatever the settings say and however lately it failed.
        """
        if not (is_asked or self.config.team.push):
            return []
        from helix_tui.engine.team.pushing import push_due

        return push_due(self.config, cancelled, is_asked=is_asked)

    def flush_spooled(self, cancelled: Callable[[], bool] = never) -> list[Flushed]:
        """Take in what is new, then flush all that hooks asked for."""
        for _ in self.sweep(cancelled=cancelled):
            pass
        if cancelled():
            return []
        self._note_running(cancelled)
        self.memory.take_spool(self._swept_at)
        flushed = list(self.memory.flush_due(cancelled))
        self.memory.compile_if_due()
        self.prepare_recall()
        return flushed

    def report(self, period: Period, *, has_excerpts: bool = False) -> Report:
        """Report where the work and the waste of a period went."""
        from helix_tui.engine.report import make_report

        return make_report(self, self._reading, self._prices, period, has_excerpts=has_excerpts)

    def _note_running(self, cancelled: Callable[[], bool]) -> list[str]:
        """Update the notes of running sessions, if any event came in since the last time."""
        if not self._has_news or not self.config.memory.notes or cancelled():
            return []
        self._has_news = False
        now_ms = int(time.time() * 1000)
        running = self.running(now_ms)
        if not running:
            return []
        from helix_tui.engine.memory.notes import note_running

        return note_running(self.notes(now_ms), running, cancelled)
