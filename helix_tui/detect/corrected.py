"""Find what corrections are about: words that they share and tasks do not, and what they reject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.utterances import Background, Utterance
from helix_tui.text.request_words import WEAK

# A word is of corrections where it is said so many times as often in them as in all turns, or
# mostly there.
_MORE_OFTEN, _MOSTLY = 3, 0.5
# Two words are of one thing where one in so many of their conversations says both.
_TOGETHER = 3
# So many conversations share a word by no chance.
_NO_CHANCE = 5


def corrected(
    said: Sequence[Utterance], background: Background
) -> Iterator[tuple[str, list[Utterance]]]:
    """Corrections by words that three conversations correct by, and hardly anybody else says.

    Words are of one thing where they are said together, or object to the same action. Corrections
    behind an action that most others object to follow these. One that is not plain may join.
    """
    heard = [one for one in said if one.is_mark or one.is_nearly]
    words = [_words(one) for one in heard]
    talks = _talks(heard, words, background)
    leaders = _joined(heard, words, talks)
    about: dict[int, str] = {}
    for at, spoken in enumerate(words):
        known = [word for word in spoken if word in talks]
        if known:
            about[at] = leaders[min(known, key=lambda word: (-len(talks[word]), word))]
    _follow(heard, about)
    for subject in sorted(set(about.values())):
        places = [at for at in sorted(about) if about[at] == subject]
        members = [heard[at] for at in places]
        plain = {one.root for one in members if one.is_mark}
        every = {one.root for one in members}
        is_often = len(plain) >= MIN_SESSIONS - 1 and len(every) >= MIN_SESSIONS
        if is_often and _agree(subject, members, [words[at] for at in places]):
            yield subject, members


def _agree(subject: str, members: Sequence[Utterance], words: Sequence[set[str]]) -> bool:
    """Whether corrections with a word in common are about one thing.

    A word alone may be chance where few say it in several repositories: then two conversations
    ask for it or forbid it, share a second word, or object to the same action.
    """
    if len({one.root for one in members}) >= _NO_CHANCE or len({one.repo for one in members}) == 1:
        return True
    if len({one.root for one in members if _demands(one, subject)}) > 1:
        return True
    for (one, spoken), (other, also) in combinations(zip(members, words, strict=True), 2):
        action = one.found.signal.shape
        is_same = bool(action) and action == other.found.signal.shape
        if one.root != other.root and (len(spoken & also) > 1 or is_same):
            return True
    return False


def _demands(one: Utterance, word: str) -> bool:
    # A long text says no to much that it does not ask for.
    return any(
        word in clause.words and (clause.is_order or (one.is_short and clause.is_negated))
        for clause in one.clauses
    )


def _words(one: Utterance) -> set[str]:
    """The words that may say what a correction is about; a long text may mention anything else."""
    clauses = one.clauses if one.is_short else [part for part in one.clauses if part.is_negated]
    return {word for clause in clauses for word in clause.words if word not in WEAK}


def _talks(
    heard: Sequence[Utterance], words: Sequence[set[str]], background: Background
) -> dict[str, set[str]]:
    """The conversations in which each telling word is said against what an agent did."""
    talks: dict[str, set[str]] = {}
    every: dict[str, set[str]] = {}
    repos: dict[str, set[str]] = {}
    turns: Counter[str] = Counter()
    for one, spoken in zip(heard, words, strict=True):
        turns.update(spoken)
        for word in spoken:
            every.setdefault(word, set()).add(one.root)
            repos.setdefault(word, set()).add(one.repo)
            if one.is_mark:
                talks.setdefault(word, set()).add(one.root)
    usual = len(heard) / max(1, background.turns)
    least = min(_MOSTLY, _MORE_OFTEN * usual)
    return {
        word: found
        for word, found in talks.items()
        if len(found) >= MIN_SESSIONS - 1
        and len(every[word]) >= MIN_SESSIONS
        and not background.is_common(word)
        and turns[word] >= least * background.turns_of[word]
        # What several repositories speak of is none's own.
        and (len(repos[word]) > 1 or not background.is_named(min(repos[word]), word))
    }


def _joined(
    heard: Sequence[Utterance], words: Sequence[set[str]], talks: dict[str, set[str]]
) -> dict[str, str]:
    """Each telling word with the one that its group is named after: the commonest."""
    both: dict[tuple[str, str], set[str]] = {}
    rejected: dict[str, dict[str, set[str]]] = {}
    for one, spoken in zip(heard, words, strict=True):
        known = sorted(spoken & talks.keys())
        for pair in combinations(known, 2):
            both.setdefault(pair, set()).add(one.root)
        if action := one.found.signal.shape:
            for word in known:
                rejected.setdefault(action, {}).setdefault(word, set()).add(one.root)
    joins = {
        pair: len(found)
        for pair, found in both.items()
        if len(found) > 1 and _TOGETHER * len(found) >= len(talks[pair[0]] | talks[pair[1]])
    }
    shared: Counter[tuple[str, str]] = Counter()
    for by_word in rejected.values():
        shared.update(combinations(sorted(by_word), 2))
    for pair, count in shared.items():
        if count > 1:
            joins[pair] = joins.get(pair, 0) + count
    return _leaders(talks, joins)


def _leaders(talks: dict[str, set[str]], joins: dict[tuple[str, str], int]) -> dict[str, str]:
    """Let each word, the commonest first, follow the one that it has most in common with.

    So a word that two things share, such as `whole`, makes no one thing of them.
    """
    leaders: dict[str, str] = {}
    for word in sorted(talks, key=lambda word: (-len(talks[word]), word)):
        near: Counter[str] = Counter()
        for other, leader in leaders.items():
            near[leader] += joins.get((min(word, other), max(word, other)), 0)
        best = min(near, key=lambda leader: (-near[leader], leader), default="")
        leaders[word] = best if best and near[best] else word
    return leaders


def _follow(heard: Sequence[Utterance], about: dict[int, str]) -> None:
    """Give corrections without a telling word what others behind the same action are about."""
    behind: dict[str, list[int]] = {}
    for at, one in enumerate(heard):
        if one.found.signal.shape:
            behind.setdefault(one.found.signal.shape, []).append(at)
    for _, places in sorted(behind.items()):
        votes: Counter[str] = Counter()
        for subject, _ in {(about[at], heard[at].root) for at in places if at in about}:
            votes[subject] += 1
        best = min(votes, key=lambda subject: (-votes[subject], subject), default="")
        if best and votes[best] >= MIN_SESSIONS - 1 and 2 * votes[best] > sum(votes.values()):
            about.update((at, best) for at in places if at not in about and heard[at].is_mark)
