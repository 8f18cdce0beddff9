"""Settings of memory, what a distiller takes and returns, and what commands and screens show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.digest import Facts, TurnKind

DistillerName = Literal["extractive", "command", "model"]
DISTILLERS: tuple[DistillerName, ...] = ("extractive", "command", "model")
# What parts an open end from the last step before it.
LAST_STEP = " | last step: "
# A line in the place of the middle of a text that was too long to be kept.
CUT = "[…]"
FlushAction = Literal["written", "nothing_new", "noop", "busy", "failed", "capped", "fell_back"]


class MemorySettings(NamedTuple):
    """How sessions are distilled, what that may cost, and when notes are updated."""

    distiller: DistillerName = "extractive"
    command: tuple[str, ...] = ()
    timeout_seconds: int = 120
    repeat_window_seconds: int = 60
    daily_token_cap: int = 200_000
    compile_interval_minutes: int = 60
    flush_on_hook: bool = True
    notes: bool = True
    minimum_tokens_to_init: int = 10_000
    minimum_tokens_between_update: int = 5_000
    tool_calls_between_updates: int = 3
    notes_template: Path | None = None


class Flushed(msgspec.Struct, frozen=True):
    """The result of one flush: the log that it went to, why it did not, and who distilled it.

    Where nothing was distilled, `by` is who would have been asked. `tokens` are what a model took.
    """

    session: str
    action: FlushAction
    daily: str | None = None
    reason: str = ""
    by: DistillerName = "extractive"
    tokens: int = 0
    # The model cannot be asked about other sessions either.
    is_model_out: bool = False


class SpoolLine(msgspec.Struct, frozen=True):
    """One event that an agent's hook reported: which session, where its log is, when (ms).

    Of a guard also whose rule it answered by, and what.
    """

    flavor: str
    session: str
    path: str
    event: str
    at: int
    pattern: str = ""
    version: str = ""
    answer: str = ""
    # What an agent was handed, as JSON of a `HandedOut`; empty for what an agent reported.
    handed: str = ""


class Aside(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What an agent said within a turn, before it went on; redacted and bounded.

    `result` is the fingerprint of the result that it follows, `edited` the file that it edited next
    or, where its call names none, the tool; `event` is the fingerprint of what was said.
    """

    text: str
    result: int = 0
    edited: str = ""
    event: int = 0
    # What that edit added, where it was a line or two.
    put: str = ""


class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What an agent asked by a tool, and what the person chose; `event` is the result's."""

    question: str
    answer: str
    event: int = 0


