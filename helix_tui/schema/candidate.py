"""Candidates: signals of many sessions grouped into what recurs, and their ranks."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.quality import RECURRING
from helix_tui.schema.signal import Followed, Profile, Signal, SignalName

# Less often in one conversation is no work of its own.
_OFTEN = 5
CandidateKind = Literal["problem", "success"]
CandidateState = Literal["new", "ongoing", "escalating", "regressed", "quiet"]
VerdictName = Literal["open", "discussed", "approved", "rejected", "snoozed", "merged"]
Sort = Literal["error", "correction", "report", "instruction", "workflow", "moment"]
# What was taught and did not help, what can be fixed, what is worth knowing, and the rest, which
# only `--all` lists. The first is never stored: it follows from the sessions since.
Tier = Literal["again", "fix", "know", "rest"]
TIERS: tuple[Tier, ...] = ("again", "fix", "know", "rest")
# Whether there is a line to write down, something of one place to look into, or nothing that the
# tools do not say by themselves.
Worth = Literal["line", "look", "known"]
WORTHS: tuple[Worth, ...] = ("line", "look", "known")
Scope = Literal["repo", "machine", "agent", "everyone"]
Order = Literal["band", "tier", "score", "sessions", "recent"]


class Counted(NamedTuple):
    """A session as detection counts it: a child counts as its root, and shares its gate."""

    key: int
    id: str
    root: str
    flavor: str
    repo: str
    branch: str
    first_ts: int
    last_ts: int
    gate: str | None


class Gated(NamedTuple):
    """A session as the quality gate needs it."""

    key: int
    id: str
    parent: str | None
    flavor: str
    repo: str | None
    branch: str | None
    first_ts: int | None
    last_ts: int | None
    events: int
    profile: Profile
    # Whether its log does not say where it ran.
    is_placeless: bool = False


class Sighting(NamedTuple):
    """The signals of one bucket that one session has."""

    session: Counted
    signals: list[Signal]
    # The words of a sub-agent's user are another agent's.
    is_sub_agent: bool = False


class Evidence(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The place of an occurrence, by the fingerprint of its event."""

    session: str
    fingerprint: int
    ts: int | None


class Member(msgspec.Struct, array_like=True, gc=False):
    """A session of a candidate: how often it happened there, when, and what it cost."""

    flavor: str
    repo: str
    count: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    chars: int = 0
    ms: int = 0


class Remedy(msgspec.Struct, frozen=True, gc=False):
    """What overcame a problem, and in how many of the conversations that overcame it.

    `text` says it, `failed` and `works` are two actions as they were run. `members` are the
    conversations in which it worked, `of` counts those that overcame the problem in any way, and
    `lift` compares that with how often the same is done where nothing failed. `verb` is the change
    in a word, `ran` the step that made it, `ways` counts all ways by their verbs. `id` is the one
    that it had when it was a candidate of its own. One that gives up a safeguard is counted, and
    never shown as something to do.
    """

    id: str
    text: str
    verb: str
    ran: str
    failed: str
    works: str
    of: int
    share: float
    lift: float | None
    members: list[str]
    ways: dict[str, int] = {}
    is_weakening: bool = False
    # Conversations in which it got past the problem and then failed by something else.
    further: int = 0
    # The words that were added each time, where they are the same in all conversations; and the
    # word that was exchanged, where that is the same, with what stood in its place where that is.
    added: str = ""
    # Whether words were added each time, and others each time.
    is_varied: bool = False
    gone: str = ""
    come: str = ""
    # The formatter or fixer behind which a check passed, without files.
    fixer: str = ""
    # How often it was run again in the conversation that kept to it most, and passed each time; and
    # what it then warned of, where a variable hides something from it.
    again: int = 0
    warned: str = ""

    @property
    def sessions(self) -> int:
        """In how many conversations it worked."""
        return len(self.members)


class Candidate(msgspec.Struct, gc=False):
    """What recurs, as it is stored; what depends on all sessions is added on reading.

    `signals` counts the sessions by signal. `aliases` are ids that parts of it once had, or would
    have alone. `cure` is what overcomes it. `shape` is the normal form of the action that fails,
    `scope` whom it concerns; `kinds` counts the sessions by the kinds of message that it shows in.
    """

    id: str
    kind: CandidateKind
    signal: SignalName
    signals: dict[str, int]
    tool_class: str
    error_class: str
    subject: str
    title: str
    members: dict[str, Member]
    evidence: list[Evidence]
    templates: list[str] = []
    aliases: list[str] = []
    sort: Sort = "error"
    tier: Tier = "know"
    tier_reason: str = ""
    scope: Scope = "everyone"
    shape: str = ""
    kinds: dict[str, int] = {}
    # The message of an error of which no class is known, as its templates were joined.
    said: str = ""
    # How it was overcome, in words with an example, and in how many conversations each.
    ways: dict[str, int] = {}
    check: str = ""
    # Whether it holds only what no more specific candidate explains.
    is_remainder: bool = False
    # Whether two conversations failed in the same action.
    has_common_action: bool = True
    # The file that agents of two conversations edited behind what people said.
    reworked: str = ""
    # In how many of them they put back what they had replaced in it.
    taken_back: int = 0
    cure: Remedy | None = None
    # Whether people ask for no more than what any session may be asked for.
    is_any_work: bool = False
    # Without one: the few plain ways past it, each seen too seldom to be a remedy.
    leads: list[Remedy] = []
    # What the tool's own output names as the cure, in its words, and in how many conversations.
    hints: dict[str, int] = {}
    # The commands that failed, without values, those of most conversations first.
    actions: list[str] = []
    # Those whose output names the cure that is told, the first of `hints`.
    hinted: list[str] = []
    # Why what people say is only of its moment; empty where it holds for more.
    moment: str = ""
    # In how many conversations people lay it down, or correct the agent towards it.
    laid_down: int = 0
    # Of checks that people find red: by kind and repository, how agents run them.
    steps: dict[str, dict[str, str]] = {}
    # Of a check: in how many conversations it was red behind a claim of done or a commit.
    late: int = 0
    # Of a repository's script: the errors of others that come behind it, and the one behind which
    # each time it comes itself.
    follows: list[Followed] = []
    behind: str = ""
    # Of very many conversations those by which all but figures was decided; else empty.
    drawn: list[str] = []

    @property
    def read(self) -> dict[str, Member]:
        """The conversations by which it was decided what it says: all, but of very many."""
        return {name: self.members[name] for name in self.drawn} or self.members

    @property
    def mostly_once(self) -> int:
        """How often it happened in the one conversation that has most of it; 0 where none has.

        Who changes a rule or moves everything at once meets the same again and again in one go.
        """
        counts = [member.count for member in self.read.values()]
        most = max(counts, default=0)
        is_most = most >= _OFTEN and 2 * most > sum(counts)
        return most if is_most and len(counts) > 1 else 0

    @property
    def hint(self) -> str:
        """What its own output names as the cure, where that is no chance: in two conversations."""
        return next((says for says, number in self.hints.items() if number >= RECURRING), "")


