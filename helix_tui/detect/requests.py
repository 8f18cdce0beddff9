"""Group what people ask for again and again: the same order in several conversations."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.tiers import sort_of
from helix_tui.detect.titles import cut
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import SignalName
from helix_tui.text.clauses import clauses_of, sentences_of

_RAN = "$ "
# So many different wordings of one order are compared with each other.
_MOST_WORDINGS = 200
_LEAST_IN_ONE_REPOSITORY = 2
_SHORTEST, _LONGEST = 8, 160


def group_requests(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Make a candidate of each order that several conversations give in nearly equal words.

    Two conversations are enough in one repository; across repositories it takes three.
    """
    by_subject: dict[str, list[SessionSignal]] = {}
    for occurrence in occurrences:
        by_subject.setdefault(occurrence.signal.subject, []).append(occurrence)
    return [
        _candidate(subject, members)
        for subject, found in by_subject.items()
        if _recurs(members := _nearly_equal(found))
    ]


def _recurs(members: Sequence[SessionSignal]) -> bool:
    roots = {found.session.root for found in members}
    repositories = {found.session.repo for found in members}
    least = _LEAST_IN_ONE_REPOSITORY if len(repositories) == 1 else MIN_SESSIONS
    return len(roots) >= least


def _nearly_equal(found: Sequence[SessionSignal]) -> list[SessionSignal]:
    """The requests that have half of their telling words in common with another conversation's."""
    conversations: dict[frozenset[str], set[str]] = {}
    for session, signal in found:
        conversations.setdefault(_stems(signal.template), set()).add(session.root)
    wordings = sorted(conversations, key=lambda stems: (-len(conversations[stems]), sorted(stems)))[
        :_MOST_WORDINGS
    ]
    shared = {
        stems
        for stems in wordings
        if any(
            len(conversations[stems] | conversations[other]) > 1 and _are_alike(stems, other)
            for other in wordings
        )
    }
    return [occurrence for occurrence in found if _stems(occurrence.signal.template) in shared]


def _stems(template: str) -> frozenset[str]:
    return frozenset(template.split())


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= len(one | other)


def _candidate(subject: str, turns: list[SessionSignal]) -> Candidate:
    # The earliest gives the candidate its signal's other fields.
    turns.sort(key=lambda found: (*age(found.session), *found.signal.fingerprints))
    is_ran = subject.startswith(_RAN)
    signal: SignalName = "workflow" if is_ran else "instruction"
    quote = quote_of(subject, [found.signal.text for found in turns])
    opening = f"user runs `{subject[len(_RAN) :]}` by hand, then asks" if is_ran else "user asks"
    title = cut(f"{opening}: “{quote}”")
    candidate = assemble(candidate_id("user_request", subject), title, turns, [])
    candidate.signal = signal
    candidate.sort = sort_of(signal)
    # Nothing failed where people ask for the same again.
    candidate.kind = "success"
    candidate.subject = subject[len(_RAN) :] if is_ran else _words_of(subject, quote)
    return candidate


def quote_of(subject: str, texts: Sequence[str]) -> str:
    """The typical wording: the briefest sentence that gives the order and can be read alone.

    Behind a command that was run by hand it is how the briefest turn begins.
    """
    if subject.startswith(_RAN):
        return next(iter(sentences_of(min(texts, key=lambda text: (len(text), text)))), subject)
    order = subject.split()
    sentences = {sentence for text in texts for sentence in sentences_of(text)}
    fitting = {
        sentence
        for sentence in sentences
        if any(clause[:2] == order for clause in clauses_of(sentence))
    }

    def rank(sentence: str) -> tuple[bool, bool, int, str]:
        is_apt = _SHORTEST <= len(sentence) <= _LONGEST
        return not is_apt, sentence.endswith("?"), len(sentence), sentence

    return min(fitting or sentences, key=rank, default=subject)


def _words_of(subject: str, quote: str) -> str:
    """The order in the words of its quotation."""
    wanted = set(subject.split())
    words = (word.strip(".,;:!?()“”\"'").lower() for word in quote.split())
    order = [
        word
        for word in dict.fromkeys(words)
        if wanted & {stem for clause in clauses_of(word) for stem in clause}
    ]
    return " ".join(order[:3]) or subject
