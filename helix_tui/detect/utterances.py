"""What people say in all sessions, laid out so that what recurs in it can be counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from helix_tui.detect.assemble import SessionSignal
from helix_tui.text.clauses import stem_of
from helix_tui.text.request_words import ACTS, WEAK
from helix_tui.text.said import Clause, clauses_in, decoded

_OFTEN = 4
_SHARE = 4
_COMMON = 0.15
_OBJECTIONS = ("correction", "report")
# What is always to be done is said as plainly as what was done wrong.
_MARKS = (*_OBJECTIONS, "instruction")
_NEARLY = "nearly"
_OF_OLD = {
    "user_correction": "correction",
    "user_reaction": _NEARLY,
    "error_persistence": "report",
}
# Beyond this length a text may mention anything besides what it objects to.
_SHORT = 120


class Utterance(NamedTuple):
    """One turn in words: its clauses, and what it is."""

    found: SessionSignal
    clauses: list[Clause]
    kind: str

    @property
    def root(self) -> str:
        """The conversation that it was said in."""
        return self.found.session.root

    @property
    def repo(self) -> str:
        """The repository that it was said in."""
        return self.found.session.repo

    @property
    def is_mark(self) -> bool:
        """Whether it corrects the agent, reports something broken, or lays something down."""
        return self.kind in _MARKS

    @property
    def is_objection(self) -> bool:
        """Whether it corrects the agent or reports something broken."""
        return self.kind in _OBJECTIONS

    @property
    def is_nearly(self) -> bool:
        """Whether it may be meant as a correction."""
        return self.kind == _NEARLY

    @property
    def is_short(self) -> bool:
        """Whether all of it belongs to what it says first."""
        return len(self.found.signal.text) <= _SHORT


def utterances(occurrences: Iterable[SessionSignal]) -> list[Utterance]:
    """The turns among some signals; those of digests without turns are known by name and text."""
    said = []
    for found in occurrences:
        signal = found.signal
        if not signal.verb:
            kind = _OF_OLD.get(signal.name, "none")
            said.append(Utterance(found, clauses_in(signal.text), kind))
        elif signal.fingerprints:
            said.append(Utterance(found, decoded(signal.template), signal.verb))
    return said


class Background:
    """How common words are where they are said, and which are a repository's own nouns."""

    def __init__(self, occurrences: Iterable[SessionSignal], said: Sequence[Utterance]) -> None:
        self._own: dict[tuple[str, str], bool] = {}
        self._nouns = {one.repo: {stem_of(one.repo.lower())} for one in said}
        for found in occurrences:
            if found.signal.name == "user_request" and not found.signal.fingerprints:
                nouns = self._nouns.setdefault(found.session.repo, set())
                nouns.update(found.signal.template.split())
        self._talks: dict[str, set[str]] = {}
        self._holding: dict[tuple[str, str], set[str]] = {}
        self._tasks: dict[str, set[str]] = {}
        self._turns: Counter[tuple[str, str]] = Counter()
        self.talks_of: dict[str, set[str]] = {}
        self.turns_of: Counter[str] = Counter()
        self._beside: dict[str, set[str]] = {}
        self.turns = len(said)
        self.conversations = len({one.root for one in said})
        for one in said:
            self._talks.setdefault(one.repo, set()).add(one.root)
            words = {word for clause in one.clauses for word in clause.words}
            if one.kind == "first":
                self._tasks.setdefault(one.root, set()).update(words)
            for word in words:
                self._holding.setdefault((one.repo, word), set()).add(one.root)
                self.talks_of.setdefault(word, set()).add(one.root)
                self._turns[one.root, word] += 1
            self.turns_of.update(words)
            if not one.is_mark and not one.is_nearly:
                for word in words:
                    self._beside.setdefault(word, set()).add(one.root)

    def commonness(self, words: Sequence[str]) -> float:
        """In how many conversations some words are said, on average."""
        return sum(len(self.talks_of[word]) for word in words) / len(words)

    def is_common(self, word: str) -> bool:
        """Whether so many conversations say a word beside objections that it tells nothing.

        So are the small words of whatever language.
        """
        most = max(_OFTEN, _COMMON * self.conversations)
        return word not in ACTS and len(self._beside.get(word, ())) > most

    def is_own(self, repo: str, word: str) -> bool:
        """The same as `_is_own`, which is asked of few words again and again."""
        known = self._own.get((repo, word))
        if known is None:
            known = self._own[repo, word] = self._is_own(repo, word)
        return known

    def _is_own(self, repo: str, word: str) -> bool:
        """Whether a word is a noun of the repository's own, not of what people want of an agent.

        It names files there, or is said in a quarter of its conversations.
        """
        if word in ACTS:
            return False
        if self.is_named(repo, word):
            return True
        often = max(_OFTEN, len(self._talks.get(repo, ())) / _SHARE)
        return len(self._holding.get((repo, word), ())) >= often

    def is_named(self, repo: str, word: str) -> bool:
        """Whether a repository, or what agents worked on in it, is named so."""
        return word in self._nouns.get(repo, ())

    def is_only_in(self, repo: str, word: str) -> bool:
        """Whether people speak of a thing in one repository and in no other."""
        is_common = word in ACTS or word in WEAK
        return not is_common and self._holding.get((repo, word)) == self.talks_of[word]

    def is_task(self, root: str, word: str) -> bool:
        """Whether a conversation comes back to a word again and again: it is what it is about."""
        return word not in ACTS and self._turns[root, word] >= _OFTEN

    def is_begun_with(self, root: str, word: str) -> bool:
        """Whether a conversation began with a word: it is of its task."""
        return word in self._tasks.get(root, ())
