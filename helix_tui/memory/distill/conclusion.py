"""What a reply comes to: the few of its sentences and lists that tell most, in their order.

A reply begins with what was done and ends with what came of it; between them stand steps. So its
first telling sentence and its last words count, causes, and what speaks of the thing that was asked
for; what leads to a list, offers more or says how to use it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.earning import earns, goes_on, is_noise
from helix_tui.memory.distill.prose import at_a_pause, lines_of, sentences_of
from helix_tui.memory.distill.reply_parts import PART_LENGTH, Part, parts_of, stems_of
from helix_tui.schema.memory import Exchange
from helix_tui.text.causes import names_cause

_ENUMERATED = re.compile(r"^[^\w`]*(?:\d{1,2}[.)])?[^\w`]{0,4}(?=[\w`])")
_SAID = re.compile(r"\w+")
# What tells less is left out, where there is something else.
_LEAST_OF_MORE = -0.5
_LEAST = -1.6
_LEAST_OF_LEAD = 1.0
_LEAST_SHARED = 2
# So many of a text's words, where it has some, are all but the same text.
_ALIKE = 0.8
_LEAST_ALIKE = 5
_PLANNED = re.compile(r"(?i)\bplan\b\W{0,3}(?:$|\n)|\bplan:", re.MULTILINE)
_DOING = re.compile(rf"{cues.PLAN.pattern}|^\W*[A-Z]\w+ing\b(?! .* (?:is|are|was|were)\b)")
# What is left open is told as such.
_OF_OPEN = re.compile(
    r"(?i)^\W*(?:open|remaining|outstanding|risks?|blocked|blockers|todo|deferred|follow[ -]?ups?"
    r"|next steps?|known (?:issues|limitations|gaps)|not (?:done|verified|tested|run))\b"
)
_OPEN = -4.0
# A list has at least this much room.
_LEAST_OF_LIST = 180
_MOST_OF_LIST = 420


def conclusion(
    reply: str,
    asked: str,
    room: int,
    most: int,
    told: Sequence[str] = (),
    *,
    has_edits: bool = False,
) -> list[str]:
    """The parts of a reply that tell most, in their order, within so many characters.

    What lines that are `told` already quote is not told again; of a report on edits only the first
    part may say what was done, any other has to earn its place.
    """
    known = [plain_words(line) for line in told]
    list_room = min(_MOST_OF_LIST, max(_LEAST_OF_LIST, room * 4 // 5))
    found = parts_of(reply, asked, list_room)
    parts = [
        part._replace(worth=part.worth + _OPEN * (_OF_OPEN.match(part.heading) is not None))
        for part in found
        if not _is_told_already(part, known)
    ]
    kept: set[int] = set()
    # What a reply begins with is its answer, unless that says little.
    leads = [part.is_lead and part.worth >= _LEAST_OF_LEAD for part in parts]
    for at in sorted(range(len(parts)), key=lambda at: (not leads[at], -parts[at].worth, at)):
        part = parts[at]
        size = min(len(part.text), _MOST_OF_LIST)
        if len(kept) == most or part.worth < (_LEAST_OF_MORE if kept else _LEAST):
            break
        is_idle = cues.RESTATED.match(part.text) or not earns(part.text)
        if kept and has_edits and is_idle and not part.is_list:
            continue
        # Without the sentence that it goes on with it says nothing.
        if part.goes_on and at and at - 1 not in kept:
            continue
        if size <= room or not kept:
            kept.add(at)
            room -= size
    return list(_told([parts[at] for at in sorted(kept)]))


def _is_told_already(part: Part, known: Sequence[str]) -> bool:
    """Whether a part, or most of the items of a list, stands in these lines."""
    if is_said(part.text, known):
        return True
    items = [item.rstrip("…") for item in part.text.split("; ")]
    items = items if part.is_list or len(items) > 1 else []
    return 2 * sum(is_said(item, known) for item in items) > len(items)


def said_on_the_way(turn: Exchange, told: Sequence[str] = ()) -> list[str]:
    """What an agent said in a turn without a report that speaks of what was asked, or names why.

    What it was about to do next, and looked at, is left out: nothing says what came of it.
    """
    wanted = stems_of(turn.asked)
    known = [plain_words(line) for line in told]
    said = {turn.answered: ""} | {aside.text: aside.edited for aside in turn.asides}
    found: list[tuple[int, str]] = []
    for text, edited in said.items():
        is_plan = _PLANNED.search(text) is not None
        for line in lines_of(text):
            for sentence in sentences_of(line.text):
                shared = len(wanted & stems_of(sentence))
                is_why = names_cause(sentence)
                is_meant = shared >= _LEAST_SHARED and (
                    bool(edited) and not is_plan if line.is_item else earns(sentence)
                )
                is_loose = goes_on(sentence) or is_noise(sentence) or cues.ABOUT_TO.match(sentence)
                is_idle = is_loose or sentence[-1] in ":?…" or _DOING.search(sentence)
                if (is_why or is_meant) and not is_idle and not is_said(sentence, known):
                    found.append((shared + 2 * is_why, sentence))
    return [at_a_pause(text, PART_LENGTH) for _, text in sorted(found, key=lambda one: -one[0])]


def plain_words(text: str) -> str:
    """A text by its words alone: signs and capitals differ where it is quoted twice."""
    return " ".join(_SAID.findall(text.casefold()))


def is_said(text: str, known: Sequence[str]) -> bool:
    """Whether one of these texts, by their words, has all of this one, or nearly all."""
    words = plain_words(text)
    if any(words in line for line in known):
        return True
    stems = stems_of(words)
    return len(stems) >= _LEAST_ALIKE and any(
        len(stems & stems_of(line)) >= _ALIKE * len(stems) for line in known
    )


def _told(kept: Sequence[Part]) -> Iterator[str]:
    """The parts as they are told: the first below a heading with it, and no colon at an end."""
    heading = ""
    for part in kept:
        text = part.text.rstrip(": ") if part.text[-1] == ":" else part.text
        text = cues.ASSURED.sub("", cues.SUCCESSFULLY.sub("", text))
        if part.heading and part.heading != heading:
            text = f"{_ENUMERATED.sub('', part.heading)}: {text}"
        heading = part.heading
        yield at_a_pause(text, _MOST_OF_LIST if part.is_list else PART_LENGTH)
