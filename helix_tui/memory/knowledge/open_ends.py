"""What sessions of one repository left open, and what later ones of them have closed.

An open end of one session is looked at with the facts of all that came later: a push, a commit, a
green run of the same check, the same request met again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from helix_tui.memory.distill.standing import founded
from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.session_facts import (
    Held,
    SessionFacts,
    facts_of,
    is_one_matter,
    issues_in,
    matter_of,
)
from helix_tui.text.markdown import said_in

# What nobody took up, and what was written down elsewhere to be done.
_OFFERS = ("Offered: ", "Asked: ", "Put off: ")
# What waits in the middle of a session, for nobody but its own agent and person.
_OF_ITS_MOMENT = (
    *("Broke off in ", "Not answered: ", "Stopped by ", "No result: ", "Its context was "),
    *("A change that was refused", "On the agent's list: ", "Could not: ", "Not permitted: "),
    *("Failed, and not tried again: ", "Left open: `stopped by ", "Left open: ``stopped by "),
)
# What an agent notes beside its work, and nobody has to do.
_ASIDE = re.compile(
    r"(?i)^Remains: .*\b(?:unrelated|untracked|context was unavailable|no (?:\w+ )?bugs? observed"
    r"|on your other machine)\b"
    # What it offers to do, and what somebody has to do in a case that may never come.
    r"|^Remains: `+ ?\W*(?:if (?:you|it|this|that|there|any)\b|i (?:can|could|would be)\b)"
)
# After so many later sessions of the repository, work has moved on.
_MOVED_ON = 3
_REQUEST = "Pull request #"
# A pull request is settled somewhere else, where nobody sees it.
_SETTLED = 6
# Ends that a later session may have taken up: what an agent said to remain, and what it found.
_TO_DO = ("Remains: ", "Left open: `found: ", "Left open: ``found: ", "Left to the user: ")
# The name of a file in a text.
FILE = re.compile(r"[\w.@+-]+\.[a-z]\w{0,5}\b")
# So much of the words of an end stands in the title or in one commit of the session that met it.
_OF_END = 0.5
_LEAST_SHARED = 3
_SHORT = 3
_LABEL = ": "
# What names nothing to do.
_MORE_TO_DO = re.compile(
    r"(?i)^Remains: .{0,40}\b(?:more|other|remaining|open|unfinished) (?:tasks?|items?|work|phases?"
    r"|steps?)\b"
)
_RED = re.compile(r"^Left open: `+ ?(?P<name>.{2,40}?) (?:was last seen red|failed, and was not)")
_RED_STATE = re.compile(r"(?:^|[`;:] ?)(?P<name>[\w .-]{2,40}?) was last seen red")
_OF_PUSH = re.compile(
    r"(?i)\b(?:last push failed|not (?:\w+ )?(?:or )?push|push(?:ed)? (?:to|the)\b"
    r"|push(?:es)? (?:failed|could|is blocked|remain)|ahead of|unpushed|local only)"
)
_OF_COMMIT = re.compile(
    r"(?i)\b(?:(?:did|have|has|was|were|is|are) not (?:\w+ )?commit|not (?:yet )?committed"
    r"|uncommitted|commits? (?:was|were) asked for|commit the changes|remains to commit)"
)
_OF_MERGE = re.compile(r"^Left open: `+ ?a merge was asked for")
_MERGED = re.compile(r"(?i)^\W*(?:Committed: |Opened: )?`*merge\b")
# What a command without a target covers: checks of any kind, or of the kind that it names.
_TYPES = re.compile(r"(?i)^(?:tsc|ty|mypy|pyright|basedpyright|vue-tsc|cargo check|go vet|flow)\b")
_LINTERS = re.compile(
    r"(?i)^(?:eslint|biome|ruff|flake8|pylint|oxlint|golangci-lint|clippy|cargo clippy|credo"
    r"|rubocop|stylelint|prettier|black|oxfmt|gofmt)\b"
)
_TESTS = re.compile(
    r"(?i)^(?:pytest|vitest|jest|mocha|rspec|phpunit|(?:go|cargo|mix|npm|bun|pnpm|yarn) test)\b"
)
_COVERS = (
    (_TYPES, re.compile(r"(?i)\b(?:check|ci|verify|precommit|typecheck|type-check)\b")),
    (_LINTERS, re.compile(r"(?i)\b(?:check|ci|verify|precommit|lint)\b")),
    (_TESTS, re.compile(r"(?i)\b(?:ci|verify|precommit|tests?)\b")),
)
# A command with a file, a name or a pattern covers no more than that.
_AIMED = re.compile(
    r"\w[./]\w+\.\w|\s-(?:k|run|t|p)\b|pytest .*-m |::|\s--?test\w*[ =]\S|\w/\w+/\w"
)
_WORD = re.compile(r"\w{2,}")
_TELLING = re.compile(r"[^\W_]{4,}")
# What an agent says to remain it may say twice, in other words.
_REMAINS = ("Remains: ", "Could not: ", "Left to the user: ")
_ALIKE = 0.6


class OpenEnd(NamedTuple):
    """What one session left open and nobody has closed since."""

    held: Held
    lines: list[str]


def still_open(latest: Sequence[Held], most_sessions: int) -> Iterator[OpenEnd]:
    """The open ends of the latest sessions, those of the newest first."""
    told: set[str] = set()
    later: list[SessionFacts] = []
    for number, one in enumerate(latest):
        facts = facts_of(one.entry)
        is_lost = not facts.is_begun and len(latest) > 1  # nothing was done, and nobody waits
        is_told = number < most_sessions and not is_lost
        if is_told and not _went_on(one, facts, latest[:number], later):
            has_gone_on = any(facts.changed & other.changed for other in later)
            lines = [
                line
                for line in founded(one.entry.lines).get("actions", [])
                if line not in told
                and not is_closed(line, later)
                and not (has_gone_on and line.startswith(_OF_ITS_MOMENT))
            ]
            told.update(lines)
            if lines := _distinct(lines):
                yield OpenEnd(one, lines)
        later.append(facts)


def is_closed(line: str, later: Sequence[SessionFacts]) -> bool:
    """Whether later sessions, the latest first, closed an open end or left it behind."""
    if line.startswith(_OFFERS) or _ASIDE.match(line):
        return True
    if line.startswith(_OF_ITS_MOMENT):
        return len(later) >= _MOVED_ON
    if line.startswith(_REQUEST):
        return len(later) >= _SETTLED
    if _MORE_TO_DO.match(line) and any(one.has_edits or one.is_committed for one in later):
        return True
    return is_met(line, later)


def is_met(line: str, later: Sequence[SessionFacts]) -> bool:
    """Whether a later session did what one had left open, or took it up: then it stands there."""
    is_to_do = line.startswith(_TO_DO) or _is_of_model(line)
    return is_done(line, later) or (is_to_do and _is_taken_up(line, later))


def _is_of_model(line: str) -> bool:
    """Whether a model wrote a line: it is quoted whole, without a word of Helix before it."""
    return line.startswith("`")


def _is_taken_up(line: str, later: Sequence[SessionFacts]) -> bool:
    """Whether a later session names its issue, changed its file, or is about its words."""
    issues = issues_in(line)
    if issues and any(issues & one.issues for one in later):
        return True
    kept = [one for one in later if one.is_committed or one.is_proved]
    files = {name.casefold() for name in FILE.findall(line)}
    if any(files & one.changed for one in kept):
        return True
    words = _things(matter_of(line if _is_of_model(line) else line.partition(_LABEL)[2]))
    least = max(_LEAST_SHARED, _OF_END * len(words))
    return any(len(words & _things(matter)) >= least for one in kept for matter in one.matters)


def _things(words: frozenset[str]) -> set[str]:
    return {word.removesuffix("s") for word in words if len(word) > _SHORT}


def is_done(line: str, later: Sequence[SessionFacts]) -> bool:
    """Whether a later session pushed, committed, merged or passed what one had left open."""
    is_committed = _OF_COMMIT.search(line) is not None and any(one.is_committed for one in later)
    if _OF_PUSH.search(line):
        # A line that asks for both is half done by a commit: its words do not hold any more.
        return is_committed or any(one.is_pushed for one in later)
    if is_committed:
        return True
    if _OF_MERGE.match(line):
        return any(map(_has_merged, later))
    red = _RED.match(line)
    return red is not None and _is_green(red["name"], later)


def is_green_since(state: str, later: Sequence[SessionFacts]) -> bool:
    """Whether a state tells of a red check, and a later session passed it."""
    red = _RED_STATE.search(state)
    return red is not None and _is_green(red["name"], later)


def _is_green(name: str, later: Sequence[SessionFacts]) -> bool:
    return any(_covers(command, name) for one in later for command in one.green)


def _has_merged(one: SessionFacts) -> bool:
    has_kept = any(map(_MERGED.match, one.kept))
    return has_kept or (one.is_committed and _MERGED.match(said_in(one.title)) is not None)


def red_checks(entry: DailyEntry, facts: SessionFacts) -> Iterator[str]:
    """The names of the checks that a session saw red to the last."""
    ends = [_RED.match(line) for line in entry.lines.get("actions", [])]
    yield from (red["name"].strip() for red in (_RED_STATE.search(facts.state), *ends) if red)


def runs_check(command: str, name: str) -> bool:
    """Whether a command runs a check: it names it, or runs all of its kind."""
    is_of_kind = any(kind.match(name) and all_.search(command) for kind, all_ in _COVERS)
    return is_of_kind or _words(name) <= _words(command)


def is_aimed(command: str) -> bool:
    """Whether a command names a file, a test or a pattern, and covers no more than that."""
    return _AIMED.search(command) is not None


def _covers(command: str, name: str) -> bool:
    return runs_check(command, name) and not is_aimed(command)


def _went_on(
    one: Held, facts: SessionFacts, newer: Sequence[Held], later: Sequence[SessionFacts]
) -> bool:
    """Whether the conversation, or the same request, came up again: then that has its open ends."""
    if any(one.entry.short_id == other.entry.short_id for other in newer):
        return True
    title = matter_of(facts.title)
    return any(
        (bool(facts.title) and facts.title == other.title)
        or is_one_matter(title, matter_of(other.title))
        for other in later
    )


def _distinct(lines: Sequence[str]) -> list[str]:
    """The lines that do not say again what one before them says."""
    kept: list[str] = []
    seen: list[set[str]] = []
    for line in lines:
        if not line.startswith(_REMAINS):
            kept.append(line)
            continue
        words = {word.casefold() for word in _TELLING.findall(line.partition(_LABEL)[2])}
        # A list of them all says each again.
        known_words = [*seen, set().union(*seen)] if len(seen) > 1 else seen
        fewest = [
            (known, max(1, len(words) if at == len(seen) else min(len(words), len(known))))
            for at, known in enumerate(known_words)
        ]
        if not any(len(words & known) >= _ALIKE * least for known, least in fewest):
            kept.append(line)
            seen.append(words)
    return kept


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
