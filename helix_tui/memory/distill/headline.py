"""The gist of what somebody wrote: a prompt on one line, an answer by what it says first."""

from __future__ import annotations

import json
import re

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.prose import (
    ProseLine,
    at_a_pause,
    lines_of,
    plain_line,
    sentences_of,
    shortened,
)
from helix_tui.schema.memory import CUT

ASKED_LENGTH = 300
_LONG_PROMPT = 400
_TITLE_WORD = re.compile(r"[^\W_]\w{2,}")
ANSWER_LENGTH = 360
RESULT_LENGTH = 700
# A line of so few words, before a list, only names it; so does an item before deeper ones.
_MOST_OF_LABEL = 6
_ENOUGH = 100
_MOST_OF_PART = 2
# Where objects have their headings, the best first.
_TELLING = ("overall_explanation", "summary", "title", "conclusion", "message", "result")
_MOST_OF_JSON = 6
_TITLE_IN_JSON = re.compile(r'"(?:title|overall_explanation|summary)"\s*:\s*"([^"\\]{8,400})"')
# Fewer words say nothing to somebody who was not there.
_LEAST_WORDS = 5
_LETTER = re.compile(r"[^\W\d_]")
PICTURE = re.compile(r"\[(?i:image)(?: #?\d+)?\]|\\(?=\s|$)")


def gist(prompt: str, title: str = "") -> str:
    """A prompt on one line; of one that is mostly code, only its prose.

    A long one begins with the passage that speaks of the title, where an earlier one does not.
    """
    lines = [
        line.text
        for line in lines_of(PICTURE.sub(" ", prompt), has_code=True)
        if not line.is_heading
    ]
    # What stood apart is not told in one breath.
    if CUT in lines:
        at = lines.index(CUT)
        head, tail = lines[:at], lines[at + 1 :]
        lines = tail if not head or _shared(tail, title) > _shared(head, title) else head
    whole = " ".join(lines)
    if title and len(whole) > _LONG_PROMPT:
        lines = lines[_speaking_of(lines, title) :]
    return shortened(" ".join(lines) or plain_line(prompt), ASKED_LENGTH)


# A sentence that asks for something; what is pasted, or tells what was seen, does not.
_ASKING = re.compile(
    r"(?i)\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\blet['’]?s\b|\bi(?:['’]d| would)"
    r" like\b|\bi (?:want|need|think we)\b|\bwe (?:need|should|must)\b|[?？]\W*$"
    r"|\bhow (?:do|to|can)\b"
    r"|^\W*(?:(?:first|then|now|next|also|so|and|just|ok(?:ay)?)\W+)*(?:add|fix|make|use|write"
    r"|create|update|remove|change|move|implement|check|review|run|try|investigate|find|explain"
    r"|show|look|test|rename|replace|refactor|build)\b"
)
_PASTED = re.compile(
    r"^\W*(?i:error|warning|for more information about)\b|(?i:\berror(?:\[\w+\])?: )"
    r"|\.sh: line \d|\bprocess completed with\b"
    r"|^[^\w`@/(\"'“]|https?://|[{}│─]|\|.*\||  +\S+  +|_{4,}|={4,}"
)
_LONG_REQUEST = 100


def asked_in_short(prompt: str) -> str:
    """The sentence of a prompt that says what is wanted; of a short one all of it."""
    whole = plain_line(prompt) if len(prompt) < _LONG_REQUEST else gist(prompt)
    if len(whole) <= _LONG_REQUEST:
        return whole
    lines = [line.text for line in lines_of(PICTURE.sub(" ", prompt)) if not line.is_heading]
    sentences = [one for line in lines for one in sentences_of(line)][:_MOST_EXAMINED]
    worded = [one for one in sentences if len(one.split()) >= _LEAST_WORDS - 1]
    plain = [one for one in worded if not _PASTED.search(one)]
    wanted = next((one for one in plain if _ASKING.search(one)), "")
    # A long prompt in which no sentence asks is an output, a log or a page.
    is_pasted = not wanted and len(prompt) > _LONG_PROMPT and len(plain) < len(sentences)
    return "" if is_pasted else (wanted or next(iter(plain), whole)).rstrip(": ")


def is_pasted_output(line: str) -> bool:
    """Whether a line was printed by a program, and is nobody's request."""
    return _PASTED.search(line) is not None and _ASKING.search(line) is None


_MOST_EXAMINED = 40


def _speaking_of(lines: list[str], title: str) -> int:
    """The line that has most of a title's words, the first of such; 0 where none has many."""
    most = _shared(lines, title)
    at = next((at for at, line in enumerate(lines) if _shared([line], title) == most), 0)
    return at if 2 * most > len(set(_TITLE_WORD.findall(title.casefold()))) else 0


def _shared(lines: list[str], title: str) -> int:
    """How many of a title's words the line has that has most of them."""
    wanted = set(_TITLE_WORD.findall(title.casefold()))
    return max((len(wanted & set(_TITLE_WORD.findall(one.casefold()))) for one in lines), default=0)


