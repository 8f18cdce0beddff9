"""Errors that are not yet overcome: what is spent on them, and what it takes to overcome them."""

from __future__ import annotations

from helix_tui.digest.programs import (
    changes_files,
    installs,
    is_looking,
    programs_in,
    verb_of,
    words_of,
)
from helix_tui.digest.state import Memory, OpenTrouble, Pending
from helix_tui.schema import Facts, Recovery

# After so many calls, or with the person's next word, an error counts as given up.
_CALLS_TO_RECOVER = 12
_MOST_OPEN = 8
_MOST_RECOVERIES = 40
_REMEDY_LENGTH = 200
_MISSING_PROGRAM = "command_not_found"
_READ, _REWORDED, _QUOTING = "read the file again", "other text", "quote it"
_RUNNERS = ("sudo", "uv", "npx", "poetry", "bunx", "env")
_QUOTES = str.maketrans("", "", "'\"\\")


def open_trouble(
    memory: Memory,
    facts: Facts,
    call: Pending,
    group: str,
    fingerprint: int,
    ts: int | None,
    error_class: str,
    subject: str,
) -> None:
    """Begins to count what an error costs; a second one of its group goes on with the first."""
    for trouble in memory.troubles:
        if trouble.group == group and trouble.file == call.file:
            trouble.calls = 0
            return
    if len(memory.troubles) >= _MOST_OPEN:
        memory.troubles.pop(0)
    memory.troubles.append(
        OpenTrouble(
            group,
            fingerprint,
            ts,
            call.tool_class,
            call.file,
            call.command,
            call.identity,
            memory.spent,
            facts.active_ms,
            missing=subject if error_class == _MISSING_PROGRAM else "",
            is_check=call.tells_failure,
        )
    )


def spend(memory: Memory, facts: Facts) -> None:
    """Books what was spent since the last look on every error that is still open."""
    for trouble in memory.troubles:
        group = facts.groups.get(trouble.group)
        if group is not None:
            group.chars += memory.spent - trouble.spent
            group.ms += facts.active_ms - trouble.active_ms
        trouble.spent, trouble.active_ms = memory.spent, facts.active_ms


def note_call(memory: Memory) -> None:
    """Counts a call; an error that was not overcome for long is given up."""
    for trouble in memory.troubles:
        trouble.calls += 1
    memory.troubles = [item for item in memory.troubles if item.calls <= _CALLS_TO_RECOVER]


def note_success(memory: Memory, facts: Facts, call: Pending) -> None:
    """Closes the errors that a passed call overcomes; for the others it may be the remedy."""
    still_open: list[OpenTrouble] = []
    for trouble in memory.troubles:
        verb = _overcome_by(trouble, call)
        if verb is None:
            _note_remedy(trouble, call)
            still_open.append(trouble)
        elif verb:
            _note_recovery(facts, trouble, verb, call)
    memory.troubles = still_open


def _overcome_by(trouble: OpenTrouble, call: Pending) -> str | None:
    """What overcame an error if this call did; nothing in words where it passed unchanged."""
    if call.tool_class != trouble.tool_class:
        return None
    if call.file or trouble.file:
        if call.file != trouble.file:
            return None
        return trouble.verb or ("" if call.identity == trouble.identity else _REWORDED)
    if not call.command or not trouble.command:
        return None
    return _overcome_in_shell(trouble, call)


def _overcome_in_shell(trouble: OpenTrouble, call: Pending) -> str | None:
    if call.identity == trouble.identity:
        return trouble.verb
    wanted, ran = programs_in(trouble.command), programs_in(call.command)
    old, new = words_of(trouble.command), words_of(call.command)
    names = {word for program in (*wanted, *ran) for word in program.split()}
    if trouble.missing and trouble.missing not in (program.split()[0] for program in ran):
        others = [program for program in ran if program not in wanted]
        is_instead = bool((old & new) - names) and bool(others)
        return f"use {others[0].split()[0]}" if is_instead else None
    if not wanted or not set(wanted) <= set(ran) or not old <= new:
        return None  # the same program at most, put to another use
    for program in ran:
        if program not in wanted and not is_looking(program):
            return verb_of(program)
    return trouble.verb or _changed(trouble.command, call.command)


def _changed(before: str, after: str) -> str:
    """How a command differs from the one that failed, where that can be said in a word."""
    if before.translate(_QUOTES) == after.translate(_QUOTES):
        return _QUOTING
    old = set(before.split())
    first = next((word for word in after.split() if word not in old), "")
    if first.startswith("-"):
        return f"add {first.partition('=')[0]}"
    return f"run it with {first}" if first in _RUNNERS else ""


def _note_remedy(trouble: OpenTrouble, call: Pending) -> None:
    is_read = call.command and trouble.file and _name(trouble.file) in call.command
    if is_read or (call.tool_class == "read" and trouble.file and call.file == trouble.file):
        trouble.verb, trouble.remedy = _READ, call.summary[:_REMEDY_LENGTH]
    elif call.command:
        verb = _verb_in(call.command)
        if verb and not call.tells_pass:
            trouble.verb, trouble.remedy = verb, call.summary[:_REMEDY_LENGTH]
    elif call.tool_class == "edit" and not trouble.is_check and trouble.tool_class == "shell":
        trouble.verb, trouble.remedy = "edit a file", call.summary[:_REMEDY_LENGTH]


def _verb_in(command: str) -> str:
    """What a command changes, in a word; nothing where it only looks."""
    programs = programs_in(command)
    changing = [name for name in programs if not is_looking(name)]
    if not changing and changes_files(command):
        changing = list(programs)  # `sed -i` looks like `sed`
    if not changing:
        return ""
    return "install" if installs(command) else verb_of(changing[-1])


def _name(file: str) -> str:
    return file.rpartition("/")[2]


def _note_recovery(facts: Facts, trouble: OpenTrouble, verb: str, call: Pending) -> None:
    for known in facts.recoveries:
        if (known.group, known.verb) == (trouble.group, verb):
            known.count += 1
            return
    if len(facts.recoveries) < _MOST_RECOVERIES:
        remedy = trouble.remedy or call.summary[:_REMEDY_LENGTH]
        passed = call.summary[:_REMEDY_LENGTH]
        facts.recoveries.append(
            Recovery(trouble.fingerprint, trouble.ts, trouble.group, verb, remedy, passed)
        )
