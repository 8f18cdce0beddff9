"""What a reply comes to: the few of its sentences and items that tell most, in their order.

A reply begins with what was done and ends with what came of it; between them stand steps. So its
first telling sentence and its last words count, causes, and what speaks of the thing that was asked
for; what leads to a list, offers more or says how to use it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.earning import (
    concludes,
    earns,
    goes_on,
    is_noise,
    is_passing,
    points_elsewhere,
)
from helix_tui.memory.distill.headline import is_written, without_labels
from helix_tui.memory.distill.prose import ProseLine, at_a_pause, lines_of, sentences_of
from helix_tui.text.causes import names_cause

# A part is cut where its writer paused; so long, it is still read in one go.
PART_LENGTH = 400
_LEAST_LENGTH = 24
_LEAST_WORDS = 4
_WORD = re.compile(r"[^\W_]\w{3,}")
# Words that begin alike, so far, are one: exit, exiting.
_STEM = 4
_ENUMERATED = re.compile(r"^\W*(?:\d{1,2}[.)])?\W{0,4}(?=[\w`])")
# The keys of an object that stands within an answer.
_KEY = re.compile(r'"\w{1,40}":\s')
_SAID = re.compile(r"\w+")
_NAME = re.compile(r"`[^`]+`|\w[./_:-]\w|\d")
# Items so long on average are told one by one.
_SHORT_ITEM = 90
_MOST_SHARED = 4
_FIRST = 3.0
_LAST = 2.0
_CAUSE = 2.5
_CONCLUDES = 1.5
_EARNS = 0.6
_UNDER_RESULT = 1.5
_OF_CHOICE = 1.0
_ASIDE = -2.5
# Each item tells a little less than the one before it.
_LATER = 0.4
_LATER_ROW = 0.2
_LITTLE = -1.0
_PRAISE = -1.5
# What tells less is left out, where there is something else.
_LEAST_OF_MORE = -0.5
_LEAST = -1.6
_ECHO = -4.0
# What has so much of the words of the request repeats it.
_ECHOED = 0.7
# More words say what is done, too.
_MOST_OF_EMPTY = 14
# So few words that name nothing say that something is done, and not what.
_FEW_WORDS = 7
_ITEM_LENGTH = 320
# A heading that says what was found: `Finding 2 - the cache is never emptied`.
_FINDING = re.compile(
    r"(?i)\W*(?:(?:finding|issue|problem|bug|concern|risk|blocker|gap)\b[ #]*\w{0,3}\s?[-–—:.)]"
    r"|\[?(?:p\d|critical|high|medium|low)\]?\s?[-–—:.)]) ?(?=\S+ \S+ \S).{18,}"
)
_OF_FINDING = 3.5
_ASKING_BACK = re.compile(r"[?？]\s*(?:\([^)]*\))?\W*$")
_FILE_NAME = re.compile(r"`?[\w@.+~-]*(?:/[\w@.+~ -]+)*/?[\w@+-]+\.\w{1,8}`?")
_NAME_ALONE = re.compile(r"`[^`]+`[.,;]?")


class Part(NamedTuple):
    """A sentence or some items of a reply: how much they tell, and the heading above them."""

    worth: float
    text: str
    heading: str = ""
    # Whether it goes on with the part before it, and has no sense without it.
    goes_on: bool = False


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
    parts = [part for part in _parts(reply, asked) if not is_said(part.text, known)]
    kept: set[int] = set()
    for at in sorted(range(len(parts)), key=lambda at: (-parts[at].worth, at)):
        part = parts[at]
        size = min(len(part.text), PART_LENGTH)
        if len(kept) == most or part.worth < (_LEAST_OF_MORE if kept else _LEAST):
            break
        if kept and has_edits and (cues.RESTATED.match(part.text) or not earns(part.text)):
            continue
        # Without the sentence that it goes on with it says nothing.
        if part.goes_on and at and at - 1 not in kept:
            continue
        if size <= room or not kept:
            kept.add(at)
            room -= size
    return list(_told([parts[at] for at in sorted(kept)]))


def plain_words(text: str) -> str:
    """A text by its words alone: signs and capitals differ where it is quoted twice."""
    return " ".join(_SAID.findall(text.casefold()))


def is_said(text: str, known: Sequence[str]) -> bool:
    """Whether one of these texts, by their words, has all of this one."""
    words = plain_words(text)
    return any(words in line for line in known)


def _told(kept: Sequence[Part]) -> Iterator[str]:
    """The parts as they are told: the first below a heading with it, and no colon at an end."""
    heading = ""
    for part in kept:
        text = part.text.rstrip(": ") if part.text[-1] == ":" else part.text
        text = cues.ASSURED.sub("", cues.SUCCESSFULLY.sub("", text))
        if part.heading and part.heading != heading:
            text = f"{_ENUMERATED.sub('', part.heading)}: {text}"
        heading = part.heading
        yield at_a_pause(text, PART_LENGTH)


def _parts(reply: str, asked: str) -> Iterator[Part]:
    """What may be told of a reply: sentences, lists with what leads to them, long items."""
    lines = without_labels([line for line in lines_of(reply) if is_written(line.text)])
    wanted = _words(asked)
    last_prose = _last_prose(lines)
    heading = lead = ""
    is_first = True
    for is_item, group in groupby(enumerate(lines), key=lambda one: one[1].is_item):
        rows = list(group)
        if is_item:
            items = [line for _, line in rows]
            is_offered = cues.OFFERED.search(f"{heading} {lead}") or is_passing(lead)
            found = [] if is_offered else list(_of_list(items, lead, heading, wanted))
            if found and is_first:
                found[0] = found[0]._replace(worth=found[0].worth + _FIRST)
            is_first = is_first and not found
            yield from found
            lead = ""
            continue
        for number, line in rows:
            if line.is_heading:
                heading = line.text.strip(": ")
                if _FINDING.match(heading):
                    is_first = False
                    yield Part(_OF_FINDING, heading)
                    heading = ""
                continue
            leads = number + 1 < len(lines) and lines[number + 1].is_item
            sentences = sentences_of(line.text)
            if leads and sentences[-1].endswith(":"):
                lead = sentences.pop()
            for sentence in sentences:
                if not _is_telling(sentence):
                    continue
                # What a reply ends with stands below the last heading, and is not of it.
                worth = _worth(sentence, "" if number == last_prose else heading, wanted)
                is_begun = is_first and not says_little(sentence)
                worth += _FIRST if is_begun else _LAST if number == last_prose else 0
                is_first = is_first and not is_begun
                yield Part(worth, sentence, goes_on=goes_on(sentence))


def _of_list(
    items: Sequence[ProseLine], lead: str, heading: str, wanted: set[str]
) -> Iterator[Part]:
    """The parts of a list: short items together behind what leads to them, long ones each."""
    is_empty = cues.EMPTY.search(lead.rstrip(": ")) and not _NAME.search(lead)
    is_idle = _is_idle(lead.rstrip(":")) or cues.LEAD.match(lead) or cues.PLAN.match(lead)
    if is_empty or is_idle or points_elsewhere(lead):
        lead = ""
    is_generic = cues.GENERIC.fullmatch(heading) or cues.LEAD.match(heading)
    label = lead.rstrip(": ") or ("" if is_generic else heading)
    is_short = len(label.split()) <= _FEW_WORDS and not _NAME.search(label)
    if (is_short and goes_on(label)) or points_elsewhere(label) or cues.GENERIC_LEAD.search(label):
        label = ""
    # Which files were changed is told by the edits themselves.
    told = [item for item in items if not _FILE_NAME.fullmatch(item.text)]
    if not lead:
        told = [item for item in told if not _NAME_ALONE.fullmatch(item.text)]
    telling = [item for item in told if _is_telling(item.text, least=0)]
    if not telling:
        return
    under = _worth("", heading, set())
    little = _LITTLE / 2 if telling[0].is_row else 0.0
    if sum(len(item.text) for item in telling) <= _SHORT_ITEM * len(telling):
        text = joined_items(telling, PART_LENGTH - len(label) - 2)
        worth = max(_worth(item.text, "", wanted) for item in telling) + under + little
        worth += _ASIDE * bool(cues.OF_USE.search(lead))
        yield Part(worth + 0.5 * bool(lead), f"{label}: {text}" if label else text)
        return
    for at, item in enumerate(telling):
        worth = (
            _worth(item.text, "", wanted)
            + under
            + little
            - (_LATER_ROW if item.is_row else _LATER) * at
        )
        yield Part(worth, at_a_pause(item.text, _ITEM_LENGTH), label)


def joined_items(items: Sequence[ProseLine], room: int) -> str:
    """As many items as there is room for, with a sign where some are left out."""
    told: list[str] = []
    for item in items:
        text = item.text.rstrip(".:; ")
        if told and len(text) + 2 > room:
            return f"{'; '.join(told)}; …"
        told.append(text)
        room -= len(text) + 2
    return "; ".join(told)


def _is_telling(text: str, least: int = _LEAST_LENGTH) -> bool:
    """Whether a sentence or an item says something itself."""
    if len(text) < least and len(text.split()) < _LEAST_WORDS:
        return False
    is_idle = _is_idle(text) or cues.PLAN.match(text) or cues.LEAD.match(text)
    # Whether checks pass is told by their runs.
    is_check = cues.CLAIMED.search(text) and not cues.STILL_RED.search(text)
    is_claim = bool(is_check) and not names_cause(text)
    is_short = len(text.split()) < 2 * _LEAST_WORDS and cues.TAKEN_BACK.match(text)
    is_cut = (
        _ASKING_BACK.search(text) is not None
        or text.endswith(("?", "？", ":", "..."))
        or len(_KEY.findall(text)) > 1
    )
    return not (is_idle or is_claim or is_short or is_cut or is_noise(text))


def says_little(sentence: str) -> bool:
    """Whether a sentence only says that something is done, or how good it is."""
    is_empty = len(sentence.split()) < _MOST_OF_EMPTY and cues.EMPTY.search(sentence)
    return bool(is_empty or cues.PRAISE.search(sentence)) and not _NAME.search(sentence)


def _is_beside(sentence: str) -> bool:
    """Whether a sentence tells no result: what the person may do now, or that it is done."""
    return says_little(sentence) or cues.USAGE.match(sentence) is not None


def _is_idle(text: str) -> bool:
    return bool(cues.FILLER.fullmatch(text) or cues.OFFERED.search(text))


def _worth(sentence: str, heading: str, wanted: set[str]) -> float:
    said = _words(sentence)
    shared = len(wanted & said)
    is_named = _NAME.search(sentence) is not None
    worth = 0.4 * min(shared, _MOST_SHARED) + 0.5 * is_named
    if said and shared >= _ECHOED * len(said):
        worth = _ECHO
    elif sentence and not is_named and len(sentence.split()) < _FEW_WORDS:
        worth += 2 * _LITTLE
    is_cause = names_cause(sentence)
    worth += _CAUSE * is_cause
    worth += _CONCLUDES * concludes(sentence) + _EARNS * earns(sentence)
    worth += _OF_CHOICE * bool(cues.DECIDED.search(sentence))
    worth += _UNDER_RESULT * bool(cues.OF_RESULT.search(heading))
    worth += _ASIDE * bool(cues.OF_USE.search(heading))
    worth += _LITTLE * bool(cues.HEDGED.search(sentence) or cues.PASSED.search(sentence))
    if not is_cause:
        worth += _ASIDE * _is_beside(sentence)
        worth += _PRAISE * bool(cues.PRAISE.search(sentence))
        worth += _LITTLE * bool(cues.RESTATED.match(sentence))
        worth += _LITTLE * sentence.endswith("!")
    return worth


def _last_prose(lines: Sequence[ProseLine]) -> int:
    """The last paragraph that tells something; -1 where there is none."""
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line.is_item or line.is_heading:
            continue
        if any(_is_telling(one) and not _is_beside(one) for one in sentences_of(line.text)):
            return number
    return -1


def _words(text: str) -> set[str]:
    return {word[:_STEM].casefold() for word in _WORD.findall(text)}
