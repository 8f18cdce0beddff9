"""The parts of a reply: its sentences, its lists as wholes, and how much each of them tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.earning import (
    announces,
    concludes,
    earns,
    goes_on,
    is_noise,
    is_passing,
    points_elsewhere,
)
from helix_tui.memory.distill.headline import without_labels, written_lines
from helix_tui.memory.distill.listed import joined_items
from helix_tui.memory.distill.prose import (
    ProseLine,
    at_a_pause,
    plain_line,
    sentences_of,
)
from helix_tui.text.causes import names_cause

# A part is cut where its writer paused; so long, it is still read in one go.
PART_LENGTH = 260
_LEAST_LENGTH = 24
_LEAST_WORDS = 4
_WORD = re.compile(r"[^\W_]\w{3,}")
# Words that begin alike, so far, are one: exit, exiting.
_STEM = 4
# The keys of an object that stands within an answer.
_KEY = re.compile(r'"\w{1,40}":\s')
_NAME = re.compile(r"`[^`]+`|\w[./_:-]\w|\d")
_MOST_SHARED = 4
_FIRST = 3.5
_LAST = 2.0
_CAUSE = 2.5
_CONCLUDES = 1.5
_EARNS = 0.6
_UNDER_RESULT = 1.5
_OF_CHOICE = 1.0
_ASIDE = -2.5
_LITTLE = -1.0
_PRAISE = -1.5
# A sentence in bold at the head of a paragraph is what its writer wants to be read.
_IN_BOLD = 2.0
_LEAST_OF_BOLD = 3
# What stands behind such a label answers.
_ANSWERING = re.compile(
    r"(?i)\W*(?:in )?(?:short(?: answer)?|summary|answer|verdict|conclusion|bottom line|result"
    r"|(?:root )?cause|diagnosis|recommendation|decision|tl;?dr|why|outcome|finding)s?\W*"
)
_OF_LIST = 0.6
_LEAST_OF_LIST = 120
# How it is hoped to be now; nobody has seen it.
_EXPECTED = re.compile(r"(?i)\bshould (?:now|all now|be able to now)\b")
_OF_DECISIONS = re.compile(r"(?i)^\W*(?:decided|decisions?|agreed|resolved|settled)\b")
_OF_GIT = re.compile(r"(?i)\b(?:push|git|branch|commit|sync) status\b")
# A longer prompt that ends with a question asks for work, too.
_MOST_OF_QUESTION = 320
_INTERROGATIVE = re.compile(
    r"(?i)(?:(?:and|so|but|hey|hi|ok(?:ay)?|also|wait)\b[,.!]? )*(?:what|which|who|where|when|why"
    r"|how|is|are|was|were|does|do|did|has|have|should|would|will)\b"
)
_LEAST_BEFORE_CODE = 9
_MOST_OF_BRIEF = 6
_MOST_OF_LABEL = 10
_JUDGING = re.compile(r"(?i)^\W*(?:this|that|it)(?:['’]s| is) (?:a|an) (?:\w+ )?(?:\w+)\W*$")
_ALSO = re.compile(r"(?i)^\W*(?:(?:i|we)(?:['’]ve| have)? )?(?:also|additionally|then)\b")
# What such a sentence says stands in the code behind it.
_POINTS_ON = re.compile(
    r"(?i)\b(?:here(?:['’]s)?|following|below|like this|as follows|let me|let['’]s|these)\b"
    r"|\b(?:is|are|be|this|options?|steps?|prompt|changes?|output|command|shows?):$"
)
_SEEN = re.compile(r"(?i)^i can (?:now )?see (?:that )?(?=\S+ \S)")
_NUMBER = re.compile(r"^\W*\d{1,2}[.)]\s+(?=\S)")
_ECHO = -4.0
# What has so much of the words of the request repeats it.
_ECHOED = 0.7
# More words say what is done, too.
_MOST_OF_EMPTY = 14
# So few words that name nothing say that something is done, and not what.
_FEW_WORDS = 7
_ITEM_LENGTH = 320
# A list that has so much of an item tells it.
_BEGUN = 48
# A heading that says what was found: `Finding 2 - the cache is never emptied`.
_FINDING = re.compile(
    r"(?i)\W*(?:(?:finding|issue|problem|bug|concern|risk|blocker|gap)\b[ #]*\w{0,3}\s?[-–—:.)]"
    r"|\[?(?:p\d|critical|high|medium|low)\]?\s?[-–—:.)]) ?(?=\S+ \S+ \S).{18,}"
)
_OF_FINDING = 3.5
_ASKING_BACK = re.compile(r"[?？]\s*(?:\([^)]*\))?\W*$")
# A few words that only name what stands below them.
_HEADING_ALONE = re.compile(
    r"(?i)[^\w`]*(?:[\w/&’'-]+ ){0,6}(?:options?|checklists?|overview|summary|plan|steps?|recap"
    r"|notes?|details|recommendations?|approach(?:es)?|structure|flow|questions?|considerations?"
    r"|benefits|features|improvements|highlights|breakdown|examples?)(?: \([^)]*\))?\W*"
)
_FILE_NAME = re.compile(r"`?[\w@.+~-]*(?:/[\w@.+~ -]+)*/?[\w@+-]+\.\w{1,8}`?")
_NAME_ALONE = re.compile(r"`[^`]+`[.,;]?")


class Part(NamedTuple):
    """A sentence or some items of a reply: how much they tell, and the heading above them."""

    worth: float
    text: str
    heading: str = ""
    # Whether it goes on with the part before it, and has no sense without it.
    goes_on: bool = False
    # Whether the reply begins with it.
    is_lead: bool = False
    # Whether it tells all items of a list, and more than what was edited.
    is_list: bool = False


def parts_of(reply: str, asked: str, list_room: int = PART_LENGTH) -> Iterator[Part]:
    """What may be told of a reply: sentences, and lists with what leads to them."""
    lines = without_labels(written_lines(reply))
    wanted = stems_of(asked)
    is_question = is_asking(asked)
    last_prose = _last_prose(lines)
    heading = lead = above = ""
    # Whether nothing was said before, and whether what was said last is a part.
    is_first = is_begun = True
    is_told = False
    for is_item, group in groupby(enumerate(lines), key=lambda one: one[1].is_item):
        rows = list(group)
        if is_item:
            items = [line for _, line in rows]
            is_offered = cues.OFFERED.search(f"{heading} {lead}") or is_passing(lead)
            found = [] if is_offered else list(_of_list(items, lead, heading, wanted, list_room))
            if found and is_first:
                is_lead = is_begun and (not heading or is_generic(heading))
                found[0] = found[0]._replace(worth=found[0].worth + _FIRST, is_lead=is_lead)
            is_first = is_first and not found
            is_begun, is_told = False, bool(found)
            yield from found
            lead = above = ""
            continue
        for number, line in rows:
            if line.is_heading:
                heading = line.text.strip(": ")
                above = "" if cues.OF_USE.search(heading) or is_generic(heading) else heading
                if _FINDING.match(heading):
                    is_first = False
                    yield Part(_OF_FINDING, heading)
                    heading = ""
                is_told = False
                continue
            leads = number + 1 < len(lines) and lines[number + 1].is_item
            sentences = sentences_of(line.text)
            # A line without an end leads to its list, too.
            is_label = (
                sentences[-1][-1] not in ".!?？。" and len(sentences[-1].split()) <= _MOST_OF_LABEL
            )
            if leads and (sentences[-1].endswith(":") or is_label):
                lead = sentences.pop()
            elif is_label and not is_first and number + 1 < len(lines) and len(sentences) == 1:
                heading, is_told = sentences.pop(), False
            for sentence in _with_short_begun(sentences):
                is_idle = _leads_on(sentence)
                is_answer = is_begun and is_question and not is_idle and _is_claim(sentence)
                if is_first and not is_idle:
                    sentence = _without_colon(sentence)
                is_bold = _is_in_bold(sentence, line.head)
                is_bound = goes_on(sentence) and not (is_begun or is_bold)
                # What a heading names is what the first sentence below it speaks of.
                above_of = above
                of_above, above = (above if is_bound and not is_told else ""), ""
                is_begun = is_begun and is_idle
                is_loose = is_bound and not (is_told or of_above)
                if not (is_answer or _is_telling(sentence)) or is_loose:
                    is_told = False
                    continue
                # What a reply ends with stands below the last heading, and is not of it.
                of_last = number == last_prose
                echo = set() if is_answer else wanted
                worth = _worth(sentence, "" if of_last else heading, echo) + _IN_BOLD * is_bold
                is_empty = says_little(sentence) or (_is_brief(sentence) and not is_bold)
                is_empty = is_empty or _ALSO.match(sentence) is not None
                # Below such a heading stands what the reply comes to.
                is_result = above_of == heading and _ANSWERING.fullmatch(heading) is not None
                is_lead = is_answer or is_result or (is_first and not is_empty)
                worth += _FIRST if is_lead else _LAST if of_last else 0
                is_first = is_first and not is_lead
                is_told = True
                yield Part(worth, sentence, of_above, is_bound and not of_above, is_lead)


def is_generic(heading: str) -> bool:
    """Whether a heading says only that something follows."""
    return cues.GENERIC.fullmatch(heading) is not None or cues.LEAD.match(heading) is not None


def is_asking(prompt: str) -> bool:
    """Whether a prompt asks, and so waits for an answer before anything else."""
    plain = plain_line(prompt)
    return len(plain) <= _MOST_OF_QUESTION and (
        plain.endswith(("?", "？")) or _INTERROGATIVE.match(plain) is not None
    )


def _leads_on(sentence: str) -> bool:
    """Whether a sentence only leads to what follows it."""
    return bool(
        cues.FILLER.fullmatch(sentence) or cues.LEAD.match(sentence) or cues.PLAN.match(sentence)
    )


def _is_claim(sentence: str) -> bool:
    """Whether a sentence may answer a question: words enough, and none that is asked back."""
    is_whole = len(sentence.split()) >= _LEAST_WORDS and sentence[-1] not in "?？:"
    is_idle = _POINTS_ON.search(sentence) is not None or announces(sentence)
    # `This is a real gap.` judges the question, and answers nothing.
    return is_whole and not (is_idle or (_is_brief(sentence) and _JUDGING.match(sentence)))


def _without_colon(sentence: str) -> str:
    """A sentence that leads to code, where it says something itself."""
    is_whole = sentence.endswith(":") and len(sentence.split()) >= _LEAST_BEFORE_CODE
    return f"{sentence[:-1]}." if is_whole and not _POINTS_ON.search(sentence) else sentence


def _with_short_begun(sentences: Sequence[str]) -> list[str]:
    """The sentences; a first one of some words that names nothing stands with the next."""
    is_brief = len(sentences) > 1 and _is_brief(sentences[0]) and _is_telling(sentences[0])
    if is_brief and _is_telling(sentences[1]) and not _leads_on(sentences[1]):
        return [" ".join(sentences[:2]), *sentences[2:]]
    return list(sentences)


def _is_brief(sentence: str) -> bool:
    is_short = len(sentence.split()) < _MOST_OF_BRIEF and not _NAME.search(sentence)
    return is_short and not earns(sentence)


def _is_in_bold(sentence: str, head: str) -> bool:
    """Whether a sentence is its paragraph's beginning in bold, or stands behind such a label."""
    if not head or not sentence.startswith(head):
        return False
    is_claim = len(head.split()) >= _LEAST_OF_BOLD and head[-1] in ".!"
    return is_claim or _ANSWERING.fullmatch(head) is not None


