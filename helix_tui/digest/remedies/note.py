"""Watches actions: those that failed for what overcomes them, all others for how they change."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.digest.programs import changes_files
from helix_tui.digest.remedies.alike import change_since
from helix_tui.digest.remedies.causal import (
    asked_in,
    asked_step,
    fixer_of,
    is_fixer,
    only_looks,
    step_in,
    step_of,
)
from helix_tui.digest.remedies.hints import Hint, followed
from helix_tui.digest.remedies.warnings import warning_in
from helix_tui.digest.shape.call import blames_bare_line
from helix_tui.digest.state import Memory, Pending, Watched
from helix_tui.schema import REST, Facts, Habit, Recovery
from helix_tui.text.shape import SHELL, Shape
from helix_tui.text.shape_change import AS_TOLD, BEFORE, PROGRAM, READ_FIRST, in_words


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# An error that no action like it overcame for so many calls stays open.
_CALLS_TO_OVERCOME = 100
_MOST_FAILED = 12
_MOST_PASSED = 12
_MOST_RECOVERIES = 40
_MOST_HABITS = 40
_MOST_CHANGES = 16
_SAID_LENGTH = 200
# What is wrong then is mostly in a file.
_OF_CODE = _set(
    "test_failure lint_error compile_error type_error syntax_error undefined_name"
    " undefined_reference not_formatted import_name_missing local_import_unresolved"
    " build_failed_for_package"
)
# Something could not be run at all: another program may do it.
_NOT_RUN = _set(
    "command_not_found npm_script_missing no_tests_found make_target_missing makefile_missing"
    " unknown_subcommand no_such_tool permission_denied operation_not_permitted"
    " exec_format_error"
)
_EDITING = frozenset({"Edit", "Write"})
# What a program says when it has begun to do what was asked for.
_AT_WORK = _OF_CODE | _set(
    "connection_timed_out connection_refused host_unresolved network_unreachable push_rejected"
    " rate_limited auth_required"
)
_MISSING = "command_not_found"
_NOT_THERE = _set(
    "command_not_found npm_script_missing make_target_missing makefile_missing unknown_subcommand"
    " no_such_tool"
)
# By which a program is kept from seeing what a variable names.
_HIDING = "=/dev/null"
_HOW_RUN = ("+env ", "+flag ", "+wrapper ", "wrapper ", "folder ", BEFORE)


def watch_failure(
    memory: Memory,
    call: Pending,
    group: str,
    fingerprint: int,
    ts: int | None,
    shape: Shape,
    error_class: str,
    line: str,
    hints: Sequence[Hint] = (),
) -> None:
    """Begins to look for what overcomes a failed call."""
    if not shape.base:
        return
    _take_back_fixers(memory, call)
    watched = _watched(call, shape)
    watched.group, watched.fingerprint, watched.ts = group, fingerprint, ts
    watched.error_class, watched.is_missing = error_class, error_class in _NOT_RUN
    asked = [*asked_in(line, shape), *(hint.name for hint in hints if " " in hint.name)]
    watched.asked = list(dict.fromkeys(asked))
    watched.hints = [hint.name for hint in hints if hint.is_instead]
    watched.blames_bare = blames_bare_line(line)
    watched.is_red = call.tells_failure and (not error_class or error_class in _OF_CODE)
    if len(memory.failing) >= _MOST_FAILED:
        memory.failing.pop(0)
    memory.failing.append(watched)


def note_got_further(
    memory: Memory, facts: Facts, call: Pending, group: str, error_class: str
) -> set[tuple[str, str]]:
    """Takes a call that failed later than one like it: by what it overcame the earlier error.

    That is so where how it is run changed, and what it then fails by is told only once a program
    is at its work: a red test, a fault in code, the network. Another program in the place of one
    that is missing got further wherever it is there, whatever it fails by.
    """
    if memory.kept:
        _note_again(memory, facts, call, group)
    overcome: set[tuple[str, str]] = set()
    is_at_work = error_class in _AT_WORK or (not error_class and call.tells_failure)
    is_there = error_class not in _NOT_THERE
    for watched in memory.failing:
        is_missing = watched.error_class == _MISSING and is_there
        is_earlier = watched.group != group and watched.error_class not in _AT_WORK
        is_earlier = is_earlier and not watched.is_further and (is_at_work or is_missing)
        change = change_since(watched, call) if is_earlier and not watched.file else None
        if change is None:
            continue
        if (is_at_work and change.startswith(_HOW_RUN)) or (
            is_missing and change.startswith(PROGRAM)
        ):
            overcome.add((watched.group, watched.file))
            _note_recovery(facts, watched, change, call, is_further=True)
            watched.is_further = True  # it may still be seen to pass
    return overcome


def note_turn(memory: Memory) -> None:
    """A person spoke: what was done before that is no step towards what follows."""
    for watched in (*memory.failing, *memory.passing.values()):
        watched.step = watched.step_said = watched.fixer = ""


def _take_back_fixers(memory: Memory, call: Pending) -> None:
    """Takes back what mended before a check that is red all the same, or before what mends again.

    Only what a check passed behind is known to have turned it green.
    """
    ran = [one.base for one in (*call.shapes, *call.behind)]
    for watched in memory.failing:
        if not watched.is_red:
            continue
        mends = any(fixer_of(one, watched.shape) for one in call.shapes)
        mends = mends or changes_files(call.command)
        if mends or (watched.shape.base in ran and is_fixer(watched.step)):
            watched.step = watched.step_said = watched.fixer = ""
            watched.edits += 1


def note_passed(
    memory: Memory, facts: Facts, call: Pending, text: str = ""
) -> set[tuple[str, str]]:
    """Takes a call that passed: what it overcomes, by group and file, and what it may help to."""
    overcome: set[tuple[str, str]] = set()
    still_open: list[Watched] = []
    if memory.kept:
        _note_again(memory, facts, call)
    for watched in memory.failing:
        watched.calls += 1
        change = change_since(watched, call)
        if change is None and (hint := followed(watched.hints, watched.shape, call.shapes)):
            change = f"{AS_TOLD}{hint}"
        if change is not None:
            overcome.add((watched.group, watched.file))
            _note_recovery(facts, watched, change, call)
            _note_kept(memory, facts, watched, change, call, text)
        elif watched.calls <= _CALLS_TO_OVERCOME:
            still_open.append(watched)
    memory.failing = still_open
    _note_habit(memory, facts, call)
    steps = [shape for shape in call.shapes if step_in(shape)]
    is_edit = call.tool_class == "edit" or bool(call.command and changes_files(call.command))
    read = call.file if call.shapes and call.shapes[0].tool == "Read" else ""
    for watched in (*memory.failing, *memory.passing.values()):
        if watched.file:
            if watched.file == read or _names(call.command, watched.file):
                watched.was_read, watched.step_said = True, call.summary[:_SAID_LENGTH]
        elif steps or is_edit or watched.asked:
            watched.edits += is_edit
            if is_edit and watched.is_red:
                watched.step = watched.step_said = watched.fixer = ""
            _note_step(watched, call, steps)
    _keep_passed(memory, call)
    return overcome


def _note_kept(
    memory: Memory, facts: Facts, watched: Watched, change: str, call: Pending, text: str
) -> None:
    """Remembers how something is run that got past an error, to see whether it stays with that.

    What a variable hides from a program, that may warn of.
    """
    ran = next((one.text for one in call.shapes if one.base == watched.shape.base), "")
    if not ran or ran == watched.shape.text or not change.startswith(_HOW_RUN):
        return
    place = next(
        (at for at, one in enumerate(facts.recoveries) if _is_of(one, watched, change)), -1
    )
    if place < 0:
        return
    memory.kept.setdefault(ran, place)
    if _HIDING in call.command:
        facts.recoveries[place].warned = warning_in(text)


def _is_of(known: Recovery, watched: Watched, change: str) -> bool:
    return (known.group, known.change) == (watched.group, change)


def _note_again(memory: Memory, facts: Facts, call: Pending, failed_by: str | None = None) -> None:
    """Counts that what got past an error was run again; one behind which that came is not kept."""
    for shape in call.shapes:
        place = memory.kept.get(shape.text)
        if place is None:
            continue
        known = facts.recoveries[place]
        if failed_by is None:
            known.again += 1
        elif failed_by == known.group:
            known.again = -1
            del memory.kept[shape.text]


def family_of(shape: Shape) -> str:
    """What actions are told apart by before they are compared."""
    return shape.base


def _watched(call: Pending, shape: Shape) -> Watched:
    return Watched(
        shape,
        call.identity,
        call.command,
        call.file,
        call.summary[:_SAID_LENGTH],
        [one.base for one in (*call.shapes, *call.behind)],
        call.lines,
        is_check=call.tells_failure or call.is_commit,
    )


def _has_habits(shape: Shape) -> bool:
    """Whether how an action changes is counted: of those that only look there are too many."""
    if shape.tool == SHELL:
        return bool(shape.program) and not only_looks(shape.program, shape.verb)
    return shape.tool in _EDITING


def _key(call: Pending, shape: Shape) -> str:
    return f"{shape.tool} {call.file}" if shape.tool != SHELL else shape.base


def _keep_passed(memory: Memory, call: Pending) -> None:
    """Remembers an action that passed, to see how the next one like it differs."""
    for shape in call.shapes:
        if _has_habits(shape):
            key = _key(call, shape)
            memory.passing.pop(key, None)
            if len(memory.passing) >= _MOST_PASSED:
                del memory.passing[next(iter(memory.passing))]
            memory.passing[key] = _watched(call, shape)


def _note_habit(memory: Memory, facts: Facts, call: Pending) -> None:
    """Counts how an action differs from the one like it before, where that had not failed."""
    for shape in call.shapes:
        if not _has_habits(shape):
            continue
        before = memory.passing.get(_key(call, shape))
        change = change_since(before, call) if before is not None else None
        if change is None:
            continue
        family = family_of(shape)
        habit = facts.habits.get(family)
        if habit is None:
            if len(facts.habits) >= _MOST_HABITS:
                continue
            habit = facts.habits[family] = Habit()
        habit.pairs += 1
        changes = habit.changes
        change = change if change in changes or len(changes) < _MOST_CHANGES else REST
        changes[change] = changes.get(change, 0) + 1


def _names(command: str, file: str) -> bool:
    """Whether a command line names a file, in whatever folder."""
    name = file.rpartition("/")[2]
    return bool(command and name) and name in command


def _note_step(watched: Watched, call: Pending, steps: list[Shape]) -> None:
    """Notes what a call that passed may do for an action that is repeated behind it."""
    if asked := asked_step(call.command, watched.asked):
        watched.step, watched.step_said = asked, call.summary[:_SAID_LENGTH]
        watched.fixer = ""
        return
    for shape in steps:
        step = step_of(shape, watched.shape)
        # Staging and the like go with every commit: another step says more.
        if step and not (step.startswith("git ") and watched.step):
            watched.step, watched.step_said = step, call.summary[:_SAID_LENGTH]
            watched.fixer = fixer_of(shape, watched.shape)


def _note_recovery(
    facts: Facts, watched: Watched, change: str, call: Pending, *, is_further: bool = False
) -> None:
    for known in facts.recoveries:
        if _is_of(known, watched, change):
            known.count += not watched.is_further
            known.is_further = known.is_further and is_further
            return
    if len(facts.recoveries) < _MOST_RECOVERIES:
        passed = call.summary[:_SAID_LENGTH]
        within = _fixer_within(watched, change, call)
        is_step = not within and (change.startswith(BEFORE) or change == READ_FIRST)
        facts.recoveries.append(
            Recovery(
                watched.fingerprint,
                watched.ts,
                watched.group,
                in_words(change),
                watched.step_said if is_step and watched.step_said else passed,
                passed,
                failed=watched.said,
                change=change,
                shape=watched.shape.text,
                is_further=is_further,
                fixer=within or (watched.fixer if change.startswith(BEFORE) else ""),
            )
        )


def _fixer_within(watched: Watched, change: str, call: Pending) -> str:
    """The fixer that a change names, where the line of the action that passed ran it itself."""
    found = ""
    for shape in call.shapes:
        if change == f"{BEFORE}{step_of(shape, watched.shape)}":
            found = fixer_of(shape, watched.shape) or found
    return found
