"""Cut long text at words, so that a model gets its beginning and its end."""

from __future__ import annotations

LEFT_OUT = "\n[… the middle is left out …]\n"
# How far a cut is moved to reach the end of a word.
_REACH = 200


def cut_middle(text: str, most: int) -> str:
    """The text in at most so many characters: two thirds from its beginning, the rest its end."""
    if len(text) <= most:
        return text
    room = most - len(LEFT_OUT)
    if room < 2:
        return text[: _word_end(text, max(0, most))]
    tail = room // 3
    head = room - tail
    return text[: _word_end(text, head)] + LEFT_OUT + text[_word_start(text, len(text) - tail) :]


def _word_end(text: str, at: int) -> int:
    """The last place up to `at` behind which no word is cut, if there is one near."""
    for place in range(at, max(0, at - _REACH), -1):
        if place == len(text) or text[place].isspace() or text[place - 1].isspace():
            return place
    return at


def _word_start(text: str, at: int) -> int:
    """The first place from `at` on before which no word is cut, if there is one near."""
    for place in range(at, min(len(text), at + _REACH)):
        if place == 0 or text[place - 1].isspace():
            return place
    return at
