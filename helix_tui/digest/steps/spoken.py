"""Words of a person, whatever kind of event holds them."""

from __future__ import annotations

from helix_tui.digest.steps.folding import Folding
from helix_tui.digest.turns.heard import (
    Heard,
    heard_in,
    own_run_in,
    said_instead_of_result,
    said_while_refusing,
)
from helix_tui.digest.turns.listen import Turn
from helix_tui.schema import OTHER, PROMPT, SYSTEM, Fault
from helix_tui.text.hashing import hash64

# Kinds of events that may hold the words of a person.
_SPOKEN = frozenset({PROMPT, SYSTEM, OTHER})


def listen(
    part: Folding, kind: int, role: str | None, fingerprint: int, ts: int | None, text: str
) -> None:
    """Takes what a person says, whatever kind of event holds it."""
    if part.has_turns and kind in _SPOKEN:
        if command := own_run_in(text):
            part.listener.take_own_run(command)
        is_beside = ts is not None and ts == part.memory.turns.result_ts
        _hear(part, fingerprint, ts, heard_in(kind, role, text, is_beside))


def is_refused_with_words(
    part: Folding,
    fingerprint: int,
    ts: int | None,
    call_id: str | None,
    exit_code: int | None,
    text: str,
    fault: Fault | None,
) -> bool:
    """Whether a person refused a call and said something; takes the words."""
    heard = said_while_refusing(text)
    call = part.memory.pending.get(hash64((call_id or "").encode("utf-8", "replace")))
    if heard is None and fault is None and call is not None:
        heard = said_instead_of_result(text, call.tool_class, exit_code)
    _hear(part, fingerprint, ts, heard)
    return heard is not None


def _hear(part: Folding, fingerprint: int, ts: int | None, heard: Heard | None) -> None:
    if heard is not None:
        facts, memory = part.facts, part.memory
        chars, active_ms = memory.spent - memory.turn_spent, facts.active_ms - memory.turn_ms
        part.listener.hear(Turn(fingerprint, ts, heard, chars, active_ms))
