"""Notices what other processes decide, and what people do to the catalog's pages."""

from __future__ import annotations

from helix_tui.tui.base.verdicts_and_undo import LANE, VerdictQueue
from helix_tui.tui.jobs import Jobs
from helix_tui.tui.messages import OthersDecided
from helix_tui.yielding import give_way

# With the time it takes to read what is new, somebody sees it within two seconds.
SECONDS_BETWEEN_LOOKS = 0.7


class Watching:
    """Looks at names, sizes and times of journal and catalog; only what was touched is read."""

    def __init__(self, jobs: Jobs, deciding: VerdictQueue) -> None:
        self._jobs = jobs
        self._deciding = deciding
        self._stamp = ""
        self._is_looking = False

    def look(self) -> None:
        """Look once, beside the keys; nothing to compare with is shown before the first board."""
        if self._deciding.seen is not None and not self._is_looking:
            self._is_looking = True
            self._jobs.do("watch the journal", self._look, "watching")

    def _look(self) -> None:
        try:
            give_way()
            stamp = self._stamp_now()
        finally:
            self._is_looking = False
        if stamp != self._stamp and self._deciding.is_idle:
            # Behind our own verdicts: what they write is whole by then, and no news.
            self._jobs.do("read what others decided", self._tell, LANE)

    def _tell(self) -> None:
        seen = self._deciding.seen
        assert seen is not None, "looked for only when something is shown"
        before = self._stamp = self._stamp_now()
        news = self._jobs.source.verdicts.news(seen)
        if self._stamp_now() != before:
            self._stamp = ""  # somebody is at it: what was read may be half of it
        elif news is not None:
            self._jobs.tell(lambda: OthersDecided(news))

    def _stamp_now(self) -> str:
        from helix_tui.engine.sweep.settled_marker import review_stamp

        return review_stamp(self._jobs.source.config)
