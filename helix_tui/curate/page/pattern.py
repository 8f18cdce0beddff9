"""The Solution Pattern, an approved candidate written up, as plain data."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from helix_tui.schema.candidate import CandidateKind
from helix_tui.schema.distribute import Rung
from helix_tui.schema.guard import Answer

PatternStatus = Literal["provisional", "approved", "deprecated"]
# Where the words of the guidance come from. A person reviews words from a log or a program before
# they are approved.
GuidanceSource = Literal["advice", "person", "log", "command"]

_NUMBER = r"(0|[1-9][0-9]{0,8})"
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]"
_TIME = (
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?"
    r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?"
)

# In Python `$` also matches before a final line break, which must not get into a path; JSON Schema
# has no `\Z`.
_END = r"$(?!\n)"

# The descriptions are quoted in the published schema and in the mistakes of a page.
Id = Annotated[
    str,
    Meta(
        pattern=rf"^{_NAME}{{0,120}}{_END}",
        description="a name of letters, digits, `.`, `_` and `-`, at most 121 characters",
    ),
]
IdOrNone = Annotated[
    str, Meta(pattern=rf"^({_NAME}{{0,120}})?{_END}", description="the id of a pattern, or empty")
]
Flavor = Annotated[
    str,
    Meta(pattern=rf"^{_NAME}{{0,39}}{_END}", description="the short name of an agent, like claude"),
]
Version = Annotated[
    str,
    Meta(
        pattern=rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}{_END}",
        description="a version of three numbers, like 1.4.0",
    ),
]
Time = Annotated[
    str,
    Meta(pattern=rf"^{_TIME}{_END}", description="a day or time, like 2026-05-31T08:30:00Z"),
]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1, description="a count, 0 or more")]
Score = Annotated[float, Meta(ge=0, description="a number, 0 or more")]
Word = Annotated[str, Meta(max_length=500, description="a text of at most 500 characters")]
RuleWords = Annotated[
    str, Meta(max_length=700, description="one line or two of at most 300 characters each")
]
Glob = Annotated[
    str, Meta(min_length=1, max_length=300, description="a pattern of file names, like src/**")
]
# One word, so that the heading of an excerpt can be parsed.
Cited = Annotated[
    str, Meta(pattern=rf"^\S{{1,300}}{_END}", description="one word of at most 300 characters")
]
Title = Annotated[
    str, Meta(min_length=1, max_length=200, description="one line of 1 to 200 characters")
]
Prose = Annotated[str, Meta(max_length=8192, description="a text of at most 8,192 characters")]
NeededProse = Annotated[
    str, Meta(min_length=1, max_length=8192, description="a text of 1 to 8,192 characters")
]
Quoted = Annotated[str, Meta(max_length=3072, description="a text of at most 3,072 characters")]
Ids = Annotated[list[Id], Meta(max_length=1000, description="a list of at most 1,000 ids")]
NeededIds = Annotated[
    list[Id], Meta(min_length=1, max_length=1000, description="a list of 1 to 1,000 ids")
]


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """A bounded, redacted piece of one session."""

    session: Cited
    fingerprint: Cited
    at: Time | None = None
    text: Quoted


class PatternEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """How often a pattern was seen, where and when; only ever replaced by more.

    `remedied` are the sessions in which one line of the guidance helped, `remedied_line` is the
    mark of that line; `unadvised` those that got past it in a way that is never proposed.
    """

    sessions: Count
    frequency: Count
    flavors: dict[Flavor, Count]
    repos: Count
    cost_impact: Count = 0
    first_seen: Time | None = None
    last_seen: Time | None = None
    repo_names: list[Word] = []
    remedied: Count = 0
    remedied_line: Word = ""
    unadvised: Count = 0


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """How one agent is to receive a pattern: other words, only for some files, a place."""

    wording: Prose = ""
    scope: list[Glob] = []
    target: Word = ""


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Who approved a pattern, when, from which candidate, and where its guidance is from."""

    author: Word
    at: Time
    candidate: Id
    score: Score
    guidance: GuidanceSource = "advice"


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern of the catalog.

    `candidates` are all whose evidence it holds, the first the one that it was made of. `why` says
    in words what the evidence shows. `scope` is where it applies: `user`, or `repo:NAME` and
    `path:GLOB` with commas between them; pages of before say whom it concerns (repo, machine,
    agent, everyone). `rung` is how it is taught and `rule` in which words, each proposed where it
    is empty; `allowed` is why it may go to agents below the floors. `guard` is what agents are
    answered before a call of `shape`, where a person switched that on. A page without `guidance`
    waits for somebody's words, and is never handed to agents. `extra` are fields of a file that
    this version does not know, nested as they stand there; `sections` headings of the page that it
    does not.
    """

    id: Id
    version: Version
    kind: CandidateKind
    status: PatternStatus
    distribution_ready: bool = False
    signal: Word = ""
    error_class: Word = msgspec.field(default="", name="class")
    subject: Word = ""
    scope: Word = ""
    rung: Rung | Literal[""] = ""
    rule: RuleWords = ""
    allowed: Word = ""
    guard: Answer | Literal[""] = ""
    shape: Word = ""
    candidates: NeededIds
    evidence: PatternEvidence
    rendering: dict[Flavor, Hint] = {}
    provenance: Provenance
    related: Ids = []
    supersedes: Ids = []
    superseded_by: IdOrNone = ""
    title: Title
    problem: NeededProse
    applies: NeededProse
    does_not_apply: Prose = ""
    guidance: Prose = ""
    why: Prose = ""
    excerpts: list[Excerpt] = []
    sections: dict[Title, Prose] = {}
    extra: dict[str, Any] = {}