class Exchange(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A prompt and its last reply; both redacted and bounded.

    `asides` are earlier replies that may say why something was done; the events are fingerprints.
    `choices` are what the person was asked by a tool on the way, and chose.
    """

    ts: int | None
    asked: str
    answered: str
    calls: int = 0
    edits: int = 0
    asides: list[Aside] = []
    asked_event: int = 0
    answered_event: int = 0
    choices: list[Choice] = []
    # How the agent's first words in the turn begin.
    began: str = ""
    # Whether the last reply was said on the way: calls followed, and no reply behind them.
    is_cut: bool = False
    # The files that were edited in the turn, as they are named.
    files: list[str] = []
    # The first reply of the turn, where it is not the last: it answers what was asked.
    first: str = ""
    # The titles of the commits that git said were made in the turn.
    commits: list[str] = []


class CommitMade(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A commit as git itself told of it: its title and hash, and how many files it has."""

    title: str
    hash: str
    files: int
    created: list[str] = []
    deleted: list[str] = []


class TreeStand(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How the files stand: which are changed and in no commit, as far as the session tells.

    `is_clean` is git's own word, behind the last edit. `unpushed` are the hashes of commits behind
    the last push, empty where git did not tell one; `code_edits` counts edits of code.
    """

    has_edits: bool = False
    open_files: list[str] = []
    is_clean: bool = False
    unpushed: list[str] = []
    code_edits: int = 0
    # Files of which every edit failed, or was refused.
    refused: list[str] = []


class PullRequest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A pull request that was opened, how it stands, and the boxes of its text nobody ticked."""

    number: str
    title: str
    state: str
    boxes: list[str] = []


class CheckRun(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The last run of a check whose outcome is known, and how many edits of code came behind it.

    `is_baseline` marks one that ran before anything was edited. `with_commit`: a commit ran it.
    """

    name: str
    kind: str
    state: str
    edits_since: int
    is_baseline: bool = False
    with_commit: bool = False


class AgentAnswer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a sub-agent was to do, in the words of the call, and the beginning of its answer."""

    task: str
    text: str


class Told(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a person corrected or laid down, as the digest judges their turns."""

    kind: TurnKind
    text: str
    score: float = 0.0
    # The fingerprint of the turn, and what the agent had just done or said.
    event: int = 0
    before: str = ""


class Piece(msgspec.Struct, frozen=True):
    """What is new of a session since it was last flushed; every text in it is redacted.

    `facts` are those of the new events alone; `fingerprints` are all that it covers, including
    events that can no longer be read.
    """

    session: str
    flavor: str
    native_id: str
    repo: str | None
    branch: str | None
    cwd: str | None
    first_ts: int | None
    last_ts: int | None
    is_first: bool
    exchanges: list[Exchange]
    facts: Facts
    fingerprints: Sequence[int]
    # How it broke off and what of its work is open.
    unfinished: Sequence[str] = ()
    title: str = ""
    # How it stands at its end, where checks, git or the person tell.
    state: str = ""
    told: list[Told] = []
    # What the agent itself wrote down when its context was compacted.
    summaries: list[str] = []
    # Files that a shell wrote, and that no edit of the agent's names.
    written: list[str] = []
    # Commits as git told of them, and files that were deleted and not made again.
    commits: list[CommitMade] = []
    deleted: list[str] = []
    # How it went, as the digest judges it, where that says something.
    outcome: str = ""
    # Commands by which checks passed, those run most often first.
    passed: list[str] = []
    # How many of its events are known by little more than that they were.
    evicted: int = 0
    # What sub-agents answered.
    agents: list[AgentAnswer] = []
    tree: TreeStand = TreeStand()
    requests: list[PullRequest] = []
    # The checks by their last runs, and those commands of `passed` that ran before later edits.
    checks: list[CheckRun] = []
    passed_before: list[str] = []


class Distilled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is worth keeping of a piece, as Markdown; words from a log are quoted as code."""

    context: list[str]
    key_exchanges: list[str]
    decisions: list[str]
    lessons: list[str]
    actions: list[str]


class WaitingLog(msgspec.Struct, frozen=True):
    """A daily log that changed and is compiled again from this moment (ms) on."""

    day: str
    due_at: int


class ArticleChange(msgspec.Struct, frozen=True):
    """What compiling did to an article, who judged its lines, and why the model did not."""

    title: str
    path: str
    lines: int
    action: Literal["created", "updated", "unchanged"]
    by: DistillerName = "extractive"
    reason: str = ""


class Compiled(msgspec.Struct, frozen=True):
    """The daily logs that were compiled, those that wait, and the changed articles."""

    days: list[str]
    waiting: list[WaitingLog]
    articles: list[ArticleChange]


class DailyLog(msgspec.Struct, frozen=True):
    """One day's log."""

    day: str
    path: str
    entries: int
    size: int


class Article(msgspec.Struct, frozen=True):
    """One article of the knowledge base."""

    title: str
    path: str
    lines: int


class Failure(msgspec.Struct, frozen=True):
    """A session that could not be flushed: why, how often, and when it is retried unless dead."""

    session: str
    reason: str
    rounds: int
    at: int
    next_at: int
    is_dead: bool


class FlushNote(msgspec.Struct, frozen=True):
    """One flush of a session that went to a daily log, with the entry as it was written."""

    at: int
    day: str
    by: str
    is_noop: bool
    text: str = ""


class Waiting(msgspec.Struct, frozen=True):
    """A session that is flushed from this moment (ms) on."""

    session: str
    due_at: int


class MemoryOverview(msgspec.Struct, frozen=True):
    """What memory holds and what waits; logs and failures the latest first.

    `troubles` names what could not be read; the rest is complete.
    """

    days: list[DailyLog]
    articles: list[Article]
    failures: list[Failure]
    spool: list[SpoolLine]
    spent_today: int
    token_cap: int
    waiting: list[Waiting] = []
    troubles: list[str] = []
    notes: list[NotesFile] = []


class SessionMemory(msgspec.Struct, frozen=True):
    """What memory holds of one session: flushes, the latest first, the failure, the notes."""

    flushes: list[FlushNote]
    failure: Failure | None
    notes: NotesFile | None


NotesAction = Literal["written", "unchanged", "waiting", "busy"]


class NotesOutcome(msgspec.Struct, frozen=True):
    """The result of updating one session's notes, and why; times are milliseconds.

    `by` is who wrote their lines, `fell_back` why the model did not, `tokens` what it took.
    """

    session: str
    path: str
    action: NotesAction
    reason: str
    context_tokens: int
    updated_at: int | None
    by: DistillerName = "extractive"
    fell_back: str = ""
    tokens: int = 0


class NotesFile(msgspec.Struct, frozen=True):
    """A notes file on disk; `kept` are the sections that a person changed.

    Where the state in the file cannot be read, its session and time are unknown.
    """

    session: str
    path: str
    title: str
    updated_at: int | None
    context_tokens: int
    size: int
    kept: list[str]


class NotesTurn(msgspec.Struct, frozen=True):
    """A turn for the worklog: what was asked and said, both redacted, and calls by class."""

    ts: int | None
    asked: str
    said: str
    calls: dict[str, int]
    failed: int
