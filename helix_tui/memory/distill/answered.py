"""What a person chose: short answers with the question, or the option, that they answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.headline import closing_question
from helix_tui.memory.distill.prose import lines_of, plain_line, sentences_of
from helix_tui.memory.distill.quoting import quoted
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.text.weakens import speaks_against_guards

_TOLD_LENGTH = 280
_QUESTION_LENGTH = 170
_OPTION_LENGTH = 200
_MOST_CHOICES = 5
_MOST_ANSWERS = 4
# A longer prompt is a form or a plan: a "must" in it is not a decision made on the way.
_MOST_CHOICE = 600
_LONG = 8
# An answer names an option by its letter or number: `b`, `2.`, `Option C`, `go with B`.
_BY_MARK = re.compile(
    r"(?i)\W{0,3}(?:(?:let'?s |please )?(?:go with|do|use|pick|take|choose) )?"
    r"(?:(?:option|choice|number|approach|variant|no\.?) )?#?([a-h]|\d{1,2})\b[).:!]*"
    r"(?:(?: please)?\W*$|[,;.:–-] ?(?=\S))"
)
_MARKED = re.compile(
    r"(?im)^[ \t>*_#-]{0,8}(?:(?:option|choice|approach|variant) )?[(]?([a-h]"
    r"|\d{1,2})[).:](?![\w])[*_]{0,2}[ \t]*(\S.{4,400})$"
    r"|^[ \t>*_#-]{0,8}(?:option|choice|approach|variant) ([a-h]"
    r"|\d{1,2})\b[*_ ]{0,3}[:–—(-][ \t]*(\S.{4,400})$"
)
_LEAST_OPTIONS = 2


def choices(piece: Piece, turns: Sequence[Exchange], told: Sequence[str]) -> Iterator[str]:
    """What a person chose on the way, each with the question or the option that it answers."""
    found = 0
    for turn in turns:
        for choice in turn.choices:
            if found < _MOST_ANSWERS and not speaks_against_guards(choice.answer):
                found += 1
                question = quoted(choice.question, _QUESTION_LENGTH)
                yield f"Asked {question}, the user chose: {quoted(choice.answer, _OPTION_LENGTH)}"
    before_of = {told.event: told.before for told in piece.told if told.event}
    for before, turn in pairwise(turns):
        if found >= _MOST_CHOICES:
            return
        asked = plain_line(turn.asked)
        if len(asked) <= _MOST_CHOICE and not _is_told(asked, told):
            line = _chosen(before.answered, asked, before_of.get(turn.asked_event, ""))
            found += bool(line)
            if line:
                yield line


def _chosen(reply: str, asked: str, ran: str) -> str:
    """What a prompt chooses of what a reply asks or offers; nothing where it chooses nothing."""
    if speaks_against_guards(asked) or asked.startswith("/"):
        return ""
    question = closing_question(reply)
    if (mark := _BY_MARK.match(asked)) and (option := _option(reply, mark[1])):
        lead = f"Asked {quoted(question, _QUESTION_LENGTH)}, the" if question else "The"
        return (
            f"{lead} user chose {quoted(asked, _OPTION_LENGTH)}: {quoted(option, _OPTION_LENGTH)}"
        )
    for sentence in sentences_of(asked):
        cue = cues.ANSWERED if question else cues.CHOSEN
        is_rather = cues.RATHER.search(sentence) is not None
        if not (is_rather or cue.search(sentence)) or sentence.endswith("?"):
            continue
        if question:
            answer = quoted(sentence, _TOLD_LENGTH)
            return f"Asked {quoted(question, _QUESTION_LENGTH)}, the user: {answer}"
        if is_rather or len(sentence.split()) >= _LONG:
            behind = f" (behind {quoted(ran, _OPTION_LENGTH // 2)})" if is_rather and ran else ""
            return f"The user: {quoted(sentence, _TOLD_LENGTH)}{behind}"
    return ""


def _option(reply: str, mark: str) -> str:
    """The option of a reply that has this letter or number, where it lists some."""
    options = {
        (match[1] or match[3]).lower(): plain_line(match[2] or match[4])
        for match in _MARKED.finditer(reply)
    }
    if len(options) >= _LEAST_OPTIONS and mark.lower() in options:
        return options[mark.lower()]
    # The rows of a table are marked by their first cell.
    for line in lines_of(reply):
        first, dot, rest = line.text.partition(" · ")
        if line.is_row and dot and first.strip("#. ").lower() == mark.lower():
            return rest
    return ""


def _is_told(asked: str, told: Sequence[str]) -> bool:
    start = " ".join(asked.split())[:40]
    return bool(start) and any(text.startswith(start) for text in told)
