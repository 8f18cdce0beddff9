"""Put a model's labels in the place of the rules' own judgement."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from helix_tui.schema import Digest, Facts
from helix_tui.schema.digest import TurnLabel

# Labels by the fingerprint of the turn's event.
Labels = Mapping[int, TurnLabel]
# Lists of what the rules heard in turns.
_BY_RULES = ("corrections", "reactions", "persistences")


def labelled(digest: Digest, labels: Labels) -> Digest:
    """A digest in which every turn that has a label carries it; the digest itself stays.

    What the rules made of such a turn is left out of it.
    """
    facts = digest.facts
    if not any(turn.fingerprint in labels for turn in facts.turns):
        return digest
    turns = [
        msgspec.structs.replace(turn, label=labels[turn.fingerprint])
        if turn.fingerprint in labels
        else turn
        for turn in facts.turns
    ]
    heard = {
        name: [moment for moment in getattr(facts, name) if moment.fingerprint not in labels]
        for name in _BY_RULES
    }
    fields = {name: getattr(facts, name) for name in Facts.__struct_fields__}
    return msgspec.structs.replace(digest, facts=Facts(**{**fields, **heard, "turns": turns}))
