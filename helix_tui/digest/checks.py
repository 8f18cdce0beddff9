"""Runs of checks as they follow edits: green at once, red again and again, red after `done`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.digest.programs import is_looking, programs_in
from helix_tui.digest.runs.run import Run
from helix_tui.digest.state import Fixing, Memory, Pending
from helix_tui.schema import Facts, Moment
from helix_tui.text.hashing import hash64
from helix_tui.text.signature.signature import class_in

_ENOUGH = 3
_MOST_MOMENTS = 20
_MOST_FIXING = 16
_EXAMINED = 8192
_OF_TESTS = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?)/|(?:^|/)test_[^/]{1,200}$|[._-](?:test|spec)s?\.\w{1,8}$"
)
# Files that configure a linter, a formatter or a type checker, and nothing else.
_RULES = re.compile(
    r"(?:^|/)(?:\.?(?:eslint|oxlint|oxfmt|dprint|stylelint|prettier|golangci|rubocop|markdownlint"
    r"|swiftlint|yamllint|shellcheck|pylint|flake8|hadolint|commitlint)[\w-]{0,12}(?:\.config)?(?:\.\w{1,5})?"
    r"|\.?(?:biome|clippy|rustfmt|ruff|mypy|pyright\w{0,8}|detekt|phpstan|ktlint)"
    r"\.(?:jsonc?|toml|ini|ya?ml|neon)|\.pre-commit-config\.ya?ml)$"
)
_OF_RULES = frozenset({"lint_error", "type_error", "not_formatted"})
# What such files say nothing of.
_WITHOUT_RULES = frozenset({"test", "build", "ci", "git"})
_FAILED = re.compile(
    r"^(?:FAILED|ERROR) (\S{1,200})|--- FAIL: (\S{1,200})|^\s*[✕✗✘×] (\S[^\n]{0,120})"
    r"|^test (\S{1,200}) \.\.\. FAILED",
    re.MULTILINE,
)
_MOST_TESTS = 20
_RED = re.compile(r"\bFAIL|\b\d{1,6} fail|\bAssert(?:ion)?Error\b|[✕✗✘×]", re.IGNORECASE)


def program_of(call: Pending) -> str:
    """The check that a command runs, without its arguments."""
    programs = programs_in(call.command)
    checking = [name for name in programs if not is_looking(name)] or programs
    return checking[-1] if checking else ""


def is_of_code(edit: Pending) -> bool:
    """Whether an edit was of anything but one file of tests."""
    file = edit.file
    # Most files are named otherwise, and looking closely is dear.
    is_of_tests = ("test" in file or "spec" in file) and _OF_TESTS.search(file) is not None
    return not is_of_tests or not edit.summary.endswith(file)


def is_of_rules(edit: Pending) -> bool:
    """Whether an edit was of one file that says which faults a check looks for."""
    return _RULES.search(edit.file) is not None and edit.summary.endswith(edit.file)


def is_planned_red(memory: Memory, facts: Facts, call: Pending, output: str) -> bool:
    """Whether a check fails as it should: only tests were written since the last, or its rules are.

    Who changes which faults a linter or type checker looks for means to see what it finds now, and
    mends that until it passes.
    """
    if not call.tells_failure:
        return False
    if memory.has_new_rules and class_in(output[-_EXAMINED:], call.tool_class) in _OF_RULES:
        return True
    return (
        facts.edits_since_check > 0
        and not memory.code_edits
        and _RED.search(output) is not None
        and not class_in(output[-_EXAMINED:], call.tool_class)
    )


def note_rules(memory: Memory, runs: Sequence[Run], *, has_passed: bool) -> None:
    """Forgets that rules are new once a check that goes by some has passed."""
    if has_passed and any(run.kind not in _WITHOUT_RULES for run in runs):
        memory.has_new_rules = False


def note_check(
    memory: Memory,
    facts: Facts,
    call: Pending,
    has_passed: bool,
    fingerprint: int,
    ts: int | None,
    output: str,
) -> None:
    """Books a run of a check; called before the edits since the last one are forgotten."""
    if has_passed:
        _passed(memory, facts, call, fingerprint, ts)
    else:
        _failed(memory, facts, call, fingerprint, ts, _tests_in(output))


def _tests_in(output: str) -> list[int]:
    """The tests that an output says failed, by hashes of their names."""
    named = ["".join(found.groups("")) for found in _FAILED.finditer(output[-_EXAMINED:])]
    return [hash64(name.encode("utf-8", "replace")) for name in named[:_MOST_TESTS]]


def _passed(memory: Memory, facts: Facts, call: Pending, fingerprint: int, ts: int | None) -> None:
    was_red = memory.fixing.pop(call.identity, None)
    memory.claim = ""
    if not facts.edits_since_check or was_red is not None or facts.last_check_passed is False:
        return
    program = program_of(call)
    known = facts.first_passes.get(program)
    if known is not None:
        known.count += 1
    elif program and len(facts.first_passes) < _MOST_MOMENTS:
        facts.first_passes[program] = Moment(fingerprint, ts, call.summary, about=program)
    memory.fresh_pass = program


def _failed(
    memory: Memory,
    facts: Facts,
    call: Pending,
    fingerprint: int,
    ts: int | None,
    tests: list[int],
) -> None:
    edits = facts.edits_since_check
    if memory.claim and len(facts.false_claims) < _MOST_MOMENTS:
        facts.false_claims.append(
            Moment(
                fingerprint,
                ts,
                call.summary,
                about=program_of(call),
                before=memory.claim,
                chars=memory.spent - memory.turn_spent,
                ms=facts.active_ms - memory.turn_ms,
            )
        )
    memory.claim = ""
    is_committed = facts.commits > 0 and not facts.ending.edits_since_commit
    if is_committed and len(facts.reds_behind_commits) < _MOST_MOMENTS:
        facts.reds_behind_commits.append(fingerprint)
    fixing = memory.fixing.get(call.identity)
    if fixing is None:
        if len(memory.fixing) >= _MOST_FIXING:
            del memory.fixing[next(iter(memory.fixing))]
        fixing = Fixing(0, memory.spent, facts.active_ms)
        memory.fixing[call.identity] = fixing
    elif fixing.tests and tests and set(tests).isdisjoint(fixing.tests):
        # What failed before passes now: that is progress, and this the first of something else.
        fixing.failures, fixing.listed = 0, -1
        fixing.spent, fixing.active_ms = memory.spent, facts.active_ms
    fixing.tests = tests
    if edits:
        fixing.failures += 1
        _list_fixing(memory, facts, fixing, call, fingerprint, ts)


def _list_fixing(
    memory: Memory,
    facts: Facts,
    fixing: Fixing,
    call: Pending,
    fingerprint: int,
    ts: int | None,
) -> None:
    """Edited and red for the third time: from there on it is on record, with what it took."""
    if fixing.failures < _ENOUGH:
        return
    if fixing.listed < 0:
        if len(facts.fixes) >= _MOST_MOMENTS:
            return
        fixing.listed = len(facts.fixes)
        facts.fixes.append(Moment(fingerprint, ts, call.summary, about=program_of(call)))
    moment = facts.fixes[fixing.listed]
    moment.count = fixing.failures
    moment.chars, moment.ms = memory.spent - fixing.spent, facts.active_ms - fixing.active_ms
