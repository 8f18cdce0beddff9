"""The digest: what stays of a session without its raw bytes; texts are redacted and bounded."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Ended = Literal[
    "reply",
    "question",
    "prompt",
    "tool_call",
    "tool_result",
    "tool_error",
    "refused",
    "interrupted",
    "api_error",
    "compaction",
]
RunState = Literal["passed", "failed", "unknown"]
# The way that a person's words took into a log.
Via = Literal["prompt", "command", "refusal", "queued", "beside a result"]
TurnKind = Literal["correction", "report", "instruction", "none"]
OutcomeName = Literal["success", "partial", "failed", "abandoned", "unknown"]
OUTCOMES: tuple[OutcomeName, ...] = ("success", "partial", "failed", "abandoned", "unknown")
# The row of a bounded table that sums up what it has no room for, so that totals stay true.
REST = ""
OTHER_CODE = -1


class ToolTally(msgspec.Struct, array_like=True, gc=False):
    """How often a tool was called, and how many of its results were flagged as errors."""

    calls: int = 0
    errors: int = 0


class CommandTally(msgspec.Struct, array_like=True, gc=False):
    """The runs of one shell command; a duration is measured from the call to its result."""

    runs: int = 0
    failures: int = 0
    exit_codes: dict[int, int] = {}
    timed: int = 0
    total_ms: int = 0
    longest_ms: int = 0


class FileTally(msgspec.Struct, array_like=True, gc=False):
    """How often a file was read and edited."""

    reads: int = 0
    edits: int = 0


class ErrorFact(msgspec.Struct, array_like=True, gc=False):
    """One failed call: the line that names the error, what was tried, and what came next.

    `is_planned` marks a check that was meant to fail. `shape` is what failed, without values.
    """

    fingerprint: int
    ts: int | None
    tool: str
    exit_code: int | None
    group: str
    line: str
    text: str
    call: str
    after: list[str]
    is_planned: bool = False
    shape: str = ""


class ErrorGroup(msgspec.Struct, array_like=True, gc=False):
    """All failed calls of one signature, and their cost until each was overcome or given up.

    The line is redacted but not masked, so that it can be regrouped without its raw bytes. The
    fingerprint is that of the first, for which `errors` may have no room. `shapes` are how often it
    came of which action (`helix_tui/text/shape.py`). `hint` is the line in which the output itself
    names a cure, `hinted` the action whose output does.
    """

    line: str
    tool_class: str
    exit_code: int | None
    command: str
    count: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    chars: int = 0
    ms: int = 0
    fingerprint: int = 0
    shapes: dict[str, int] = {}
    hint: str = ""
    hinted: str = ""


class Recovery(msgspec.Struct, array_like=True, gc=False):
    """An error, what was changed, and what then passed; `verb` is the change in words.

    `change` is the difference between the action that failed (`failed`, of `shape`) and the next
    one like it that passed (`passed`), in the form that `helix_tui/text/shape_change.py` gives it;
    `remedy` is the step that was taken before, or what passed. `count` is how many failures of the
    group were overcome so. Those of `NO_REMEDY` have no verb: they only say that it was overcome.
    One that `is_further` failed as well, by something that comes later. `fixer` is the formatter or
    fixer that the step was, as a command without the files of that day: `npm run format`.
    """

    fingerprint: int
    ts: int | None
    group: str
    verb: str
    remedy: str
    passed: str
    count: int = 1
    failed: str = ""
    change: str = ""
    shape: str = ""
    is_further: bool = False
    fixer: str = ""
    # How often what passed was run again later and passed; below 0 where it failed then. And the
    # warning that it gave where a variable hides something from it.
    again: int = 0
    warned: str = ""


class Habit(msgspec.Struct, array_like=True, gc=False):
    """How actions of one program change from one to the next where the first had not failed.

    `pairs` counts those that were alike, `changes` how often each change was made among them.
    """

    pairs: int = 0
    changes: dict[str, int] = {}


class ShapeTally(msgspec.Struct, array_like=True, gc=False):
    """How often actions of one shape were run, passed and failed; some have no known result."""

    runs: int = 0
    passed: int = 0
    failed: int = 0


class Moment(msgspec.Struct, array_like=True, gc=False):
    """Something worth citing, by the fingerprint of its event; `count` is how often in a row.

    `about` is what it is grouped by: a program, a tool or an error's group. `chars` and `ms` are
    its cost.
    """

    fingerprint: int
    ts: int | None
    text: str
    count: int = 1
    about: str = ""
    before: str = ""
    after: list[str] = []
    chars: int = 0
    ms: int = 0


class RunFact(msgspec.Struct, array_like=True, gc=False):
    """One run of a check, a commit or a push, by the fingerprint of its result.

    `runner` is whose lines were read, `reason` the line or status that decided, `script` the
    script that it stood in (`npm check`, `make`); counts are those that it printed.
    """

    fingerprint: int
    ts: int | None
    name: str
    state: RunState
    passed: int | None = None
    failed: int | None = None
    kind: str = ""
    runner: str = ""
    reason: str = ""
    script: str = ""


class CheckFact(msgspec.Struct, array_like=True, gc=False):
    """The last state of one check that is known; unknown only where nothing else ever was."""

    state: RunState
    ts: int | None
    fingerprint: int = 0
    # Whether code was edited after it.
    is_stale: bool = False


class TurnLabel(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A turn as a model read it: its kind, its topic in a few words, the rule that it asks for."""

    kind: TurnKind
    topic: str = ""
    rule: str = ""
    model: str = ""


