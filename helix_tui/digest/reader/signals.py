"""What a model read in the turns of people, as signals that meet where their topics are equal."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.schema import Facts
from helix_tui.schema.signal import Signal


def read_turns(facts: Facts) -> Iterator[Signal]:
    """Turns that a model says ask for something; `verb` is the kind, `template` the rule."""
    for turn in facts.turns:
        label = turn.label
        if label is None or not label.topic:
            continue
        yield Signal(
            "user_correction",
            subject=label.topic,
            template=label.rule,
            first_ts=turn.ts,
            last_ts=turn.ts,
            chars=turn.chars,
            ms=turn.ms,
            fingerprints=[turn.fingerprint],
            text=turn.own or turn.text,
            before=turn.before,
            verb=label.kind,
            topic=_key_of(label.topic),
        )


def _key_of(topic: str) -> str:
    """What two topics are equal by: their words in any order, one or many of a thing."""
    words = (word.removesuffix("'s") for word in topic.casefold().split())
    return " ".join(sorted({_singular(word) for word in words}))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "sui" else word
