"""What errors cost: each failed call itself, and what is spent until it is overcome."""

from __future__ import annotations

from helix_tui.digest.state import Memory, OpenTrouble, Pending
from helix_tui.schema import Facts

# After so many calls, or with the person's next word, an error counts as given up: what follows
# is other work, and costs it nothing.
_CALLS_TO_RECOVER = 12
_MOST_OPEN = 8
# A call that ran for longer was left alone.
_LONGEST_MS = 5 * 60_000


def open_trouble(
    memory: Memory,
    facts: Facts,
    call: Pending,
    group: str,
    fingerprint: int,
    ts: int | None,
    answered: int,
) -> None:
    """Books a failed call; a second one of its group goes on with the first."""
    took = ts - call.ts if ts is not None and call.ts is not None else 0
    _book(facts, group, call.chars + answered, min(max(took, 0), _LONGEST_MS))
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


def note_call(memory: Memory) -> None:
    """Counts a call; an error that was not overcome for long is given up."""
    for trouble in memory.troubles:
        trouble.calls += 1
    memory.troubles = [item for item in memory.troubles if item.calls <= _CALLS_TO_RECOVER]


def close_troubles(memory: Memory, facts: Facts, overcome: set[tuple[str, str]]) -> None:
    """Books what was spent on errors that were overcome, given by their group and file."""
    if not overcome or not memory.troubles:
        return
    still_open = []
    for trouble in memory.troubles:
        if (trouble.group, trouble.file) in overcome:
            spent = memory.spent - trouble.spent, facts.active_ms - trouble.active_ms
            _book(facts, trouble.group, *spent)
        else:
            still_open.append(trouble)
    memory.troubles = still_open


def _book(facts: Facts, name: str, chars: int, ms: int) -> None:
    group = facts.groups.get(name)
    if group is not None:
        group.chars += chars
        group.ms += ms
