"""Find what corrections are about: words that they share and tasks do not, and what they reject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.utterances import MARKS
from helix_tui.schema.speech import Speech
from helix_tui.text.request_words import ACTS

# A word is of corrections where it is said so many times as often in them as in all turns, or
# mostly there.
_MORE_OFTEN, _MOSTLY = 3, 0.5
# Two words are of one thing where one in so many of their conversations says both.
_TOGETHER = 3
# So many conversations share a word by no chance.
_NO_CHANCE = 5
# A word that more conversations than these say beside corrections tells nothing: so are the small
# words of whatever language.
_OFTEN, _COMMON = 4, 0.15


class _Correction(NamedTuple):
    """A turn that objects, or may: where it stands, and what it says."""

    repo: str
    turn: int
    root: str
    is_mark: bool
    words: list[str]
    demanded: list[str]
    action: str


def corrected(speeches: Mapping[str, Speech]) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Corrections by words that three conversations correct by, and hardly anybody else says.

    Words are of one thing where they are said together, or object to the same action. Corrections
    behind an action that most others object to follow these. One that is not plain may join. Turns
    are told by their repository and their place in its speech.
    """
    heard = list(_heard(speeches))
    talks = _talks(heard, speeches)
    leaders = _joined(heard, talks)
    about: dict[int, str] = {}
    for at, one in enumerate(heard):
        known = [word for word in one.words if word in talks]
        if known:
            about[at] = leaders[min(known, key=lambda word: (-len(talks[word]), word))]
    _follow(heard, about)
    by_subject: dict[str, list[_Correction]] = {}
    for at in sorted(about):
        by_subject.setdefault(about[at], []).append(heard[at])
    for subject, members in sorted(by_subject.items()):
        plain = {one.root for one in members if one.is_mark}
        every = {one.root for one in members}
        is_often = len(plain) >= MIN_SESSIONS - 1 and len(every) >= MIN_SESSIONS
        if is_often and _agree(subject, members):
            yield subject, [(one.repo, one.turn) for one in members]


def _heard(speeches: Mapping[str, Speech]) -> Iterator[_Correction]:
    for repo, speech in sorted(speeches.items()):
        for one in speech.heard:
            said = speech.turns[one.turn]
            is_mark = said.kind in MARKS
            yield _Correction(
                repo, one.turn, said.root, is_mark, one.words, one.demanded, one.action
            )


def _agree(subject: str, members: Sequence[_Correction]) -> bool:
    """Whether corrections with a word in common are about one thing.

    A word alone may be chance where few say it in several repositories: then two conversations
    ask for it or forbid it, share a second word, or object to the same action.
    """
    if len({one.root for one in members}) >= _NO_CHANCE or len({one.repo for one in members}) == 1:
        return True
    if len({one.root for one in members if subject in one.demanded}) > 1:
        return True
    for one, other in combinations(members, 2):
        is_same = bool(one.action) and one.action == other.action
        shares = len(set(one.words).intersection(other.words)) > 1
        if one.root != other.root and (shares or is_same):
            return True
    return False


def _talks(heard: Sequence[_Correction], speeches: Mapping[str, Speech]) -> dict[str, set[str]]:
    """The conversations in which each telling word is said against what an agent did."""
    often = Counter(word for one in heard for word in one.words)
    wanted = {word for word, count in often.items() if count >= MIN_SESSIONS}
    plain: dict[str, set[str]] = {}
    every: dict[str, set[str]] = {}
    repos: dict[str, set[str]] = {}
    for one in heard:
        for word in wanted.intersection(one.words):
            every.setdefault(word, set()).add(one.root)
            repos.setdefault(word, set()).add(one.repo)
            if one.is_mark:
                plain.setdefault(word, set()).add(one.root)
    usual = len(heard) / max(1, sum(speech.spoken for speech in speeches.values()))
    least = min(_MOSTLY, _MORE_OFTEN * usual)
    most = max(_OFTEN, _COMMON * sum(speech.conversations for speech in speeches.values()))
    found = {}
    for word, talks in plain.items():
        if len(talks) < MIN_SESSIONS - 1 or len(every[word]) < MIN_SESSIONS:
            continue
        counts = [speeches[repo].said[word] for repo in repos[word]]
        if word not in ACTS and sum(beside for _, beside in counts) > most:
            continue
        if often[word] < least * sum(turns for turns, _ in counts):
            continue
        # What several repositories speak of is none's own.
        if len(repos[word]) == 1 and word in speeches[min(repos[word])].named:
            continue
        found[word] = talks
    return found


def _joined(heard: Sequence[_Correction], talks: dict[str, set[str]]) -> dict[str, str]:
    """Each telling word with the one that its group is named after: the commonest."""
    both: dict[tuple[str, str], set[str]] = {}
    rejected: dict[str, set[str]] = {}
    for one in heard:
        known = [word for word in one.words if word in talks]
        for pair in combinations(known, 2):
            both.setdefault(pair, set()).add(one.root)
        if one.action and known:
            rejected.setdefault(one.action, set()).update(known)
    joins = {
        pair: len(found)
        for pair, found in both.items()
        if len(found) > 1 and _TOGETHER * len(found) >= len(talks[pair[0]] | talks[pair[1]])
    }
    shared: Counter[tuple[str, str]] = Counter()
    for words in rejected.values():
        shared.update(combinations(sorted(words), 2))
    for pair, count in shared.items():
        if count > 1:
            joins[pair] = joins.get(pair, 0) + count
    return _leaders(talks, joins)


def _leaders(talks: dict[str, set[str]], joins: dict[tuple[str, str], int]) -> dict[str, str]:
    """Let each word, the commonest first, follow the one that it has most in common with.

    So a word that two things share, such as `whole`, makes no one thing of them.
    """
    beside: dict[str, dict[str, int]] = {}
    for (one, other), count in joins.items():
        beside.setdefault(one, {})[other] = count
        beside.setdefault(other, {})[one] = count
    leaders: dict[str, str] = {}
    for word in sorted(talks, key=lambda word: (-len(talks[word]), word)):
        near: Counter[str] = Counter()
        for other, count in beside.get(word, {}).items():
            if other in leaders:
                near[leaders[other]] += count
        leaders[word] = min(near, key=lambda leader: (-near[leader], leader), default=word)
    return leaders


def _follow(heard: Sequence[_Correction], about: dict[int, str]) -> None:
    """Give corrections without a telling word what others behind the same action are about."""
    behind: dict[str, list[int]] = {}
    for at, one in enumerate(heard):
        if one.action:
            behind.setdefault(one.action, []).append(at)
    for _, places in sorted(behind.items()):
        votes: Counter[str] = Counter()
        for subject, _ in {(about[at], heard[at].root) for at in places if at in about}:
            votes[subject] += 1
        best = min(votes, key=lambda subject: (-votes[subject], subject), default="")
        if best and votes[best] >= MIN_SESSIONS - 1 and 2 * votes[best] > sum(votes.values()):
            about.update((at, best) for at in places if at not in about and heard[at].is_mark)
