"""Verdicts: what a person decided on candidates, as the journal keeps it and as it stands now."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.candidate import CandidateState, VerdictName

# `edit` is a change that a person made to a file of the catalog, `rename` an id that grouping
# replaced: both are noted when first seen, and neither is a verdict that can be taken back.
Action = Literal[
    "approve", "reject", "discuss", "snooze", "merge", "split", "undo", "edit", "rename"
]
VERDICT_ACTIONS = frozenset({"approve", "reject", "discuss", "snooze", "merge", "split"})


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """What the evidence was when somebody decided; what changed since is told by it."""

    sessions: int
    frequency: int
    flavors: list[str]
    repos: int
    cost_impact: int
    score: float
    state: CandidateState
    first_seen: str | None = None
    last_seen: str | None = None


class Until(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What wakes a snoozed candidate: a day (UTC), a number of sessions, or one agent more."""

    date: str = ""
    sessions: int = 0
    flavor: bool = False


class Write(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a line made of a pattern's file: its whole text, or None where it took it away.

    `history` is the text of the history file where that was found changed as well.
    """

    pattern: str
    text: str | None
    history: str | None = None


class PatternFiles(NamedTuple):
    """A pattern's page and its history, as files."""

    text: str | None
    history: str


class PatternRef(msgspec.Struct, frozen=True, gc=False):
    """Which version of a pattern a verdict made, and where it stands."""

    id: str
    version: str
    status: str
    distribution_ready: bool


class JournalLine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """One line of the journal: what somebody did, when, on what evidence, and what it wrote.

    `id` is unique everywhere, `seq` counts within one journal. `others` are the candidates that a
    merge takes in or a split lets go, or the new id of a renamed one; `undoes` is a line's id.
    `masked` are the lines out of whose texts excerpts of forgotten sessions were taken.
    """

    id: str
    seq: int
    at: str
    author: str
    action: Action
    candidate: str = ""
    others: list[str] = []
    note: str = ""
    until: Until | None = None
    snapshot: Snapshot | None = None
    pattern: PatternRef | None = None
    writes: list[Write] = []
    undoes: str = ""
    masked: list[str] = []


class Seen(NamedTuple):
    """What somebody had before them who decides: the lines of the journal, by their ids.

    `pages` are the pages of the catalog by pattern, each with a digest of its text: what a person
    did to one stands in no line until somebody opens the journal for writing.
    """

    lines: frozenset[str]
    pages: frozenset[tuple[str, str]]

    def and_also(self, other: Seen) -> Seen:
        """What was before somebody at either of two times."""
        return Seen(self.lines | other.lines, self.pages | other.pages)


class Note(NamedTuple):
    """What somebody said of a candidate, and when."""

    at: str
    author: str
    text: str


class Review(msgspec.Struct, frozen=True, gc=False):
    """How a candidate stands: the last verdict that was not taken back, and its thread.

    `pattern` is the pattern that it is part of; `merged` are the candidates that count as it, and
    `merged_into` is the one that it counts as, at the end of a chain. `before_snooze` is what it
    was when somebody put it off.
    """

    verdict: VerdictName = "open"
    at: str = ""
    author: str = ""
    snapshot: Snapshot | None = None
    until: Until | None = None
    notes: list[Note] = []
    pattern: str = ""
    merged_into: str = ""
    merged: list[str] = []
    before_snooze: VerdictName = "open"
