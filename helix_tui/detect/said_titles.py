"""Quote what people say in a title: the typical wording, and where it is said."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.detect.titles import cut, said_where
from helix_tui.detect.utterances import Utterance
from helix_tui.schema.signal import SignalName
from helix_tui.text.clauses import sentences_of
from helix_tui.text.said import clauses_in

_SHORTEST, _LONGEST = 8, 160
_OPENINGS: dict[SignalName, str] = {
    "instruction": "user asks{0}",
    "workflow": "user begins conversations{0} with",
    "user_correction": "user corrects{0}",
    "error_persistence": "work is said to be done{0}, and the user finds a check red",
}


def said_title(signal: SignalName, members: Sequence[Utterance], quote: str) -> str:
    """Say what people do, where, and in whose words."""
    where = said_where({one.repo for one in members})
    return cut(f"{_OPENINGS[signal].format(where)}: “{quote}”")


def quote_of(words: Sequence[str], texts: Sequence[str]) -> str:
    """The typical wording: the briefest sentence that says it and can be read alone."""
    wanted = set(words)
    sentences = {sentence for text in texts for sentence in sentences_of(text)}
    fitting = {
        sentence
        for sentence in sentences
        if any(wanted <= set(clause.words) for clause in clauses_in(sentence))
    }

    def rank(sentence: str) -> tuple[bool, bool, int, str]:
        is_apt = _SHORTEST <= len(sentence) <= _LONGEST
        return not is_apt, sentence.endswith("?"), len(sentence), sentence

    return min(fitting or sentences, key=rank, default=" ".join(words))


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
