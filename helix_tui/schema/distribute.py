"""What is distributed: patterns as they are taught, sites, plans, and lines of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.context import AgentName
from helix_tui.schema.guard import Answer

# How a pattern is taught, each firmer than the one before.
Rung = Literal["line", "rule", "skill", "guard", "environment"]
RUNGS: tuple[Rung, ...] = ("line", "rule", "skill", "guard", "environment")
# A block of rules within a person's file, or a file that is ours as a whole.
FileKind = Literal["block", "file"]
WriteAction = Literal["create", "insert", "replace", "remove", "unchanged"]
TargetState = Literal["clean", "edited", "missing", "malformed", "unloaded"]
RefusalKind = Literal[
    "floors", "words", "scope", "folder", "rung", "told", "full",
    "malformed", "unreadable", "link", "read_only", "conflict", "foreign",
    "edited", "missing", "unloaded", "twice", "unknown",
]  # fmt: skip
USER = "user"


class Distributable(NamedTuple):
    """Where a pattern may go: into one repository, to all of a person's work; and why (not)."""

    repo: bool
    user: bool
    reason: str


class Scope(NamedTuple):
    """Where a pattern applies: repositories, or a person's all work; and there which files."""

    repos: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    is_user: bool = False


class Teaching(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An approved pattern as agents are taught it.

    `rule` are its words, one line or two; `wordings` what single agents get instead. `concerns` are
    the agents that alone get it, all of them where it is empty. `body` is the text of a skill.
    `guard` is the answer before a call of `shape`. `trouble` says why it can go nowhere.
    """

    id: str
    version: str
    title: str
    rule: str
    rung: Rung = "line"
    scope: Scope = Scope()
    concerns: tuple[str, ...] = ()
    allowed: Distributable = Distributable(repo=True, user=True, reason="")
    wordings: Mapping[str, str] = {}
    body: str = ""
    weight: int = 0
    trouble: str = ""
    guard: Answer | Literal[""] = ""
    shape: str = ""


class Target(NamedTuple):
    """A file that takes a block, and the agents that see it there."""

    path: str
    agents: tuple[AgentName, ...]


class Site(NamedTuple):
    """A place to teach at: a repository's folder or a person's home, and the files to write.

    `unseen` are agents that would not see a rule there, each with the file and the reason.
    `homes` are the folders of agents' own files; nothing is written outside of these and the root.
    """

    name: str
    root: str
    agents: tuple[AgentName, ...]
    targets: tuple[Target, ...] = ()
    unseen: Mapping[AgentName, tuple[str, str]] = {}
    homes: Mapping[str, str] = {}

    @property
    def is_user(self) -> bool:
        """Whether it is a person's own files."""
        return self.name == USER


class Want(NamedTuple):
    """A text that a file should have: a rule in its block, or all of a file that is ours."""

    site: str
    root: str
    file: str
    kind: FileKind
    pattern: str
    version: str
    text: str
    agents: tuple[str, ...]
    weight: int = 0


class LedgerRule(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A rule that was written: of which version, with which words, since when, for whom."""

    pattern: str
    version: str
    text: str
    since: str
    agents: list[str] = []


# A `note` changes no file: the ledger learns what a person did.
BatchAction = Literal["apply", "retract", "undo", "note", "done"]


class LedgerLine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """What became of one file in one batch; a batch ends with a line `done`, or was cut off.

    The file was `data[:offset] + old + rest` and became `data[:offset] + new + rest`; None is a
    file that is not there. `before` and `after` are hashes of all of it. `held` are patterns that
    stay out of the site until somebody asks for them. `undoes` is the batch that is taken back.
    """

    id: str
    batch: str
    at: str
    author: str
    action: BatchAction
    site: str = ""
    root: str = ""
    file: str = ""
    kind: FileKind = "block"
    rules: list[LedgerRule] = []
    glue: str = ""
    is_made: bool = False
    folders: list[str] = []
    offset: int = 0
    old: str | None = None
    new: str | None = None
    before: str = ""
    after: str = ""
    head: str = ""
    held: list[str] = []
    undoes: str = ""


class Held(NamedTuple):
    """What the ledger says of one file."""

    file: str
    site: str
    root: str
    kind: FileKind
    rules: tuple[LedgerRule, ...]
    glue: str
    is_made: bool
    folders: tuple[str, ...]
    head: str


class Found(NamedTuple):
    """A file as it is: its bytes, None where there is none, or why it cannot be written."""

    data: bytes | None
    trouble: tuple[RefusalKind, str] | None = None
    real: str = ""


class Planned(NamedTuple):
    """One file of a plan: its bytes before and behind it, and what the ledger will say of it."""

    file: str
    site: str
    root: str
    kind: FileKind
    action: WriteAction
    before: bytes | None
    after: bytes | None
    rules: tuple[LedgerRule, ...]
    glue: str
    is_made: bool
    folders: tuple[str, ...]
    offset: int
    old: str | None
    new: str | None
    is_noted: bool
    held: tuple[str, ...] = ()

    @property
    def is_write(self) -> bool:
        """Whether the file changes."""
        return self.action != "unchanged"


class DistributeRefusal(NamedTuple):
    """What is not written, and why; with what to do, if anything can be done."""

    file: str
    pattern: str
    kind: RefusalKind
    message: str
    agent: str = ""


class DistributeWarning(NamedTuple):
    """What is written and comes out otherwise than anybody would want, and for which agent."""

    file: str
    pattern: str
    message: str
    agent: str = ""


class Proposal(NamedTuple):
    """A line that somebody changed by hand; no pattern where nobody's rule was there."""

    pattern: str
    file: str
    text: str
    written: str = ""


class TargetStatus(NamedTuple):
    """How a pattern stands in one file."""

    pattern: str
    version: str
    file: str
    site: str
    agents: tuple[str, ...]
    since: str
    state: TargetState


class Plan(NamedTuple):
    """What would be written with which reasons, what would not, and how files stand now."""

    writes: list[Planned]
    refusals: list[DistributeRefusal]
    proposals: list[Proposal]
    targets: list[TargetStatus]
    warnings: tuple[DistributeWarning, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing is to be written and every file is as the ledger says."""
        drifted = any(one.state != "clean" for one in self.targets)
        return not drifted and not self.proposals and not any(one.is_write for one in self.writes)


class DistributeRequest(NamedTuple):
    """What a plan is asked for; a retract names what is to go, none for all."""

    repo: str = ""
    is_user: bool = False
    patterns: tuple[str, ...] = ()
    agent: AgentName | None = None
    is_retract: bool = False
    restores: bool = False
