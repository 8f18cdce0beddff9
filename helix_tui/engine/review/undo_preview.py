"""What taking a verdict back would restore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.curate.journal.projection import Projection, project, version_of
from helix_tui.engine.review.undo_edits import pages_edited_since
from helix_tui.schema.candidate import VerdictName
from helix_tui.schema.review import JournalLine


class RestoredPattern(NamedTuple):
    """The version that a pattern has and would have again; empty where its file is not there."""

    id: str
    now: str
    then: str


class Restored(NamedTuple):
    """How the candidate of a verdict would stand without it, and what becomes of patterns."""

    verdict: VerdictName
    patterns: Sequence[RestoredPattern]


def with_undone(lines: Sequence[JournalLine], line: JournalLine) -> list[JournalLine]:
    """The journal as it would be."""
    last = lines[-1].seq if lines else 0
    undo = JournalLine(
        id=f"{line.id}-undone",
        seq=last + 1,
        at=line.at,
        author=line.author,
        action="undo",
        candidate=line.candidate,
        writes=pages_edited_since(Projection(lines), line),
        undoes=line.id,
    )
    return [*lines, undo]


def restored_patterns(lines: Sequence[JournalLine], line: JournalLine) -> list[RestoredPattern]:
    """What becomes of the patterns that a verdict wrote."""
    if not line.writes:
        return []
    names = dict.fromkeys(write.pattern for write in line.writes)
    now, then = project(lines), project(with_undone(lines, line))
    return [
        RestoredPattern(
            name,
            *(
                version_of(files.text) if (files := there.get(name)) and files.text else ""
                for there in (now, then)
            ),
        )
        for name in names
    ]
