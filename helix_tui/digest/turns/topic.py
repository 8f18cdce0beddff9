"""What a turn is about, in three words at most: names first, then the longest words."""

from __future__ import annotations

import re

from helix_tui.schema import TurnFact
from helix_tui.text.clauses import is_name
from helix_tui.text.common_words import COMMON

_WORD = re.compile(r"[^\W_][\w./:@#+'-]{1,60}")
_MOST = 3
_LEAST = 4


def topic_of(turn: TurnFact) -> str:
    """Up to three words of a turn that tell what it is about, in the order in which they stand.

    Where a model has read it, its words count.
    """
    if turn.label is not None and turn.label.topic:
        return turn.label.topic
    if turn.command and turn.text == turn.command:
        return turn.command
    words = [word.strip("./:@#+'-") for word in _WORD.findall(turn.own or turn.text)]
    telling = [word for word in dict.fromkeys(words) if _tells(word)]
    best = sorted(telling, key=lambda word: (not is_name(word), -len(word), word))[:_MOST]
    return " ".join(word for word in telling if word in best)


def _tells(word: str) -> bool:
    return (len(word) >= _LEAST or is_name(word)) and word.lower().replace("’", "'") not in COMMON