def headline(answer: str, *, is_result: bool = False) -> str:
    """The first sentences with content, and what stands in the list that they lead to.

    Where the answer itself is the result of the work, the beginning of each of its parts counts.
    """
    if is_json(answer):
        return _of_json(answer)
    lines = without_labels(written_lines(answer))
    return _of_parts(lines) if is_result else _beginning(lines)


def is_json(answer: str) -> bool:
    """Whether an answer is one object, as a program reads it."""
    return answer.lstrip().startswith("{") and '"' in answer[:40]


def _of_parts(lines: list[ProseLine]) -> str:
    """Of each part its heading, and the first sentence or the first items below it."""
    told: list[str] = []
    room = RESULT_LENGTH
    heading = ""
    count = 0
    for line in lines:
        if line.is_heading:
            heading, count = line.text.rstrip(": "), 0
            continue
        sentence = line.text if line.is_item else sentences_of(line.text)[0]
        is_idle = cues.FILLER.fullmatch(sentence) or cues.PLAN.match(sentence)
        if is_idle or cues.LEAD.match(sentence) or count >= _MOST_OF_PART:
            continue
        text = sentence.rstrip(":")
        text = f"{heading}: {text}" if heading and not count else text
        if len(text) > room and told:
            break
        told.append(at_a_pause(text, ANSWER_LENGTH))
        room -= len(told[-1]) + 2
        count += 1
    return _joined(told)


def _beginning(lines: list[ProseLine]) -> str:
    told: list[str] = []
    room = ANSWER_LENGTH
    brief: list[str] = []
    is_leading = False
    for line in lines:
        if line.is_heading:
            # What only says that it is done is followed by what was done.
            if len(_joined(told)) >= _ENOUGH and not is_leading:
                break
            is_leading = True
            continue
        if line.is_item:
            text = line.text.rstrip(":")
            is_first = not told or told[-1].endswith(":")
            if (told and not is_leading) or (len(text) > room and not is_first):
                break
            told.append(at_a_pause(text, room))
            room -= len(told[-1]) + 2
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
    return at_a_pause(_joined(told) or " ".join(brief), ANSWER_LENGTH)


def without_labels(lines: list[ProseLine]) -> list[ProseLine]:
    """Lines that name a list as headings, and without items that only name further ones."""
    marked: list[ProseLine] = []
    for at, line in enumerate(lines):
        follows = lines[at + 1].is_item if at + 1 < len(lines) else False
        is_label = len(line.text.split()) <= _MOST_OF_LABEL and line.text[-1] not in ".!?"
        if not line.is_item and not line.is_heading and follows and is_label:
            line = line._replace(is_heading=True)
        if follows and line.is_item and lines[at + 1].depth > line.depth and is_label:
            continue
        marked.append(line)
    return marked


def _of_json(answer: str) -> str:
    """What an answer that is one object calls its parts."""
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        # Its middle was cut.
        cut = [match[1] for match in _TITLE_IN_JSON.finditer(answer)][:_MOST_OF_JSON]
        return at_a_pause(_joined([plain_line(text) for text in cut]), RESULT_LENGTH)
    found: list[str] = []
    queue: list[object] = [value]
    while queue and len(found) < _MOST_OF_JSON:
        part = queue.pop(0)
        if isinstance(part, dict):
            found += [part[name] for name in _TELLING if isinstance(part.get(name), str)][:1]
            queue += part.values()
        elif isinstance(part, list):
            queue += part
    told = [plain_line(text) for text in found if text.strip()]
    return at_a_pause(_joined(told), RESULT_LENGTH)


def is_telling(line: str) -> bool:
    """Whether a headline says something by itself."""
    return len(line.split()) > _LEAST_WORDS and not line.endswith(("?", "？"))


def closing_question(answer: str) -> str:
    """The question that an answer ends with; empty where it does not."""
    lines = [line for line in lines_of(answer) if is_written(line.text)]
    if not lines:
        return ""
    last = sentences_of(lines[-1].text)[-1]
    return last if last.endswith(("?", "？")) else ""


def prose_of(text: str) -> list[ProseLine]:
    """The lines that somebody wrote in sentences: no headings, no rows of tables, no banners."""
    return [
        line
        for line in lines_of(text)
        if not line.is_heading and not line.is_row and is_written(line.text)
    ]


def written_lines(text: str) -> list[ProseLine]:
    """The lines of a text but rules and banners; an item may be mostly numbers and signs."""
    return [
        line
        for line in lines_of(text)
        if is_written(line.text) or (line.is_item and len(_LETTER.findall(line.text)) > 1)
    ]


def is_written(line: str) -> bool:
    """Whether a line is mostly letters: rules and banners are not."""
    letters = len(_LETTER.findall(line))
    return letters > 1 and letters * 2 >= len(line.replace(" ", ""))


def _joined(parts: list[str]) -> str:
    """Sentences one after the other, items parted by semicolons."""
    text = ""
    for part in parts:
        between = "" if not text else " " if text[-1] in ".!?…:" else "; "
        text += between + part
    return text
