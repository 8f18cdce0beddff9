"""Quote what people say in a title: the typical wording, and where it is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.titles import cut, said_where
from helix_tui.schema.signal import SignalName
from helix_tui.text.clauses import sentences_of
from helix_tui.text.said import clauses_in

_SHORTEST, _LONGEST = 8, 100
_OPENINGS: dict[SignalName, str] = {
    "instruction": "user asks{0}",
    "workflow": "user begins conversations{0} with",
    "user_correction": "user corrects{0}",
    "error_persistence": "work is said to be done{0}, and the user finds {1} red",
}
_CHECKS = {"test": "tests", "build": "the build", "ci": "CI", "hook": "a hook", "types": "types"}


def check_name(kind: str) -> str:
    """What people call a kind of check: tests, lint, CI."""
    return _CHECKS.get(kind, kind)


def said_title(
    signal: SignalName, members: Sequence[SessionSignal], quote: str, kinds: Iterable[str] = ()
) -> str:
    """Say what people do, where, and in whose words; of red checks which ones."""
    where = said_where({found.session.repo for found in members})
    *others, last = kinds or ("",)
    checks = f"{', '.join(others)} or {last}" if others else last
    return cut(f"{_OPENINGS[signal].format(where, checks)}: “{quote}”")


def quote_of(words: Sequence[str], texts: Sequence[str], *, is_correction: bool = False) -> str:
    """The typical wording: a brief sentence that says it, in words that others use as well.

    Of a correction it is one that says what not to do, where there is one.
    """
    wanted = set(words)
    said = {
        sentence: {word for clause in clauses_in(sentence) for word in clause.words}
        for text in texts
        for sentence in sentences_of(text)
    }
    fitting = [sentence for sentence, spoken in said.items() if wanted <= spoken]
    shared = Counter(word for spoken in said.values() for word in spoken)

    def rank(sentence: str) -> tuple[bool, bool, bool, int, int, str]:
        is_apt = _SHORTEST <= len(sentence) <= _LONGEST
        says_no = is_correction and any(clause.is_negated for clause in clauses_in(sentence))
        typical = sum(shared[word] > 1 for word in said[sentence]) if words else 0
        asks = sentence.endswith("?")
        return not is_apt, asks, not says_no, -typical, len(sentence), sentence

    return min(fitting or said, key=rank, default=" ".join(words))


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
