"""Errors that are not yet overcome: what is spent on them."""

from __future__ import annotations

from helix_tui.digest.state import Memory, OpenTrouble, Pending
from helix_tui.schema import Facts

# After so many calls, or with the person's next word, an error counts as given up.
_CALLS_TO_RECOVER = 12
_MOST_OPEN = 8


def open_trouble(
    memory: Memory,
    facts: Facts,
    call: Pending,
    group: str,
    fingerprint: int,
    ts: int | None,
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


def close_troubles(memory: Memory, overcome: set[tuple[str, str]]) -> None:
    """Ends the count for errors that were overcome, given by their group and file."""
    if overcome and memory.troubles:
        memory.troubles = [
            trouble for trouble in memory.troubles if (trouble.group, trouble.file) not in overcome
        ]