class TurnFact(msgspec.Struct, array_like=True, gc=False):
    """A turn of a person: the words, where they stand, and what the agent did before and after.

    `own` are the person's own words where the text holds others too. `traits` are what the
    judgement goes by, as bits; those of what came after come later. `before` is the action or
    the words of the agent that it follows; `chars` and `ms` are what the agent spent on its turn.
    """

    fingerprint: int
    ts: int | None
    text: str
    via: Via = "prompt"
    traits: int = 0
    own: str = ""
    command: str = ""
    before: str = ""
    after: list[str] = []
    chars: int = 0
    ms: int = 0
    # What was spent from this turn to the next, in characters.
    took: int = 0
    # The command that the person had just run without the agent.
    own_run: str = ""
    # What a model says of it; never stored with the digest, but put in when it is read.
    label: TurnLabel | None = None
    # Edits, and commands that change files, from this turn to the next.
    edits: int = 0
    # The file of which the agent then put back what it had replaced before, with its folder.
    taken_back: str = ""


class Closing(msgspec.Struct, array_like=True, gc=False):
    """What the last reply leaves to the person: a question or a request, and what it says remains.

    `is_offer` marks a question that only offers more; `unable` is where the agent says that it
    could not do what was asked.
    """

    question: str = ""
    is_offer: bool = False
    remaining: list[str] = []
    unable: str = ""
    # What a review found, by its weight; open unless something was changed since.
    findings: list[str] = []


class Ending(msgspec.Struct, array_like=True, gc=False):
    """What is open where a session, or one part of it, ends."""

    closing: Closing = msgspec.field(default_factory=Closing)
    # The last prompt that asks for work, and not only to go on.
    last_task: str = ""
    # What the agent's own list of tasks has that is not done; None where it kept none.
    open_tasks: list[str] | None = None
    # Prompts that have something put off: a todo or an issue made of it.
    put_off: list[str] = []
    # Whether a commit or a push was asked for, and one came of it; or commits all along.
    commit_request: Literal["", "asked", "done", "always"] = ""
    # The last change that the person refused, unless something was changed after it.
    refused_change: str = ""
    # Calls that were not permitted since the last prompt, and that nothing like it made up for.
    not_permitted: list[str] = []
    # Edits since the last check, of code and of documents; edits and commits in all.
    code_edits: int = 0
    document_edits: int = 0
    changes: int = 0
    edits_since_commit: int = 0
    # Programs that ran well since the last edit of code.
    tries: int = 0
    # How often the person reported a failure since a check last passed, and the last report.
    reports: int = 0
    last_report: str = ""
    # Prompts that ask for work since the agent last touched its list.
    tasks_since_list: int = 0
    # Earlier prompts that the agent did not get to answer before the next one came.
    unanswered: list[str] = []
    # Whether the person said that nothing is to be pushed, or that they do so themselves.
    is_push_forbidden: bool = False
    # Whether the person asked for a merge, and whether one came of it.
    merge_request: Literal["", "asked", "done"] = ""
    # Prompts since the last report that ask for other work and do not repeat it.
    requests_since_report: int = 0
    # Of the edits of code since the last check those of style sheets, manifests and settings.
    plain_edits: int = 0
    # Whether the person turned down what the agent said last, and nothing was changed since.
    is_turned_down: bool = False
    # Whether something was put off of which no issue and no todo was filed yet.
    wants_filing: bool = False
    # Whether the person asked for a push or a release, and whether one came of it.
    push_request: Literal["", "asked", "done"] = ""
    # What an agent reported as blocked at the end of a turn, and has changed nothing for since.
    blocked: list[str] = []
    # Whether the person's last word of the work was that it did the job but for something.
    is_half_accepted: bool = False