def _of_list(
    items: Sequence[ProseLine], lead: str, heading: str, wanted: set[str], room: int
) -> Iterator[Part]:
    """A list as one part behind what leads to it; and those of its long items that tell why."""
    lead = _SEEN.sub("", lead)
    is_empty = cues.EMPTY.search(lead.rstrip(": ")) and not _NAME.search(lead)
    is_idle = _is_idle(lead.rstrip(":")) or cues.LEAD.match(lead) or cues.PLAN.match(lead)
    if is_empty or is_idle or points_elsewhere(lead):
        lead = ""
    label = _NUMBER.sub("", lead.rstrip(": ") or ("" if is_generic(heading) else heading))
    is_short = len(label.split()) <= _FEW_WORDS and not _NAME.search(label)
    if (is_short and goes_on(label)) or points_elsewhere(label) or cues.GENERIC_LEAD.search(label):
        label = ""
    # Which files were changed is told by the edits themselves.
    told = [item for item in items if not _FILE_NAME.fullmatch(item.text)]
    if not lead:
        told = [item for item in told if not _NAME_ALONE.fullmatch(item.text)]
    telling = list(_telling_of(told))
    asking = [item for item in items if item.text.endswith(("?", "？"))]
    # What is asked back is told with its answer, and what was pushed by git.
    is_aside = 2 * len(asking) > len(items) or _OF_GIT.search(f"{heading} {lead}") is not None
    if not telling or is_aside:
        return
    worths = [_worth(item.text, "", wanted) for item in telling]
    under = _worth("", heading, set())
    little = _LITTLE / 2 if telling[0].is_row else 0.0
    worth = (max(worths) + sum(worths) / len(worths)) / 2 + under + little
    is_use = cues.OF_USE.search(lead) or cues.OF_USE.search(heading)
    worth += _ASIDE * bool(cues.OF_USE.search(lead)) + _LITTLE * bool(is_use)
    worth += _IN_BOLD * (_OF_DECISIONS.match(lead or heading) is not None)
    is_alone = len(telling) == 1 and len(label.split()) < _FEW_WORDS
    worth += 0.5 * bool(lead) + _OF_LIST * (len(telling) > 1) + 1.5 * _LITTLE * is_alone
    is_more = len(telling) > 1 and not all(map(_is_restated, telling))
    # A list with a hole says something else than the list.
    left_out = sum(not _says_nothing(item.text) for item in told) - len(telling)
    if len(telling) == 1 and left_out > 1:
        return
    text = joined_items(telling, max(_LEAST_OF_LIST, room - len(label) - 2), max(0, left_out))
    yield Part(worth, f"{label}: {text}" if label else text, is_list=is_more)
    for item, of_item in zip(telling, worths, strict=True):
        # What the list tells whole, or what is no more than one of many, is not told again.
        is_begun = item.text[:_BEGUN].rstrip(".:; ") in text
        if not is_begun and names_cause(item.text):
            why = at_a_pause(item.text, _ITEM_LENGTH)
            yield Part(of_item + under + little, why, label, goes_on=True)


