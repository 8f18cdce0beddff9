"""What one does with a pattern: edit it, have it no longer taught, look at what is behind it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import SuspendNotSupported
from textual.message import Message

from helix_tui.environment import outside_environment
from helix_tui.errors import HelixError, NotFoundError
from helix_tui.text.safe import safe_line
from helix_tui.tui.base.dialogs import QuestionScreen, TextScreen
from helix_tui.tui.base.list_screen import PageListScreen
from helix_tui.tui.catalog.drift_text import LABEL, drift_lines
from helix_tui.tui.catalog.messages import BehindPattern, PageChanged
from helix_tui.tui.catalog.rows import PatternRow
from helix_tui.tui.kit.candidate_row import row_of

if TYPE_CHECKING:
    from helix_tui.engine.catalog.catalog_reader import Edition

_LANE = "verdicts"  # like a verdict, it is written before the workstation is left
NEEDS_PAGE = frozenset(
    {
        "pattern.edit",
        "pattern.deprecate",
        "pattern.evidence",
        "pattern.sessions",
        "pattern.drift",
    }
)


class PatternKeysScreen(PageListScreen[PatternRow]):
    """A list of patterns that one can work in."""

    _editions: Sequence[Edition] = ()

    def action_edit(self) -> None:
        """Lend the page to $VISUAL or $EDITOR; what was saved is the page from then on."""
        from helix_tui.engine.review.external_editor import edited, editor_command

        row = self.current
        if row is None or not self._editions:
            return
        name, before = row.id, self._editions[-1].text
        try:
            with self.app.suspend():
                after = edited(before, name, editor_command(), _run)
        except SuspendNotSupported:
            self.notify("This terminal cannot be lent to an editor.", severity="error")
        except HelixError as error:
            self.notify(safe_line(str(error), 400), severity="error", timeout=8, markup=False)
        else:
            self._save(name, before, after)

    def _save(self, name: str, before: str, after: str) -> None:
        if after == before:
            self.notify("Nothing was changed.", timeout=4)
            return

        def work() -> Message:
            from helix_tui.engine.review.page_changes import save_page

            save_page(self.jobs.source.config, name, before, after)
            return PageChanged(name, "Saved")

        self.jobs.ask("save the page", work, self, _LANE)

    def action_deprecate(self) -> None:
        """Have agents follow the pattern no longer, or again."""
        row = self.current
        if row is None:
            return
        name, is_deprecated = row.id, row.status != "deprecated"

        def work() -> Message:
            from helix_tui.engine.review.page_changes import deprecate_page

            made = deprecate_page(self.jobs.source.config, name, is_deprecated=is_deprecated)
            return PageChanged(name, f"Now {made.status}")

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.jobs.ask("deprecate", work, self, _LANE)

        verb = "no longer follow" if is_deprecated else "follow it again as before"
        question = f"Have agents {verb} this pattern?  {row.title}"
        self.ask(QuestionScreen(question, [f"{row.id} is {row.status} now."]), answered)

    @on(PageChanged)
    def _on_page_changed(self, event: PageChanged) -> None:
        self.say(f"{event.how}: {safe_line(event.pattern_id, 60)}.")
        self.load()

    def action_evidence(self) -> None:
        """Open what the pattern is believed for."""
        self._look_behind("evidence")

    def action_sessions(self) -> None:
        """Open the sessions that the pattern was seen in."""
        self._look_behind("sessions")

    def action_drift(self) -> None:
        """Say how the pattern stands against what was seen since."""
        self._look_behind("drift")

    def _look_behind(self, wanted: str) -> None:
        row = self.current
        if row is None:
            return
        name = row.id

        def read() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            source = self.jobs.source
            pattern, _ = CatalogReader(source.config).pattern(name)
            listed = source.verdicts.listed(pattern.candidates)
            sessions: set[str] = set()
            for one in listed:
                try:
                    sessions |= source.candidates.whole(
                        one.brief.id, one.review.merged
                    ).members.keys()
                except NotFoundError:
                    continue  # a sweep has just made another of it
            return BehindPattern(wanted, pattern, listed, frozenset(sessions))

        self.jobs.ask("pattern", read, self, "pattern")

    @on(BehindPattern)
    def _on_behind(self, event: BehindPattern) -> None:
        if event.wanted == "drift":
            title = f"Since it was approved  {event.pattern.title}"
            notes = self.current.notes if self.current else ()
            lines = drift_lines(event.pattern, event.listed, notes)
            self.app.push_screen(TextScreen(title, lines, LABEL))
        elif not event.listed:
            self.say("Nothing of it is in this store: it was seen elsewhere, or is forgotten.")
        elif event.wanted == "evidence":
            self.push("evidence", row=row_of(event.listed[0], 0))
        else:
            about = f"of “{safe_line(event.pattern.title, 50)}”"
            self.push("sessions", only=event.sessions, about=about)


def _run(command: list[str]) -> int:
    return subprocess.run(command, env=outside_environment(), check=False).returncode
