"""What verdicts and pages say right now, read without a lock: for lists, and for what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import Differences, Projection
from helix_tui.curate.journal.standings import ReviewState
from helix_tui.engine.catalog.adoption import adopted_lines
from helix_tui.engine.catalog.folder_differences import FoundFiles, differences_of, found_files
from helix_tui.engine.review.seen import seen_of
from helix_tui.schema.review import JournalLine, Seen


class ReviewReading(NamedTuple):
    """The journal and the catalog's folder, each read once.

    `troubles` says which lines of the journal could not be read.
    """

    config: Config
    found: FoundFiles
    lines: Sequence[JournalLine]
    projection: Projection
    troubles: list[str]

    def state(self) -> ReviewState:
        """How everything stands by the journal, and by pages that it does not know yet."""
        adopted = adopted_lines(self.config, self.lines, self.projection, self.found)
        return ReviewState([*self.lines, *adopted])

    def differences(self) -> Differences:
        """How the folder differs from the journal."""
        return differences_of(self.config, self.lines, self.projection, self.found)

    def seen(self) -> Seen:
        """What somebody who is shown this has seen."""
        return seen_of(self.lines, self.projection.files, self.found.files)


def read_review(config: Config) -> ReviewReading:
    """Read the catalog's folder, then the journal: a page without its line is never news."""
    files = found_files(config)
    path = config.curate.review_log
    read = Journal(path).lines()
    troubles = [
        f"{path}, line {damaged.number}: {damaged.reason}"
        for damaged in (*read.damaged, *read.unknown)
    ]
    return ReviewReading(config, files, read.lines, Projection(read.lines), troubles)
