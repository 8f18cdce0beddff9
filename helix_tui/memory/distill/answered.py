"""What a person chose: short answers with the question, or the option, that they answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.asking import only_asks
from helix_tui.memory.distill.headline import closing_question, headline
from helix_tui.memory.distill.options import (
    LEAST_OPTIONS,
    option_named,
    option_of,
    options_of,
    question_above,
    question_of,
    questions_of,
)
from helix_tui.memory.distill.prose import lines_of, plain_line, sentences_of
from helix_tui.memory.distill.quoting import quoted
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.text.weakens import speaks_against_guards

_TOLD_LENGTH = 220
_QUESTION_LENGTH = 130
_OPTION_LENGTH = 130
_MOST_CHOICES = 8
_MOST_ANSWERS = 4
# A longer prompt is a form or a plan: a "must" in it is not a decision made on the way.
_MOST_CHOICE = 600
_LONG = 8
# An answer names an option by its letter or number: `b`, `2.`, `Option C`, `go with B`.
_BY_MARK = re.compile(
    r"(?i)\W{0,3}(?:(?:yes|yep|yeah|ok(?:ay)?|sure|i think|i['’]d say)[, ]+)*"
    r"(?:(?:(?:let'?s|please|i(?:['’]d| would)?|we) )?(?:go (?:with|for)|do|use|pick|take|choose"
    r"|like|prefer|want|love) )?"
    r"(?:(?:option|choice|number|approach|variant|no\.?) )?#?([a-h]|\d{1,2})\b[).:!]*"
    r"(?:(?: please)?\W*$|[,;.:–-] ?(?=\S))"
)
_LONG_PICK = 160
_DONE = re.compile(r"(?i)\W*\w{1,2}\W{1,3}(?:is |was )?(?:done|works?|worked|fails?|failed)\b")
# A short answer names an option by its words where the reply asks for a decision.
_LEAST_SAID = 2
_MOST_SAID = 8
_SHARE_SAID = 0.75
_STEM = 4
_WORD = re.compile(r"[^\W_]\w{3,}")
_UNDECIDED = re.compile(
    r"(?i)\b(?:options?|alternatives?|decision|which (?:one|way|approach|of)|do you (?:want|prefer)"
    r"|would you (?:like|prefer)|if you(?:['’]d)? (?:want|prefer|like)|recommend\w*)\b"
)
_REPLYING = re.compile(
    r"(?i)\W{0,3}(?:no|nope|neither|both|all|none|keep|drop|leave|fold|skip|let'?s|go with"
    r"|i(?:'d)? (?:think|prefer|want|would|rather)|don'?t|do not"
    r"|we (?:should|don'?t|want|need)|it(?:'s| is)|that(?:'s| is)|the (?:first|second|third|last"
    r"|former|latter)|use|but|so|and)\b"
)
# Answers to the points of a list: `1 - yes, 2 - no`, `1. the first 2. neither`.
_ANSWER_TO = re.compile(r"(?:^|[\n,;.]\s*|\s)(?i:q)?#?(\d{1,2}|[A-Ha-h](?=[.):]))\s?[-–—.):]+\s+")
_DONE_PART = re.compile(r"(?i)\W*(?:done|works?|worked|ok(?:ay)?|fixed|n/?a)\W*$")
# To go on, or to keep what was done, is no decision about the thing.
_NEXT_STEP = re.compile(
    r"(?i)\b(?:commit|push|proceed|continue|go ahead|next (?:step|task|phase)|run (?:it|the tests)"
    r"|anything else|start(?: with)?|show you)\b"
)
# A list of points that waits for answers, and is no report.
_ASKS = re.compile(
    r"(?i)\b(?:questions?|decisions?|decide|which|clarif\w+|your (?:input|call|answers?|choice)"
    r"|prefer\w*|open (?:points?|issues?)|points? .{0,12}open|recommend\w*|options?)\b"
)
_WHICH = re.compile(r"(?i)\W*(?:which|what) (?:\w+ )?(?:would|do|should|of|one|option|approach)\b")
_OFFERED_LENGTH = 110
_MOST_OF_YES = 4
# An assent that says so many words more than the question decides something.
_LEAST_MORE = 2
_OF_ASSENT = re.compile(
    r"(?i)\W*(?:yes|yep|yeah|ok(?:ay)?|sure|please|go ahead|do it|let['’]?s|definitely|and"
    r"|then|wh\w+['’]?s?)\b"
)
# To take a thing up, or to agree to what was shown, decides nothing about it.
_GOING = re.compile(
    r"(?i)\W*(?:(?:yes|ok(?:ay)?)\W+)?(?:work on it\b.*|confirm(?:ed)?(?: \w+){0,3}|proceed\b.*"
    r"|continue\b.*|go ahead\b.*|start\b.*|looks? good\b.*|yes|no|ok(?:ay)?|approved?)\W*"
)
_POINTING = re.compile(r"(?i)\b(?:this|these|that|those|it|them)\b")
# What is chosen is only pointed at.
_OF_POINTED = re.compile(
    r"(?i)\b(?:keep|leave|drop|use|do|skip|change|make|move|put|try|merge|remove|split|with)"
    r" (?:it|them|this|that|these|those)\b(?! [a-z]+ (?:from|to|in|of)\b)"
)
# Somebody lists what might be done.
_EITHER = re.compile(
    r"(?i)\bshould (?:either|also|instead)\b|\beither\b.*\bor\b|^the (?:code|function)\b"
)
# A longer sentence says itself what it speaks of.
_LEAST_OF_WHOLE = 22
_OF_ALL = re.compile(r"(?i)\b(?:both|all)\b")
_WORDY_MARK = re.compile(r"^\W*\d{1,2}[.:)]\s")
_MORE_WORK = re.compile(
    r"(?i).*?\b(?:want me to|would you like|(?:shall|should) (?:i|we)|do you want"
    r"|(?:does|do|is) (?:this|that|it|these) (?:all )?(?:look|sound|seem|ok|right|work))\b"
)
_OF_RUN = re.compile(
    r"(?i)\W*(?:re-?run|run|commit|push|continue|proceed|start|test|verify|check|review|show)\b"
)


def choices(piece: Piece, turns: Sequence[Exchange], told: Sequence[str]) -> Iterator[str]:
    """What a person chose on the way, each with the question or the option that it answers."""
    found = 0
    for turn in turns:
        for choice in turn.choices:
            is_going = _POINTING.search(choice.question) and _GOING.fullmatch(choice.answer)
            if is_going or speaks_against_guards(choice.answer):
                continue
            if found < _MOST_ANSWERS:
                found += 1
                question = quoted(choice.question, _QUESTION_LENGTH)
                yield f"Asked {question}, the user chose: {quoted(choice.answer, _OPTION_LENGTH)}"
    before_of = {told.event: told.before for told in piece.told if told.event}
    for before, turn in pairwise(turns):
        if found >= _MOST_CHOICES:
            return
        asked = plain_line(turn.asked)
        if _is_told(asked, told):
            continue
        if answers := list(_point_by_point(before.answered, turn.asked)):
            found += len(answers)
            yield from answers
        elif len(asked) <= _MOST_CHOICE:
            line = _chosen(before.answered, asked, before_of.get(turn.asked_event, ""))
            found += bool(line)
            if line:
                yield line


def _point_by_point(reply: str, asked: str) -> Iterator[str]:
    """The answers of a prompt that goes through the numbered points of a reply, each with its."""
    options = options_of(reply)
    parts = _ANSWER_TO.split(asked)[1:]
    answers = [
        (number, plain_line(text)) for number, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    if not _ASKS.search(reply):
        return
    known = [(number, answer) for number, answer in answers if number in options]
    # Of a long reply the middle is not kept, and with it some of its points.
    is_list = len(known) == len(answers) or goes_by_points(asked)
    if len(known) < LEAST_OPTIONS or not is_list:
        return
    answers = known
    for number, answer in answers[:_MOST_CHOICES]:
        # What asks back decides nothing yet.
        is_open = "?" in answer or "？" in answer or _DONE_PART.match(answer) is not None
        if answer and not is_open and not speaks_against_guards(answer):
            point = quoted(options[number], _QUESTION_LENGTH)
            yield f"Asked {point}, the user: {quoted(answer.strip(' ,;'), _OPTION_LENGTH)}"


def goes_by_points(asked: str) -> bool:
    """Whether a prompt goes through numbered points, one after the other: `q1) yes q2) no`."""
    numbers = [int(one) for one in _ANSWER_TO.split(asked)[1::2] if one.isdigit()]
    return len(numbers) >= LEAST_OPTIONS and all(b == a + 1 for a, b in pairwise(numbers))


def _agreed(question: str, asked: str) -> bool:
    """Whether a short prompt agrees to a question that says what is to be done."""
    is_short = len(asked) <= _LONG_PICK and not asked.endswith(("?", "？"))
    is_more = _MORE_WORK.match(question) is not None
    # A bare yes to more work is told by that work.
    is_bare = is_more and (len(asked.split()) <= _MOST_OF_YES or not _says_more(question, asked))
    is_plan = len(question.split()) >= _LONG and not (is_bare or _NEXT_STEP.search(question))
    return (
        is_short and is_plan and (cues.ASSENT.match(asked) or cues.TRIED.search(asked)) is not None
    )


def _says_more(question: str, asked: str) -> bool:
    """Whether an answer has words that neither agree nor stand in the question."""
    words = [word for word in re.findall(r"[\w'’-]{3,}", asked) if not _OF_ASSENT.match(word)]
    known = _stems(question)
    return sum(word[:_STEM].casefold() not in known for word in words) >= _LEAST_MORE


def _chosen(reply: str, asked: str, ran: str) -> str:
    """What a prompt chooses of what a reply asks or offers; nothing where it chooses nothing."""
    if speaks_against_guards(asked) or asked.startswith("/"):
        return ""
    question = question_of(reply)
    if is_picked(reply, asked) and not question:
        question = question_above(reply)
    answer = quoted(asked, _OPTION_LENGTH)
    if option := _option_taken(reply, asked):
        if _OF_RUN.match(option):
            return ""  # what is to be run next is no choice about the thing
        lead = f"Asked {quoted(question, _QUESTION_LENGTH)}, the" if question else "The"
        return f"{lead} user chose {answer}: {quoted(option, _OPTION_LENGTH)}"
    if only_asks(asked) and not _mark_in(asked):
        return ""  # what is asked back is no choice
    option = _option_said(reply, asked)
    if not option and is_of_menu(reply, asked):
        offered = ", ".join(quoted(one, _OFFERED_LENGTH) for one in _menu_of(reply))
        return f"Of {offered}, the user: {answer}"
    if option:
        is_of = bool(_stems(question) & _stems(option))
        lead = f"Asked {quoted(question, _QUESTION_LENGTH)}, the" if is_of else "The"
        return f"{lead} user chose {answer}: {quoted(option, _OPTION_LENGTH)}"
    if question and (named := option_named(question, reply)) and cues.ASSENT.match(asked):
        return f"Asked {quoted(question)}, the user: {answer} ({quoted(named, _OPTION_LENGTH)})"
    if question and _agreed(question, asked):
        return f"Asked {_all_asked(reply, question, asked)}, the user: {answer}"
    if reply and len(asked) <= _LONG_PICK and cues.DIRECTED.match(asked):
        return f"The user: {answer}{_behind(reply)}"
    return _worded(reply, question, asked, ran)


def _worded(reply: str, question: str, asked: str, ran: str) -> str:
    """The sentence of a prompt that chooses by its words, with what it answers."""
    for sentence in sentences_of(asked):
        cue = cues.ANSWERED if question else cues.CHOSEN
        is_rather = cues.RATHER.search(sentence) is not None
        is_open = sentence.endswith("?") or _EITHER.search(sentence) is not None
        if is_open or not (is_rather or cue.search(sentence)):
            continue
        if question and _answers(sentence, question):
            said = quoted(sentence, _TOLD_LENGTH)
            return f"Asked {quoted(question, _QUESTION_LENGTH)}, the user: {said}"
        is_choice = is_rather or cues.CHOSEN.search(sentence) is not None
        if is_choice and (is_rather or len(sentence.split()) >= _LONG):
            said = quoted(sentence, _TOLD_LENGTH)
            if _OF_POINTED.search(sentence):
                behind = _behind(reply)
                is_whole = bool(behind) or len(sentence.split()) >= _LEAST_OF_WHOLE
                return f"The user: {said}{behind}" if is_whole else ""
            behind = f" (behind {quoted(ran, _OPTION_LENGTH // 2)})" if is_rather and ran else ""
            return f"The user: {said}{behind}"
    return ""


def _option_taken(reply: str, asked: str) -> str:
    """The option that a prompt names by its mark."""
    mark = _mark_in(asked)
    return option_of(reply, mark[1]) if mark else ""


def _behind(reply: str) -> str:
    """What the agent had said before, so that it is known what a few words speak of."""
    said = headline(reply)
    return f" (the agent had said: {quoted(said, _OPTION_LENGTH // 2)})" if said else ""


def _all_asked(reply: str, question: str, asked: str) -> str:
    """The question, or those of a list where somebody answers both, or all."""
    asking = questions_of(reply) if _OF_ALL.search(asked) else []
    if question not in asking or len(asking) < LEAST_OPTIONS:
        return quoted(question, _QUESTION_LENGTH)
    return ", ".join(quoted(one, _QUESTION_LENGTH) for one in asking[:_MOST_ANSWERS])


def _mark_in(asked: str) -> re.Match[str] | None:
    """The mark by which an answer names one option; none where it goes through a list of them."""
    is_list = len(asked) > _LONG_PICK or _DONE.match(asked) is not None
    # `1. this happened again` begins a list of the person's own.
    is_own = _WORDY_MARK.match(asked) is not None and len(asked.split()) > _MOST_OF_YES
    return None if is_list or is_own else _BY_MARK.match(asked)


def is_picked(reply: str, asked: str) -> bool:
    """Whether a prompt only names one of the options of a reply by its mark."""
    mark = _mark_in(plain_line(asked))
    return mark is not None and bool(option_of(reply, mark[1]))


def is_of_menu(reply: str, asked: str) -> bool:
    """Whether a few words answer which of some options it is to be, in words of their own."""
    plain = plain_line(asked)
    is_short = 2 <= len(plain.split()) <= _MOST_SAID and not only_asks(plain)
    is_going = cues.ASSENT.match(plain) or _OF_RUN.match(plain) or plain.startswith("/")
    return is_short and not is_going and len(_menu_of(reply)) >= LEAST_OPTIONS


def _menu_of(reply: str) -> list[str]:
    """The options of a reply that ends by asking which; empty where it does not."""
    if not _WHICH.match(closing_question(reply)):
        return []
    options = list(options_of(reply).values())
    return options if len(options) <= _MOST_ANSWERS else []


def _option_said(reply: str, asked: str) -> str:
    """The one option of a reply that has nearly all words of a short answer."""
    wanted = _stems(asked)
    if not _LEAST_SAID <= len(wanted) <= _MOST_SAID or asked.endswith(("?", "？")):
        return ""
    if not (closing_question(reply) or _UNDECIDED.search(reply)):
        return ""
    options = [
        line.text for line in lines_of(reply) if line.is_item and len(line.text) > len(asked)
    ]
    shared = [len(wanted & _stems(option)) for option in options]
    best = max(shared, default=0)
    is_sure = best >= max(_LEAST_SAID, _SHARE_SAID * len(wanted)) and shared.count(best) == 1
    return options[shared.index(best)] if is_sure and len(options) >= LEAST_OPTIONS else ""


def _answers(sentence: str, question: str) -> bool:
    """Whether a sentence speaks of what was asked, and is not the next request."""
    is_reply = _REPLYING.match(sentence) or cues.ASSENT.match(sentence)
    return bool(is_reply) or len(_stems(sentence) & _stems(question)) >= _LEAST_SAID


def _stems(text: str) -> set[str]:
    return {word[:_STEM].casefold() for word in _WORD.findall(text)}


def _is_told(asked: str, told: Sequence[str]) -> bool:
    start = " ".join(asked.split())[:40]
    return bool(start) and any(text.startswith(start) for text in told)
