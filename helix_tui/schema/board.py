"""What a reviewer is shown: candidates with their verdicts, and what a verdict did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.candidate import Brief, CandidateState, Ranked, VerdictName
from helix_tui.schema.context import NOT_TOLD, Told, ToldState
from helix_tui.schema.distribute import Distributable
from helix_tui.schema.review import JournalLine, PatternRef, Review, Seen


class Reviewed(NamedTuple):
    """A candidate with all that was merged into it, and its verdict as of today.

    `changed` says what is materially new since the verdict. `is_asked` says that it is on the open
    list, because of that or because nobody has decided yet. `told` is whether instructions say it.
    """

    ranked: Ranked
    review: Review
    verdict: VerdictName
    changed: str
    is_asked: bool
    told: ToldState = "no"


class Could(NamedTuple):
    """The sessions in which a candidate could have happened: which, how many, and by agent."""

    text: str
    sessions: int
    flavors: Mapping[str, int] = {}


class Detection(NamedTuple):
    """Ranked candidates, and what their evidence says by candidate, session and fingerprint.

    Where not all that is stored could be grouped, `stale` says why. `similar` are candidates that
    look alike and are not merged, by id; `reviewed` is how each stands in the review, by id, and
    `was_part_of` says of what decided candidate of before one that is open holds a smaller part.
    `told` is what instructions say of each already, by id, and `distributable` where each might go.
    `could` are the sessions in which each could have happened, by id, where somebody asks for that.
    """

    ranked: list[Ranked]
    excerpts: dict[tuple[str, str, int], str]
    similar: dict[str, list[str]]
    stale: str = ""
    reviewed: Mapping[str, Reviewed] = {}
    was_part_of: Mapping[str, str] = {}
    told: Mapping[str, Told] = {}
    distributable: Mapping[str, Distributable] = {}
    could: Mapping[str, Could] = {}


class Listed(msgspec.Struct, frozen=True, gc=False):
    """A candidate as a list shows it: its figures, and its verdict as of today.

    It has what `Reviewed` has but for the evidence, which takes long to read for 100,000 of them.
    """

    brief: Brief
    score: float
    trend: list[int]
    state: CandidateState
    review: Review
    verdict: VerdictName
    changed: str
    is_asked: bool
    told: ToldState = "no"


class Listing(NamedTuple):
    """All candidates above the floor by rank, and what could not be read and why.

    `seen` is the state of journal and catalog that they were listed by; a verdict carries it.
    """

    listed: list[Listed]
    stale: str
    troubles: list[str]
    seen: Seen | None = None


class News(NamedTuple):
    """What others did since a reviewer last looked: the candidates concerned, and the new state.

    `told` says it in one sentence; `pages` are the patterns whose pages a person changed.
    """

    listed: list[Listed]
    seen: Seen
    told: str
    pages: list[str]


class Board(NamedTuple):
    """Candidates by rank, and what could not be read or grouped and why."""

    reviewed: list[Reviewed]
    stale: str
    troubles: list[str]


PatternAction = Literal["created", "updated", "unchanged", "removed"]
# What somebody saw before they approved: nothing, rows of the list, the candidate with its
# evidence, or the page.
Look = Literal["none", "rows", "list", "page"]


class PatternOutcome(NamedTuple):
    """What a verdict did to one pattern, and where its file is."""

    pattern: PatternRef
    path: str
    title: str
    action: PatternAction
    candidates: list[str]


class Outcome(NamedTuple):
    """What a verdict did: its line, the patterns, and notices for a person.

    Without a line nothing had to be written: all was so already. `listed` is how the candidates
    that it is about stand now.
    """

    line: JournalLine | None
    patterns: list[PatternOutcome]
    notices: list[str]
    listed: Sequence[Listed] = ()


class ApprovalPreview(NamedTuple):
    """One candidate as a reviewer sees it, with what approving it would write.

    `page` is the page that the catalog would have, `into` the existing pattern that it would go
    into, if any. `words_of_log` names the fields that hold text from a log, which a person has to
    read; `origins` are the sessions that it comes from, with the text. `drafted` is the page before
    a program or a person reworded it, `program` the program that did. `seen` is the state of
    journal and catalog that it was made by; a verdict carries it.
    """

    reviewed: Reviewed
    page: str
    title: str
    action: PatternAction
    into: str
    floors: list[tuple[str, int, int, bool]]
    status: str
    resembles: list[tuple[str, str]]
    words_of_log: list[str]
    origins: list[tuple[str, str]]
    excerpts: list[tuple[str, str | None, str]]
    notices: list[str]
    drafted: str = ""
    program: str = ""
    seen: Seen | None = None
    # What instructions say of it already.
    told: Told = NOT_TOLD


class Missed(NamedTuple):
    """A floor that a candidate does not reach."""

    id: str
    floor: str
    actual: int | str
    needed: int | str


class AutoReport(NamedTuple):
    """What a batch promotion did."""

    promoted: int
    provisional: int
    skipped_remembered: int
    below_floor: list[Missed]
    merged: dict[str, str]
    patterns: list[PatternOutcome]
    notices: list[str]
