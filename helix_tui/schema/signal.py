"""Signals: things that happened in one session and may recur in others."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.digest import CheckFact, Verdict

SignalName = Literal[
    "tool_error",
    "env_missing",
    "edit_mismatch",
    "permission",
    "permission_policy",
    "repeated_error",
    "retry_loop",
    "edit_test_fix",
    "user_correction",
    "user_reaction",
    "user_request",
    "instruction",
    "workflow",
    "error_persistence",
    "interruption",
    "compaction",
    "api_error",
    "abandoned",
    "slow_command",
    "false_claim",
    "recovery",
    "first_pass",
    "kept_work",
]


class Followed(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """An error that came behind another one: what failed, what it said, and what got past it.

    `shape` is the action that failed; `verb`, `passed` and `again` are as in `recovery`.
    """

    shape: str
    template: str
    said: str
    verb: str = ""
    passed: str = ""
    again: int = 0


class Signal(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """One thing that happened in a session, with the fields it is grouped by and its cost.

    An error has its class and subject, or its template where no class is known. `verb` is what
    overcame it, `text` what a person reads, `before` what went before it; `values` are the
    milliseconds that runs of a command took. `topic` is what a model says that a turn asks for, its
    words in order of the alphabet.

    `shape` is what failed, without values (`helix_tui/text/shape.py`): of the errors of a session
    that are one signal the most frequent, the first in the order of their texts where two are;
    `shapes` counts all of them. `failed` and `passed` are the action that failed and the one like
    it that then passed, as they stand, redacted, of at most 200 characters; `change` is the
    difference between their shapes, in the form of `helix_tui/text/shape_change.py`. These are set
    in `recovery` alone, of which a session has one for each error and change, `count` failures
    strong. A change of `NO_REMEDY` says that the error was overcome and not by what: it counts
    among those that overcame it, and is never a remedy; its `verb` is empty.

    In `recovery` too, of the session: `tries` and `fails` are how often actions of `shape` were run
    and failed; `pairs` how often two alike actions of its program followed each other where the
    first had not failed, and `usual` in how many of these the same change was made.
    """

    name: SignalName
    tool_class: str = ""
    error_class: str = ""
    subject: str = ""
    template: str = ""
    count: int = 1
    first_ts: int | None = None
    last_ts: int | None = None
    chars: int = 0
    ms: int = 0
    fingerprints: list[int] = []
    text: str = ""
    before: str = ""
    verb: str = ""
    values: list[int] = []
    shape: str = ""
    shapes: dict[str, int] = {}
    failed: str = ""
    passed: str = ""
    change: str = ""
    tries: int = 0
    fails: int = 0
    usual: int = 0
    pairs: int = 0
    topic: str = ""
    # The kind of check that failed, and the step that ran it: `lint`, `mise run lint`.
    check: str = ""
    step: str = ""
    # In `recovery`: what got past the error failed later, by something else.
    is_further: bool = False
    # What an agent ran, called or edited first behind what a person said, by program, tool or file.
    led_to: list[str] = []
    # The line in which the output of what failed names a cure.
    hint: str = ""
    # In `recovery`: the formatter or fixer behind which it passed, with nothing mended in between.
    fixer: str = ""
    # Of what somebody says behind an edit: the kind of the file, and the folders that it lies in.
    lies: list[str] = []
    # The action whose output names that cure.
    hinted: str = ""
    # Of a report on a red check: the agent had run that since its last edit, or had said that it
    # did not run checks. Of a check that the person ran: the agent had not handed anything over.
    is_excused: bool = False
    # The files among `led_to`, each by its name and its folder's, as a hash: many are called alike.
    edited: list[int] = []
    # Of an error: how many of its failures were seen behind a claim that the work is done, or a
    # commit, with nothing edited in between.
    late: int = 0
    # The file of which an agent put back what it had replaced before, behind what a person said.
    taken_back: str = ""
    # In `recovery`: how often what passed was run again later and passed, below 0 where it failed
    # then, and the warning that it gave where a variable hides something from it.
    again: int = 0
    warned: str = ""
    # Of an error of one of a repository's scripts: those of others that came behind it in the
    # session, and the first before it.
    follows: list[Followed] = []
    behind: str = ""


# What the name of a file stands behind that an agent edited, among what it was led to do.
EDITED = "edit:"
# Behind these a check runs elsewhere: in a pipeline.
HANDING_IN = ("git push", "gh ", "glab ")
# And what the kind of a check stands behind that it ran.
CHECKED = "check:"
# What marks a link in a profile, so that the few profiles with one are found without reading all.
LINK = "link:"


class Profile(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """What lists and the quality gate ask of a session, without reading its digest.

    Failures, checks and what is left open are None where an older extractor made it.
    """

    prompts: int = 0
    tasks: int = 0
    useful_calls: int = 0
    interruptions: int = 0
    is_open: bool = False
    failures: int | None = None
    checks: dict[str, CheckFact] | None = None
    title: str = ""
    left_open: list[str] | None = None
    # What it goes on with: ids of sessions, each behind LINK.
    links: list[str] = []
    # In how many turns the person corrects, reports or lays something down, or may.
    marks: int = 0


class Judged(NamedTuple):
    """What follows from a session's folds: verdict, profile, signals by bucket, and triggers.

    A trigger is something that makes a candidate possible (`helix_tui/text/triggers.py`).
    """

    verdict: Verdict
    profile: Profile
    signals: dict[int, list[Signal]]
    triggers: tuple[str, ...] = ()
