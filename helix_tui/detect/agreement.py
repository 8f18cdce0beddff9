"""Which corrections that share a word are about one thing: they agree in something beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.same_wish import LEAST_HERE
from helix_tui.detect.utterances import RAN
from helix_tui.schema.speech import Heard
from helix_tui.text.request_words import ACTS
from helix_tui.text.said import are_two_words

# In one repository so many conversations share a word by no chance.
_NO_CHANCE = 5
_USE = "us"
_USES = frozenset({"us", "run", "ran"})
_ACTS = ACTS | _USES

# What two corrections may have in common beside a word.
Sign = tuple[str, ...]


class Correction(NamedTuple):
    """A turn that objects, or may: where it stands, and what it says."""

    repo: str
    heard: Heard
    root: str
    is_mark: bool
    # It lays something down for every time.
    is_rule: bool
    # Its words that tell what corrections are about.
    known: list[str]


def agreeing(subject: str, members: Sequence[Correction]) -> list[list[Correction]]:
    """Part corrections that share a word into those of one thing, most conversations first.

    In a repository two conversations agree where both ask for the word or forbid it, share a second
    word, object to the same action, or the agents then did the same, or ran what the word names;
    all others there follow these. Across repositories a word that is asked for is not enough: what
    is asked for it, or what else is said or done, is the same. A repository in which nobody agrees
    with anybody has no part in it.
    """
    parts = _Parts()
    by_repo: dict[str, list[tuple[Correction, list[Sign]]]] = {}
    signs = [(one, _second(subject, one) + _done(subject, one)) for one in members]
    for one, beside in signs:
        by_repo.setdefault(one.repo, []).append((one, beside))
    for some in by_repo.values():
        roots = {one.root for one, _ in some}
        is_one = len(roots) >= _NO_CHANCE
        if is_one or (
            len(roots) > 1
            and _shared((_here(subject, one, beside), one.root) for one, beside in some)
        ):
            parts.join(roots)
    for roots in _shared((_anywhere(subject, one, beside), one.root) for one, beside in signs):
        parts.join(roots)
    found: dict[str, list[Correction]] = {}
    for one in members:
        if first := parts.first_of(one.root):
            found.setdefault(first, []).append(one)
    groups = [some for some in found.values() if _is_enough(some)]
    return sorted(groups, key=lambda some: (-len({one.root for one in some}), some[0].repo))


def _is_enough(members: Sequence[Correction]) -> bool:
    """Two conversations of one repository, three of several; two of them object plainly."""
    is_of_one = len({one.repo for one in members}) == 1
    plain = {one.root for one in members if one.is_mark}
    least = LEAST_HERE if is_of_one else MIN_SESSIONS
    return len({one.root for one in members}) >= least and len(plain) >= MIN_SESSIONS - 1


class _Parts:
    """Conversations that were joined, by the first of each part."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def first_of(self, root: str) -> str:
        """The conversation that a part goes by; nothing for one that was never joined."""
        above = self._above.get(root, "")
        while above and above != (further := self._above[above]):
            above = further
        return above

    def join(self, roots: Iterable[str]) -> None:
        """Make one part of some conversations and of all that they were joined with."""
        known = {self.first_of(root) or root for root in roots}
        first = min(known)
        for root in known:
            self._above[root] = first


def _shared(signs: Iterable[tuple[Iterable[Sign], str]]) -> list[set[str]]:
    """The conversations of each sign that two of them have."""
    first: dict[Sign, str] = {}
    several: dict[Sign, set[str]] = {}
    for found, root in signs:
        for sign in found:
            # Most signs are of one conversation alone, and need no set.
            if (known := first.setdefault(sign, root)) != root:
                several.setdefault(sign, {known}).add(root)
    return list(several.values())


def _here(subject: str, one: Correction, beside: list[Sign]) -> list[Sign]:
    """What two corrections of one repository may have in common beside the word itself."""
    return [*beside, ("demanded", "")] if subject in one.heard.demanded else beside


def _second(subject: str, one: Correction) -> list[Sign]:
    """What is said beside the word; who does not say the word says two of the others."""
    signs: list[Sign] = []
    words = one.heard.words
    if subject in words:
        signs += [("word", word) for word in words if are_two_words(subject, word)]
    if len(one.known) > 1:
        pairs = combinations(sorted(one.known), 2)
        signs += [("words", *pair) for pair in pairs if are_two_words(*pair)]
    return signs


def _anywhere(subject: str, one: Correction, beside: list[Sign]) -> list[Sign]:
    """What two corrections of any repositories may have in common beside the word itself."""
    signs = list(beside)
    if subject.startswith(RAN):
        signs.append(("ran",))  # the word is itself what the agents did
    if one.is_rule or subject in one.heard.demanded:
        signs += [("demanded", act) for act in _acts(subject, one.heard)]
    return signs


def _acts(subject: str, heard: Heard) -> set[str]:
    """What is asked for a thing; to name it and nothing else asks for its use."""
    acts = {_USE if word in _USES else word for word in heard.demanded if word in _ACTS}
    is_alone = set(heard.words) <= {subject} | _ACTS
    return acts or ({_USE} if is_alone else set())


def _done(subject: str, one: Correction) -> list[Sign]:
    """What the agent did before and behind a correction, and where: `no edits under vendor`."""
    led_to, action = one.heard.led_to, one.heard.action
    signs: list[Sign] = [("led to", behind) for behind in led_to]
    if action:
        signs.append(("rejected", action))
    for name in one.heard.lies:
        if name == subject:
            signs.append(("lies in", ""))
        elif name.startswith("{"):
            signs.append(("kind", name))
    for behind in led_to:
        if subject in behind and subject in behind.split():
            signs.append(("ran", ""))
            break
    return signs
