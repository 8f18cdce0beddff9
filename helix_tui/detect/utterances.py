"""What the people of a repository say, laid out so that what recurs in it can be counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from helix_tui.detect.assemble import SessionSignal
from helix_tui.schema.signal import EDITED, Signal
from helix_tui.text.clauses import stem_of
from helix_tui.text.request_words import ACTS, WEAK
from helix_tui.text.said import Clause, clauses_in, decoded
from helix_tui.text.standing import says_what_instead

_OFTEN = 4
_SHARE = 4
OBJECTIONS = ("correction", "report")
# What is always to be done is said as plainly as what was done wrong.
MARKS = (*OBJECTIONS, "instruction")
NEARLY = "nearly"
_OF_OLD = {
    "user_correction": "correction",
    "user_reaction": NEARLY,
    "error_persistence": "report",
}
# What the program stands behind that an agent ran at once, where it counts as a word.
RAN = "ran "
_OF_ANY_WORK = (
    *("git checkout", "git restore", "git reset", "git revert", "git stash", "git clean"),
    *("git rm", "git mv", "git add", "git commit", "rm", "mv", "cp", "mkdir", "touch", "kill"),
    *("pkill", "python", "node", "bash", "sh "),
)
# How a file that nobody wanted goes again.
_TAKING_BACK = ("rm", "git rm", "git checkout", "git restore", "git clean", "trash")
_IN_A_ROW = 120_000
# Beyond this length a text may mention anything besides what it objects to.
_SHORT = 120


class Utterance(NamedTuple):
    """One turn in words: its clauses, what it is, and what the agent did first behind it."""

    found: SessionSignal
    clauses: list[Clause]
    kind: str
    led_to: list[str]
    # The one before is an objection of the same person, of just before.
    goes_on: bool = False

    @property
    def root(self) -> str:
        """The conversation that it was said in."""
        return self.found.session.root

    @property
    def is_heard(self) -> bool:
        """Whether it corrects, reports or lays something down, or may be meant so."""
        return self.kind in MARKS or self.kind == NEARLY

    @property
    def is_mark(self) -> bool:
        """Whether it corrects, reports or lays something down."""
        return self.kind in MARKS

    @property
    def ran(self) -> str:
        """What the agent ran or called at once, as a word; nothing where it edited something first.

        What only takes work back, or hands it in, is done behind anything that is said.
        """
        first = self.led_to[0] if self.led_to else ""
        is_telling = bool(first) and not first.startswith((EDITED, *_OF_ANY_WORK))
        return f"{RAN}{first}" if is_telling else ""

    @property
    def has_it_run(self) -> str:
        """What a person who corrects or lays something down has the agent run, as good as a word.

        What follows a report looks for the fault.
        """
        return self.ran if self.kind in ("correction", "instruction") else ""

    @property
    def takes_back(self) -> str:
        """The kind of file that a person who corrects has the agent take back, as good as a word.

        Documents nobody asked for are called by many names.
        """
        kind = next((name for name in self.found.signal.lies if name.startswith("{")), "")
        is_back = bool(self.led_to) and self.led_to[0] in _TAKING_BACK
        return f"{RAN}back {kind}" if kind and is_back and self.kind == "correction" else ""

    @property
    def is_short(self) -> bool:
        """Whether all of it belongs to what it says first."""
        return len(self.found.signal.text) <= _SHORT


def utterances(occurrences: Iterable[SessionSignal]) -> list[Utterance]:
    """The turns among some signals; those of digests without turns are known by name and text."""
    said = []
    for found in occurrences:
        signal = found.signal
        if not signal.fingerprints:
            continue  # the names of files
        if not signal.verb:
            said.append(Utterance(found, clauses_in(signal.text), kind_of(signal), signal.led_to))
        else:
            said.append(Utterance(found, decoded(signal.template), signal.verb, signal.led_to))
    return list(_in_a_row(said))


def kind_of(signal: Signal) -> str:
    """What a turn is, also where a digest without turns only names it."""
    return signal.verb or _OF_OLD.get(signal.name, "none")


def _in_a_row(said: Sequence[Utterance]) -> Iterator[Utterance]:
    """Let what a person objects to twice within two minutes have led to what came of both.

    What is queued is read when the agent is done with what it is at. An order behind an objection
    to which the agent only answered is what the objection was for.
    """
    goes_on = False
    kind = ""
    for one, following in zip_longest(said, said[1:]):
        laid_out = one._replace(goes_on=goes_on, kind=kind or one.kind)
        kind = laid_out.kind if following and _is_meant_by(laid_out, following) else ""
        goes_on = following is not None and (bool(kind) or _is_in_a_row(one, following))
        if following is not None and goes_on:
            laid_out = laid_out._replace(led_to=[*one.led_to, *following.led_to])
        yield laid_out


def _is_meant_by(one: Utterance, following: Utterance) -> bool:
    """Whether a correction that led to nothing is followed by an order that says what it is for."""
    is_same = one.found.session.key == following.found.session.key
    is_open = one.kind == "correction" and not one.led_to
    is_plain = following.kind in ("none", NEARLY) and says_what_instead(following.found.signal.text)
    return is_same and is_open and is_plain


def _is_in_a_row(one: Utterance, following: Utterance) -> bool:
    first, second = one.found.signal.first_ts, following.found.signal.first_ts
    is_same = one.found.session.key == following.found.session.key
    if not (is_same and one.is_mark and following.is_mark and first and second):
        return False
    return 0 <= second - first <= _IN_A_ROW


class Background:
    """How common words are in a repository, and which are its own nouns.

    Nothing of other repositories is in it: what they say changes nothing here.
    """

    def __init__(
        self, repo: str, occurrences: Iterable[SessionSignal], said: Sequence[Utterance]
    ) -> None:
        self._own: dict[str, bool] = {}
        self._nouns = {stem_of(repo.lower())}
        for found in occurrences:
            if found.signal.name == "user_request" and not found.signal.fingerprints:
                self._nouns.update(found.signal.template.split())
        self._tasks: dict[str, set[str]] = {}
        self._turns: Counter[tuple[str, str]] = Counter()
        # The conversations that say a word, and the turns that do.
        self.talks_of: dict[str, set[str]] = {}
        self.turns_of: Counter[str] = Counter()
        self.ordered: Counter[str] = Counter()
        self.beside: dict[str, set[str]] = {}
        self._conversations: set[str] = set()
        for one in said:
            self._count(one)
        self.conversations = len(self._conversations)
        self._often = max(_OFTEN, self.conversations / _SHARE)

    def _count(self, one: Utterance) -> None:
        root = one.root
        self._conversations.add(root)
        words = {word for clause in one.clauses for word in clause.words}
        if one.ran:
            words.add(one.ran)
        if one.kind == "first":
            self._tasks.setdefault(root, set()).update(words)
        self.turns_of.update(words)
        self._turns.update((root, word) for word in words)
        for word in words:
            self.talks_of.setdefault(word, set()).add(root)
        self.ordered.update(
            {word for clause in one.clauses if clause.is_order for word in clause.words}
        )
        if not one.is_heard:
            for word in words:
                self.beside.setdefault(word, set()).add(root)

    def recurs(self, word: str) -> bool:
        """Whether two conversations say a word."""
        return len(self.talks_of[word]) > 1

    def commonness(self, words: Sequence[str]) -> float:
        """In how many conversations some words are said, on average."""
        said = [word for word in words if word in self.talks_of]
        return sum(len(self.talks_of[word]) for word in said) / len(said)

    def is_own(self, word: str) -> bool:
        """Whether a word is a noun of the repository's own, not of what people want of an agent.

        It names files there, or is said in a quarter of its conversations.
        """
        known = self._own.get(word)
        if known is None:
            is_said = len(self.talks_of.get(word, ())) >= self._often
            known = self._own[word] = word not in ACTS and (word in self._nouns or is_said)
        return known

    def is_named(self, word: str) -> bool:
        """Whether the repository, or what agents worked on in it, is named so."""
        return word in self._nouns

    def is_thing(self, word: str) -> bool:
        """Whether a word is mostly said where something is ordered, and says more than any."""
        is_any = word in ACTS or word in WEAK
        return not is_any and 2 * self.ordered[word] >= self.turns_of[word]

    def is_task(self, root: str, word: str) -> bool:
        """Whether a conversation comes back to a word again and again: it is what it is about."""
        return word not in ACTS and self._turns[root, word] >= _OFTEN

    def is_begun_with(self, root: str, word: str) -> bool:
        """Whether a conversation began with a word: it is of its task."""
        return word in self._tasks.get(root, ())