class WorkName(msgspec.Struct, array_like=True, gc=False):
    """What an agent calls the work, how much that counts, and behind how many prompts."""

    rank: int
    text: str
    prompts: int = 0


class Facts(msgspec.Struct, gc=False):
    """What can be counted and cited of a session, or of one part of it."""

    first_ts: int | None = None
    last_ts: int | None = None
    active_ms: int = 0
    prompts: int = 0
    first_prompt: str = ""
    last_prompt: str = ""
    replies: int = 0
    last_reply: str = ""
    tools: dict[str, ToolTally] = {}
    commands: dict[str, CommandTally] = {}
    files: dict[str, FileTally] = {}
    errors: list[ErrorFact] = []
    error_groups: dict[str, int] = {}
    refusals: int = 0
    cascades: int = 0
    timeouts: int = 0
    benign_exits: int = 0
    retries: int = 0
    loops: list[Moment] = []
    corrections: list[Moment] = []
    correction_count: int = 0
    interruptions: int = 0
    api_errors: int = 0
    compactions: int = 0
    checks_passed: int = 0
    checks_failed: int = 0
    last_check: str = ""
    last_check_passed: bool | None = None
    edits_since_check: int = 0
    calls_since_prompt: int = 0
    checks_since_prompt: int = 0
    commits: int = 0
    ended: Ended | None = None
    ended_text: str = ""
    groups: dict[str, ErrorGroup] = {}
    last_group: str = ""
    recoveries: list[Recovery] = []
    fixes: list[Moment] = []
    false_claims: list[Moment] = []
    persistences: list[Moment] = []
    first_passes: dict[str, Moment] = {}
    kept: list[Moment] = []
    reverts: int = 0
    interrupted: list[Moment] = []
    compacted: list[Moment] = []
    api_failures: list[Moment] = []
    reactions: list[Moment] = []
    slow: list[Moment] = []
    last_reply_fingerprint: int = 0
    policy_refusals: int = 0
    planned_reds: int = 0
    useful_calls: int = 0
    tasks: int = 0
    # Every run of a check, a commit or a push; the last ones where there are too many.
    runs: list[RunFact] = []
    checks: dict[str, CheckFact] = {}
    # Calls that failed by what they printed or returned, whether the agent says so or not.
    failures: int = 0
    # What harnesses refused in words, inside a success.
    refused_in_words: list[Moment] = []
    unknown_wordings: int = 0
    # Every turn of a person, in order; where there are too many, the oldest unmarked give way.
    turns: list[TurnFact] = []
    # By program: how its actions change where nothing failed.
    habits: dict[str, Habit] = {}
    # By shape: what was run, and how it went.
    shapes: dict[str, ShapeTally] = {}
    # What was edited, by kind of file.
    kinds_edited: dict[str, int] = {}
    # What the session is called: by the agent's own records, and by what was asked.
    own_title: str = ""
    own_title_rank: int = 0
    own_title_ts: int | None = None
    asked_title: str = ""
    asked_title_rank: int = 0
    # What the agent itself calls the work, in order.
    named: list[WorkName] = []
    ending: Ending = msgspec.field(default_factory=Ending)
    # Sessions that this one goes on with: what it was forked from, or whose plan it carries out.
    links: list[str] = []
    # Checks that were red behind a commit, with nothing edited since: by their results.
    reds_behind_commits: list[int] = []


class Verdict(NamedTuple):
    """How a session ended, which is a fact, and how it probably went, which is an inference."""

    ended: Ended | None
    outcome: OutcomeName
    confidence: float | None
    reason: str | None


class Digest(msgspec.Struct, frozen=True, gc=False):
    """A session's facts and the verdict on them; inexact where raw bytes went too early."""

    facts: Facts
    verdict: Verdict
    is_exact: bool
    extractor: int
    # What it leaves open; None where an older extractor made it, which did not look.
    left_open: list[str] | None = None
