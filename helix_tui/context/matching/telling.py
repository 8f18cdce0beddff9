"""Which words of a rule or of what people say are telling, and what two texts share of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from helix_tui.context.matching.meaning import groups_in, groups_of
from helix_tui.context.matching.tokens import tokens_of
from helix_tui.text.clauses import stem_of

_WORDS = Path(__file__).parent / "rule_words.txt"
# What a word counts as that means the same.
_MEANT = 0.7


def _listed(name: str) -> frozenset[str]:
    """The words of a list, as they are compared."""
    lines = _WORDS.read_text("utf-8").splitlines()
    listed = next(line for line in lines if line.startswith(f"{name}: "))
    return frozenset(stem_of(word) for word in listed.partition(": ")[2].split())


# Words of a rule that say how it is meant and not what of.
FILLER = _listed("filler")
# What people say to do, where another one is another matter.
ACTIONS = _listed("actions")
GRAMMAR = _listed("grammar")


def shared(line: str, said: str) -> float:
    """How much two texts share, by the words of both: the product of both shares."""
    product = 1.0
    for one, other in ((line, said), (said, line)):
        named, tokens = telling(one), tokens_of(other)
        if not named:
            return 0.0
        product *= sum(likeness(token, tokens) for token in named) / len(named)
    return product


def telling(text: str) -> list[str]:
    """The words of a text that say what it is about."""
    return [token for token in tokens_of(text) if not (token in GRAMMAR or token in FILLER)]


def likeness(token: str, tokens: Sequence[str]) -> float:
    """Whether a text has a word, or one that means the same."""
    if token in tokens:
        return 1.0
    return 0.0 if set(groups_of(token)).isdisjoint(groups_in(tokens)) else _MEANT
