"""What a reply asks at its end, and the options that it offers."""

from __future__ import annotations

import re

from helix_tui.memory.distill.headline import closing_question
from helix_tui.memory.distill.prose import at_a_pause, lines_of, plain_line, sentences_of

LEAST_OPTIONS = 2
_MARKED = re.compile(
    r"(?im)^[ \t>*_#-]{0,8}(?:(?:option|choice|approach|variant|question) |q)?[(]?([a-h]"
    r"|\d{1,2})[).:](?![\w])[*_]{0,2}[ \t]*(\S.{4,400})$"
    r"|^[^\w\n]{0,8}(?:(?:option|choice|approach|variant|question) |q)([a-h]"
    r"|\d{1,2})\b[*_ ]{0,3}[:–—(-][ \t]*(\S.{4,400})"
)
_NUMBERED = re.compile(r"(?i)(?:question|decision)\b.{0,12}\d")
# A question that only asks which: what is asked stands above the options.
_GENERIC = re.compile(
    r"(?i)\W*(?:which|what)(?:(?: [\w/-]+){0,2} (?:do|would|should) (?:you|we|i)(?: \S+){1,2}"
    r"|(?: [\w/-]+)?(?: sounds? \S+)?)\s?\?"
)
_MOST_OF_GENERIC = 9
_LEAST_OF_QUESTION = 5
_LABEL = re.compile(
    r"^\W*(?:(?:next|first|second|third|last|final|open|another) )?question\W{1,4}", re.I
)
_OF_OPTION = re.compile(r"(?i)\b(?:option|approach|variant|choice|plan) #?([a-h]|\d{1,2})\b")
_CELL_MARK = re.compile(
    r"(?i)\W*(?:option |approach )?#?([a-h]|\d{1,2})(?:[.):]\s*(?P<name>\S.*)|\W*$)"
)
_ROOM_OF_REST = 110


def question_of(reply: str) -> str:
    """What a reply asks at its end; where that only asks which, what it asked above that."""
    closing = closing_question(reply)
    is_generic = len(closing.split()) <= _MOST_OF_GENERIC and _GENERIC.fullmatch(closing)
    if not closing or not is_generic:
        return closing
    asked = [
        sentence
        for line in lines_of(reply)
        if not line.is_item
        for sentence in sentences_of(_LABEL.sub("", line.text))
        if sentence.endswith(("?", "？")) and len(sentence.split()) >= _LEAST_OF_QUESTION
    ]
    return next((one for one in reversed(asked) if not _GENERIC.fullmatch(one)), closing)


def option_named(question: str, reply: str) -> str:
    """The option that a question names by its letter or number, where the reply lists it."""
    match = _OF_OPTION.search(question)
    return option_of(reply, match[1]) if match else ""


def questions_of(reply: str) -> list[str]:
    """All that a reply asks in the list with which it ends."""
    lines = lines_of(reply)
    last = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].is_item), -1)
    first = last
    while first > 0 and lines[first - 1].is_item:
        first -= 1
    asked = [line.text for line in lines[max(0, first) : last + 1]]
    return [one for one in asked if one.endswith(("?", "？"))]


def question_above(reply: str) -> str:
    """The question of a menu that ends with its options: the last that asks, or its heading."""
    asking = [
        line.text
        for line in lines_of(reply)
        if not line.is_item and (line.text.endswith(("?", "？")) or _NUMBERED.match(line.text))
    ]
    return sentences_of(asking[-1])[-1] if asking else ""


def options_of(reply: str) -> dict[str, str]:
    """The marked options or points of a reply by their letter or number."""
    return {
        (match[1] or match[3]).lower(): plain_line(match[2] or match[4]).replace("**", "")
        for match in _MARKED.finditer(reply)
    }


def option_of(reply: str, mark: str) -> str:
    """The option of a reply that has this letter or number, where it lists some."""
    options = options_of(reply)
    if len(options) >= LEAST_OPTIONS and mark.lower() in options:
        return options[mark.lower()]
    # The rows of a table are marked by their first cell.
    for line in lines_of(reply):
        first, dot, rest = line.text.partition(" · ")
        match = _CELL_MARK.match(first) if line.is_row and dot else None
        if match and match[1].lower() == mark.lower():
            name = match["name"]
            return f"{name}: {at_a_pause(rest, _ROOM_OF_REST)}" if name else rest
    return ""
