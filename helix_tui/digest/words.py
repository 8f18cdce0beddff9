"""What a person says of the turn that has just ended, and what the agent claimed of it."""

from __future__ import annotations

import msgspec

from helix_tui.digest.correction_words import (
    is_claim,
    is_correction,
    is_persistence,
    is_reaction,
    rejecting_clause,
)
from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.state import Memory
from helix_tui.digest.tables import MOST_MOMENTS, cut, note
from helix_tui.schema import Facts, Moment

_LENGTH = 200


class Said(msgspec.Struct, frozen=True):
    """A prompt: its event, its words, and what of them may be kept."""

    fingerprint: int
    ts: int | None
    text: str
    kept: str


def hear(facts: Facts, memory: Memory, said: Said) -> None:
    """Takes a prompt that follows the agent's work."""
    is_rejected, claim = is_correction(said.text), memory.claim
    if claim and is_persistence(said.text):
        note(facts.persistences, _moment(facts, memory, said, claim))
    else:
        memory.claim = claim if not is_rejected else ""
    if is_rejected:
        _reject(facts, memory, said)
    elif is_reaction(said.text):
        note(facts.reactions, _moment(facts, memory, said, memory.last_action))


def _reject(facts: Facts, memory: Memory, said: Said) -> None:
    facts.correction_count += 1
    if memory.fresh_pass in facts.first_passes:
        _take_back(facts.first_passes, memory.fresh_pass)
    if len(facts.corrections) < MOST_MOMENTS:
        memory.unfollowed_words = len(facts.corrections)
        moment = _moment(facts, memory, said, memory.last_action)
        # Of what is redacted already: half a key does not look like one.
        moment.about = cut(rejecting_clause(said.kept), _LENGTH)
        facts.corrections.append(moment)


def _take_back(passes: dict[str, Moment], program: str) -> None:
    passes[program].count -= 1
    if not passes[program].count:
        del passes[program]


def _moment(facts: Facts, memory: Memory, said: Said, before: str) -> Moment:
    return Moment(
        said.fingerprint,
        said.ts,
        said.kept,
        before=before,
        chars=memory.spent - memory.turn_spent,
        ms=facts.active_ms - memory.turn_ms,
    )


def claim_in(reply: str) -> str:
    """What an agent said when it gave the turn back, where that was a claim of done."""
    return excerpt_line(reply, _LENGTH) if is_claim(reply) else ""