class Citing(msgspec.Struct):
    """What identifies a candidate across groupings: its kind and the evidence it cites."""

    id: str
    kind: CandidateKind
    evidence: list[Evidence]
    aliases: list[str] = []


class TeamSpan(NamedTuple):
    """How a candidate spreads over a team: conversations of one's own and of all, machines, people.

    `by` has the conversations of each pseudonym, in order of names: nobody is ranked.
    """

    own: int
    all: int
    machines: int
    people: int
    by: dict[str, int]


class Brief(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The figures of a candidate that a list needs, stored beside it.

    `flavors` and `repos` count its sessions; `weeks` are those in which they began, in order. One
    repository is at most half of `counted_sessions`. The medians are the cost of an occurrence.
    """

    id: str
    kind: CandidateKind
    title: str
    error_class: str
    sessions: int
    frequency: int
    flavors: dict[str, int]
    repos: dict[str, int]
    counted_sessions: float
    median_tokens: float
    median_minutes: float
    cost_impact: int
    first_ts: int | None
    last_ts: int | None
    weeks: list[int]
    aliases: list[str] = []
    # Of stores of before: what a success overcame.
    resolves: str = ""
    tier: Tier = "know"
    # Whether a remedy held, or a plain way was seen, that somebody can be told.
    is_sure_fix: bool = False
    worth: Worth = "line"
    # Whether people only ask for it: nothing failed.
    is_asked: bool = False
    # Whether what failed is of no one repository or machine, so that a model may know it by itself.
    is_shared: bool = False
    # On a team's list: the conversations by the data folder that pushed them.
    origins: dict[str, int] = {}
    team: TeamSpan | None = None

    @property
    def is_cross_flavor(self) -> bool:
        """Whether more than one agent has it."""
        return len(self.flavors) > 1

    @property
    def is_cross_flavor_firm(self) -> bool:
        """Whether more than one agent has it in more than one session."""
        return len(self.flavors) > 1 and sum(1 for n in self.flavors.values() if n > 1) > 1


class Rate(NamedTuple):
    """How many of the eligible sessions have it."""

    having: int
    eligible: int


class ScoreParts(NamedTuple):
    """The factors of a score, in the order of the calculation."""

    sessions: int
    counted_sessions: float
    eligible: int
    rate_low: float
    median_tokens: float
    median_minutes: float
    waste: float


class Ranked(msgspec.Struct, gc=False, frozen=True):
    """A candidate with its figures among all sessions."""

    candidate: Candidate
    brief: Brief
    flavors: dict[str, Rate]
    repos: dict[str, Rate]
    score: float
    parts: ScoreParts
    trend: list[int]
    state: CandidateState

    @property
    def remedy(self) -> Remedy | None:
        """What overcomes it."""
        return self.candidate.cure

    @property
    def frequency(self) -> int:
        """How often it happened."""
        return self.brief.frequency

    @property
    def is_cross_flavor(self) -> bool:
        """Whether more than one agent has it."""
        return self.brief.is_cross_flavor

    @property
    def is_cross_flavor_firm(self) -> bool:
        """Whether more than one agent has it in more than one session."""
        return self.brief.is_cross_flavor_firm

    @property
    def cost_impact(self) -> int:
        """The tokens that all occurrences cost."""
        return self.brief.cost_impact

    @property
    def first_ts(self) -> int | None:
        """When it was first seen."""
        return self.brief.first_ts

    @property
    def last_ts(self) -> int | None:
        """When it was last seen."""
        return self.brief.last_ts


class CandidateFilter(NamedTuple):
    """Which candidates a list shows; counts never depend on it."""

    min_frequency: int = 0
    flavor: str | None = None
    repo: str | None = None
    since_ts: int | None = None
    is_all: bool = False
    order: Order = "band"


class Dropped(NamedTuple):
    """A session that does not count, and why."""

    id: str
    flavor: str
    repo: str | None
    last_ts: int | None
    events: int
    gate: str
    reason: str
