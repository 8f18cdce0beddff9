"""The same call with the same result, again and again."""

from __future__ import annotations

import msgspec

from helix_tui.digest.programs import programs_in
from helix_tui.digest.state import Memory, Pending
from helix_tui.digest.tables import MOST_MOMENTS, put
from helix_tui.schema import Facts, Moment
from helix_tui.text.hashing import hash64

_MOST_RECENT = 32
_ENOUGH = 3


class Repeated(msgspec.Struct, frozen=True):
    """A result that may have come before."""

    call: Pending
    fingerprint: int
    ts: int | None
    text: str
    is_error: bool


def watch_loop(facts: Facts, memory: Memory, result: Repeated) -> None:
    """Notes the same call with the same result for the third time, with no edit between."""
    call, text = result.call, result.text
    output = hash64(text.encode("utf-8", "replace"))
    known = memory.repeats.get(call.identity)
    if known is None or known[0] != output:
        put(memory.repeats, call.identity, [output, 1, -1], _MOST_RECENT)
        return
    known[1] += 1
    if known[1] == _ENOUGH and len(facts.loops) < MOST_MOMENTS:
        known[2] = len(facts.loops)
        facts.loops.append(
            Moment(
                result.fingerprint,
                result.ts,
                call.summary,
                _ENOUGH,
                about=_about(result),
                chars=2 * len(text),
            )
        )
    elif known[2] >= 0:
        facts.loops[known[2]].count = known[1]
        facts.loops[known[2]].chars += len(text)


def _about(result: Repeated) -> str:
    """The kind of tool and what it ran; a failed call is counted with its error, and that once."""
    call = result.call
    programs = programs_in(call.command) if call.command else ()
    what = programs[-1] if programs else "" if call.command else call.tool
    return f"{call.tool_class}\n{what}" if what and not result.is_error else ""
