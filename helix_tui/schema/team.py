"""What a machine shares with its team, and what it knows of its own place in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.candidate import Candidate, Sort, TeamSpan
from helix_tui.schema.context import ExposureState
from helix_tui.schema.digest import RunState
from helix_tui.schema.signal import Profile, Signal
from helix_tui.schema.team_settings import Share

# So many of a candidate's conversations a team keeps by name; its figures are of all of them.
MOST_MEMBERS = 200
MemberKind = Literal["person", "ci"]
TombstoneKind = Literal["session", "repo", "origin"]
# How the team's store answers for a session: it took it, has it already, or was told to forget it.
TakenState = Literal["taken", "same", "forgotten"]


class Membership(msgspec.Struct, frozen=True, kw_only=True):
    """Which team this data folder belongs to, and under which names.

    `address` holds no password. `origin` is random and made once: every session's name in the team
    ends with it.
    """

    address: str
    origin: str
    role: str
    joined_at: str
    team: str = "team"


class SharedSpent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The tokens of one session, day, model and price step; ticks where the agent told the cost."""

    day: int
    model: str
    step: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    cache_write_1h: int
    reasoning: int
    cost_ticks: int


class SharedMessage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One message of these sums, and which of them; its mark is alike in all copies."""

    mark: int
    spent: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    cache_write_1h: int
    reasoning: int
    cost_ticks: int


class SharedRun(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One run of a check; without its name where numbers alone are shared."""

    name: str
    kind: str
    state: RunState
    ts: int | None


class SharedFold(msgspec.Struct, frozen=True, omit_defaults=True):
    """What others see of a session beyond its row: texts only where they share excerpts."""

    title: str = ""
    first_prompt: str = ""
    outcome_reason: str = ""
    left_open: list[str] = []
    errors: list[str] = []
    checks: dict[str, str] = {}
    tools: dict[str, tuple[int, int]] = {}
    # What reports count. Corrections and runs are None where no digest tells.
    spent: list[SharedSpent] = []
    messages: list[SharedMessage] = []
    corrections: int | None = None
    runs: list[SharedRun] = []


class SharedWatched(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A conversation in which what a pattern is about could happen, as its machine counts it."""

    uid: str
    at: int
    agent: str
    repo: str
    did: bool
    is_later: bool
    exposure: ExposureState
    model: str = ""
    agent_version: str = ""


class SharedStay(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Since when a rule stood in a repository's files, `*` for all of a person's work.

    `words` is made of the rule's words with the team's key: members tell whether theirs are alike.
    """

    repo: str
    words: str
    since: int
    until: int | None = None


class SharedEffect(msgspec.Struct, frozen=True):
    """What one machine measured of a pattern: numbers and names that members alone can make.

    `seen` are the later conversations that saw it, whether they could or not.
    """

    since: int
    sort: Sort
    is_in: bool
    seen: int
    fired: int
    watched: list[SharedWatched]
    stays: list[SharedStay] = []


class SharedPeers(msgspec.Struct, frozen=True):
    """How often the candidates of each sort happened on one machine, by a name made of their id."""

    peers: dict[str, dict[str, tuple[int, int, int, int]]] = {}


class EffectRow(NamedTuple):
    """The figures of a pattern as they leave; the pattern's name is made with the team's key."""

    pattern: str
    version: str
    figures: str


class TeamRow(msgspec.Struct, frozen=True, kw_only=True):
    """All that leaves of one session, as it leaves: one JSON object.

    `hash` is over everything but itself and the revision, which orders what one machine says of a
    session, whatever its clock does.
    """

    uid: str
    origin: str
    flavor: str
    native_id: str
    parent: str | None
    repo: str
    repo_name: str | None
    branch: str
    is_placeless: bool
    first_ts: int | None
    last_ts: int | None
    model: str | None
    events: int
    turns: int
    prompts: int
    tool_calls: int
    tool_errors: int
    compactions: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: int
    ended: str | None
    outcome: str
    outcome_confidence: float | None
    profile: Profile
    triggers: str
    exposure: list[tuple[str, str, str]]
    marks: list[int]
    share: Share
    signals_version: str
    extractor: int
    revision: int
    hash: str
    signals: dict[str, list[Signal]]
    fold: SharedFold
    words: str


def place_names(known: Mapping[str, str]) -> dict[str, str]:
    """How repositories are called: as they are shared, and told apart where two are alike."""
    often = Counter(known.values())
    return {
        repo: name if often[name] == 1 else f"{name}~{repo[:4]}" for repo, name in known.items()
    }


def origin_of(uid: str) -> str:
    """The data folder that pushed a session, as the session's name in the team ends."""
    return uid.rpartition(".")[2]


def origins_of(candidate: Candidate) -> dict[str, int]:
    """The conversations of a candidate by the data folder that pushed them."""
    return dict(sorted(Counter(map(origin_of, candidate.members)).items()))


class Held(NamedTuple):
    """What did not leave, and why; `what` is the name it has on this machine."""

    what: str
    why: str


def span_of(origins: Mapping[str, int], people: Mapping[str, str], own: str) -> TeamSpan:
    """How a candidate spreads over the data folders of a team."""
    by: Counter[str] = Counter()
    for origin, count in origins.items():
        by[people.get(origin, "somebody")] += count
    return TeamSpan(
        origins.get(own, 0), sum(origins.values()), len(origins), len(by), dict(sorted(by.items()))
    )
