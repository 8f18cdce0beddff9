"""The gist of what somebody wrote: a prompt on one line, an answer by what it says first."""

from __future__ import annotations

import re

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.prose import ProseLine, lines_of, plain_line, sentences_of, shortened

ASKED_LENGTH = 220
ANSWER_LENGTH = 340
_ITEM_LENGTH = 150
_LEAST_ITEM = 40
# Fewer words say nothing to somebody who was not there.
_LEAST_WORDS = 5
_LETTER = re.compile(r"[^\W\d_]")
_PICTURE = re.compile(r"\[(?i:image)(?: #?\d+)?\]|\\(?=\s|$)")


def gist(prompt: str) -> str:
    """A prompt on one line; of one that is mostly code, only its prose."""
    lines = [
        line for line in lines_of(_PICTURE.sub(" ", prompt), has_code=True) if not line.is_heading
    ]
    return shortened(" ".join(line.text for line in lines) or plain_line(prompt), ASKED_LENGTH)


def headline(answer: str) -> str:
    """The first sentences with content, and what stands in the list that they lead to."""
    lines = [line for line in lines_of(answer) if _is_written(line.text)]
    told: list[str] = []
    room = ANSWER_LENGTH
    brief: list[str] = []
    is_leading = False
    for line in lines:
        if line.is_heading and told and not is_leading:
            break
        if line.is_heading:
            continue
        if line.is_item:
            text = shortened(line.text.rstrip(":"), _ITEM_LENGTH)
            if room < min(len(text), _LEAST_ITEM) or (told and not is_leading):
                break
            told.append(text)
            room -= len(text) + 2
            is_leading = True
            continue
        if told and (is_leading or room < ANSWER_LENGTH // 2):
            break
        is_leading = False
        for sentence in sentences_of(line.text):
            if cues.FILLER.fullmatch(sentence) or cues.PLAN.match(sentence):
                is_leading = is_leading or sentence.endswith(":")
                continue
            if cues.LEAD.match(sentence):
                is_leading = True
            elif len(sentence.split()) < _LEAST_WORDS and not told:
                brief.append(sentence)
            elif len(sentence) <= room or not told:
                told.append(sentence)
                room -= len(sentence) + 1
                is_leading = sentence.endswith(":")
            else:
                break
    if told and told[-1].endswith(":"):
        told.pop()  # what it leads to is code, or had no room
    return shortened(_joined(told) or " ".join(brief), ANSWER_LENGTH)


def is_telling(line: str) -> bool:
    """Whether a headline says something by itself."""
    return len(line.split()) > _LEAST_WORDS and not line.endswith(("?", "？"))


def closing_question(answer: str) -> str:
    """The question that an answer ends with; empty where it does not."""
    lines = [line for line in lines_of(answer) if _is_written(line.text)]
    if not lines:
        return ""
    last = sentences_of(lines[-1].text)[-1]
    return last if last.endswith(("?", "？")) else ""


def prose_of(text: str) -> list[ProseLine]:
    """The lines that somebody wrote in sentences: no headings, no rows of tables, no banners."""
    return [
        line
        for line in lines_of(text)
        if not line.is_heading and not line.is_row and _is_written(line.text)
    ]


def _is_written(line: str) -> bool:
    """Whether a line is mostly letters: rules and banners are not."""
    return len(_LETTER.findall(line)) * 2 >= len(line.replace(" ", ""))


def _joined(parts: list[str]) -> str:
    """Sentences one after the other, items parted by semicolons."""
    text = ""
    for part in parts:
        between = "" if not text else " " if text[-1] in ".!?…:" else "; "
        text += between + part
    return text
