"""Quote what people say in a title: the typical wording, and where it is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.titles import cut, said_where
from helix_tui.schema.signal import SignalName
from helix_tui.text.clauses import sentences_of
from helix_tui.text.request_words import WHEN
from helix_tui.text.said import clauses_in
from helix_tui.text.standing import is_standing, says_instead, untied

_SHORTEST, _LONGEST = 8, 110
# What says when it is due may be longer: the condition is half of it.
_LONGEST_RULE, _TITLE = 150, 200
# More words in common make no wording more typical, only longer.
_TYPICAL = 3
# How people take up an offer, or go on, before they say what they want.
_TAKEN_UP = re.compile(
    r"(?i)\A(?:(?:yes|yep|yeah|ok|okay|sure|great|perfect|nice|then|also|and|so|now|please|cool"
    r"|alright|right|i think|i guess|ja|gut|oui|sí|好的?)\b[\s,.!:-]{1,4}){1,4}"
)
_OPENINGS: dict[SignalName, str] = {
    "instruction": "user asks{0}",
    "workflow": "user begins conversations{0} with",
    "user_correction": "user corrects{0}",
    "error_persistence": "work is said to be done{0}, and the user finds {1} red",
}
_RED = "user finds {1} red{0}"
_CHECKS = {"test": "tests", "build": "the build", "ci": "CI", "hook": "a hook", "types": "types"}

# How people name a check.
CHECK_WORDS = frozenset(
    (
        *("test", "tests", "spec", "specs", "e2e", "lint", "linting", "linter", "build", "builds"),
        *("ci", "pipeline", "types", "typecheck", "tsc", "mypy", "compile", "compiles"),
    )
)


def check_name(kind: str) -> str:
    """What people call a kind of check: tests, lint, CI."""
    return _CHECKS.get(kind, kind)


def said_title(
    signal: SignalName,
    members: Sequence[SessionSignal],
    quote: str,
    kinds: Iterable[str] = (),
    *,
    is_done: bool = True,
) -> str:
    """Say what people do, where, and in whose words; of red checks which ones.

    Work of which it was known that a check was not run, or was, is not said to be done.
    """
    where = said_where({found.session.repo for found in members})
    *others, last = kinds or ("",)
    checks = f"{', '.join(others)} or {last}" if others else last
    opening = _OPENINGS[signal] if is_done else _RED
    return cut(f"{opening.format(where, checks)}: “{quote}”", _TITLE)


def quote_of(
    words: Sequence[str],
    texts: Sequence[str],
    *,
    is_correction: bool = False,
    naming: frozenset[str] = frozenset(),
) -> str:
    """The typical wording: a brief sentence that says it, in words that others use as well.

    It orders something, or of a correction says what not to do, where there is one that does. What
    only tells of a thing is quoted with the order behind it. How somebody takes up an offer before
    is left out. Without words, it names one of some things.
    """
    wanted = set(words)
    said = {
        sentence: {word for clause in clauses_in(sentence) for word in clause.words}
        for text in texts
        for sentence in _quotable(text)
    }
    fitting = [sentence for sentence, spoken in said.items() if wanted <= spoken]
    shared = Counter(word for spoken in said.values() for word in spoken)

    def rank(sentence: str) -> tuple[bool, bool, bool, bool, int, int, str]:
        is_general = bool(words) and is_standing(sentence)
        is_rule = is_general and _is_timed(sentence, wanted)
        is_timed = is_rule or (is_general and says_when((), sentence))
        is_timed |= is_correction and says_instead(sentence)
        is_apt = _SHORTEST <= len(sentence) <= (_LONGEST_RULE if is_rule else _LONGEST)
        clauses = clauses_in(sentence)
        is_plain = not naming.isdisjoint(_plain_words(sentence))
        if words:
            is_plain = any(
                clause.is_negated if is_correction else clause.is_order for clause in clauses
            )
            is_plain |= is_correction and says_instead(sentence)
        typical = min(_TYPICAL, sum(shared[word] > 1 for word in said[sentence])) if words else 0
        is_wish = says_instead(sentence) or any(clause.is_order for clause in clauses)
        asks = sentence.endswith("?") and not is_wish
        return not is_apt, asks, not is_plain, not is_timed, -typical, len(sentence), sentence

    return min(fitting or said, key=rank, default=" ".join(words))


def _quotable(text: str) -> Iterator[str]:
    """The sentences of a text, and those that order nothing with the next one that does."""
    before = ""
    for sentence in sentences_of(text):
        own = untied(_TAKEN_UP.sub("", sentence, count=1)) or sentence
        yield own
        is_order = any(clause.is_order for clause in clauses_in(own))
        if before and is_order and len(before) + len(own) < _LONGEST:
            yield f"{before} {own}"
        before = "" if is_order else own


def _is_timed(sentence: str, wanted: set[str]) -> bool:
    """Whether a sentence says when what it asks for is due: in the same clause, or as it begins."""
    clauses = clauses_in(sentence)
    begins = bool(clauses) and clauses[0].is_standing and not clauses[0].is_order
    return begins or any(
        clause.is_standing and not wanted.isdisjoint(clause.words) for clause in clauses
    )


def says_when(words: Sequence[str], text: str) -> bool:
    """Whether a sentence with some words says when something is to be done."""
    wanted = set(words)
    for sentence in sentences_of(text):
        said = {word for clause in clauses_in(sentence) for word in clause.words}
        if wanted <= said and not WHEN.isdisjoint(_plain_words(sentence)):
            return True
    return False


def _plain_words(sentence: str) -> set[str]:
    return {word.strip(".,;:!?()").lower() for word in sentence.split()}


def words_of(words: Sequence[str], quote: str) -> str:
    """The words of a thing as its quotation has them."""
    wanted = set(words)
    spoken = (word.strip(".,;:!?()“”\"'").lower() for word in quote.split())
    found = [
        word
        for word in dict.fromkeys(spoken)
        if wanted & {stem for clause in clauses_in(word) for stem in clause.words}
    ]
    return " ".join(found[:3])
