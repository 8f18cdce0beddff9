"""The Solution Pattern: an approved candidate written up, as plain data."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from helix_tui.schema.candidate import CandidateKind

PatternStatus = Literal["provisional", "approved", "deprecated"]
# Where the words of the guidance come from. What is of a log or a program is looked at by a person
# before it is approved.
GuidanceSource = Literal["advice", "person", "log", "command"]


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """A bounded, redacted piece of one session."""

    session: str
    fingerprint: str
    at: str | None = None
    text: str


class PatternEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """How often a pattern was seen, where and when; only ever replaced by more."""

    sessions: int
    frequency: int
    flavors: dict[str, int]
    repos: int
    cost_impact: int = 0
    first_seen: str | None = None
    last_seen: str | None = None
    repo_names: list[str] = []
    remedied: int = 0


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """How one agent is to receive a pattern: other words, only for some files, a place."""

    wording: str = ""
    scope: list[str] = []
    target: str = ""


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Who approved a pattern, when, from which candidate, and where its guidance is from."""

    author: str
    at: str
    candidate: str
    score: float
    guidance: GuidanceSource = "advice"


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern of the catalog.

    `candidates` are all whose evidence it holds, the first the one that it was made of. `why` says
    in words what the evidence shows. `extra` are fields of a file that this version does not know,
    nested as they stand there; `sections` headings of the page that it does not.
    """

    id: str
    version: str
    kind: CandidateKind
    status: PatternStatus
    distribution_ready: bool = False
    signal: str = ""
    error_class: str = msgspec.field(default="", name="class")
    subject: str = ""
    candidates: list[str]
    evidence: PatternEvidence
    rendering: dict[str, Hint] = {}
    provenance: Provenance
    related: list[str] = []
    supersedes: list[str] = []
    superseded_by: str = ""
    title: str
    problem: str
    applies: str
    does_not_apply: str = ""
    guidance: str
    why: str = ""
    excerpts: list[Excerpt] = []
    sections: dict[str, str] = {}
    extra: dict[str, Any] = {}