def _telling_of(items: Sequence[ProseLine]) -> Iterator[ProseLine]:
    """The items that say something; of one that only praises what it names, the name in bold."""
    for item in items:
        # A bold label names what stands behind it, and does nothing: `**Preserved order**: ...`.
        behind = item.text[len(item.head) :].lstrip(":-–— ") if item.head else ""
        if _is_telling(item.text, least=0) or (behind and _is_telling(behind, least=0)):
            yield item
        elif len(item.head.split()) > 1 and _is_telling(item.head, least=0):
            yield item._replace(text=item.head)


def _says_nothing(text: str) -> bool:
    """Whether an item is no part of what a list tells: a word of politeness, that checks pass."""
    return _is_idle(text) or cues.CLAIMED.search(text) is not None or text.endswith(("?", "？"))


def _is_restated(item: ProseLine) -> bool:
    """Whether an item only says what was edited, which the files tell."""
    return cues.RESTATED.match(item.text) is not None and not earns(item.text)


def _is_telling(text: str, least: int = _LEAST_LENGTH) -> bool:
    """Whether a sentence or an item says something itself."""
    if len(text) < least and len(text.split()) < _LEAST_WORDS:
        return False
    if least and _HEADING_ALONE.fullmatch(text):
        return False
    is_idle = _is_idle(text) or cues.PLAN.match(text) is not None
    # Whether checks pass is told by their runs.
    is_check = cues.CLAIMED.search(text) and not cues.STILL_RED.search(text)
    is_claim = bool(is_check) and not names_cause(text)
    is_short = len(text.split()) < 2 * _LEAST_WORDS and cues.TAKEN_BACK.match(text)
    is_cut = (
        _ASKING_BACK.search(text) is not None
        or text.endswith(("?", "？", ":", "..."))
        or len(_KEY.findall(text)) > 1
    )
    is_idle = is_idle or announces(text) or cues.LEAD.match(text) is not None
    return not (is_idle or is_claim or is_short or is_cut or is_noise(text))


def says_little(sentence: str) -> bool:
    """Whether a sentence only says that something is done, or how good it is."""
    if _EXPECTED.search(sentence):
        return True
    is_empty = len(sentence.split()) < _MOST_OF_EMPTY and cues.EMPTY.search(sentence)
    return bool(is_empty or cues.PRAISE.search(sentence)) and not _NAME.search(sentence)


def _is_beside(sentence: str) -> bool:
    """Whether a sentence tells no result: what the person may do now, or that it is done."""
    return says_little(sentence) or cues.USAGE.match(sentence) is not None


def _is_idle(text: str) -> bool:
    return bool(cues.FILLER.fullmatch(text) or cues.OFFERED.search(text))


def _worth(sentence: str, heading: str, wanted: set[str]) -> float:
    said = stems_of(sentence)
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


def stems_of(text: str) -> set[str]:
    """The words of some length by how they begin."""
    return {word[:_STEM].casefold() for word in _WORD.findall(text)}
