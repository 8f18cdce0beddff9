"""Verdicts on candidates, as lines of the journal and as their present state."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.candidate import CandidateState, VerdictName

# `edit` is a person's change of a file of the catalog, `rename` an id that grouping replaced: both
# are recorded when first seen, and neither is a verdict; a rename is undone by its line's id.
# `assign` says who of a team is to look at a candidate: nobody in `others` is anybody again.
Action = Literal[
    "approve", "reject", "discuss", "snooze", "merge", "split", "undo", "edit", "rename", "assign"
]
# Why a candidate is rejected; `other` is told by the note.
RejectReason = Literal["too_generic", "wrong_guidance", "one_off", "noise", "other", ""]
VERDICT_ACTIONS = frozenset({"approve", "reject", "discuss", "snooze", "merge", "split"})


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """The evidence at the time of a verdict, with which later evidence is compared."""

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
    """The text that a line gave a pattern's file, or None where it removed the file.

    `history` is the text of the history file where that was changed as well.
    """

    pattern: str
    text: str | None
    history: str | None = None


class PatternFiles(NamedTuple):
    """A pattern's page and its history, as files."""

    text: str | None
    history: str


class PatternRef(msgspec.Struct, frozen=True, gc=False):
    """The version of a pattern that a verdict made, and its status."""

    id: str
    version: str
    status: str
    distribution_ready: bool


class JournalLine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """One line of the journal: what somebody did, when, on what evidence, and what it wrote.

    `id` is unique everywhere, `seq` counts within one journal. `others` are the candidates that a
    merge adds or a split releases, or the new id of a renamed one; `undoes` is a line's id.
    `reason` is why a candidate was rejected, where somebody said.
    `masked` are the lines from whose texts excerpts of forgotten sessions were removed.

    `shared` lines are told to the team. A line of another member has the number that the team's
    store gave it as `order`; it stands `before` a line of one's own that came there later.
    """

    id: str
    seq: int
    at: str
    author: str
    action: Action
    candidate: str = ""
    others: list[str] = []
    note: str = ""
    reason: RejectReason = ""
    until: Until | None = None
    snapshot: Snapshot | None = None
    pattern: PatternRef | None = None
    writes: list[Write] = []
    undoes: str = ""
    masked: list[str] = []
    shared: bool = False
    order: int = 0
    before: str = ""


class Seen(NamedTuple):
    """The state that a reviewer decided by: the lines of the journal, by their ids.

    `pages` are the pages of the catalog by pattern, each with a digest of its text: a person's edit
    is in no line until the journal is next opened for writing.
    """

    lines: frozenset[str]
    pages: frozenset[tuple[str, str]]

    def and_also(self, other: Seen) -> Seen:
        """Join the states that a reviewer saw at two times."""
        return Seen(self.lines | other.lines, self.pages | other.pages)


class Note(NamedTuple):
    """A person's note on a candidate."""

    at: str
    author: str
    text: str


class Said(NamedTuple):
    """A verdict of somebody that still stands in a candidate's thread."""

    at: str
    author: str
    verdict: VerdictName


class Review(msgspec.Struct, frozen=True, gc=False):
    """The review of a candidate: the last verdict that was not undone, and its notes.

    `pattern` is the pattern that it is part of; `merged` are the candidates that count as it, and
    `merged_into` is the one that it counts as, at the end of a chain. `before_snooze` is the
    verdict from before it was snoozed. `said` are the verdicts of all in order, of which the last
    holds; `assigned` is who of a team is to look at it.
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
    said: list[Said] = []
    assigned: str = ""

    @property
    def against(self) -> list[Said]:
        """What others decided otherwise before the last verdict, each by their last word."""
        last: dict[str, Said] = {one.author: one for one in self.said}
        last.pop(self.author, None)
        decided = ("approved", "rejected")
        return [
            one
            for one in last.values()
            if one.verdict in decided and self.verdict in decided and one.verdict != self.verdict
        ]
