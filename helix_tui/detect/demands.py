"""What two turns of people have in common where they ask for the same thing: the keys of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from helix_tui.detect.utterances import Background, Utterance
from helix_tui.text.request_words import ACTS, WEAK
from helix_tui.text.said import Clause

STRONG = ACTS - WEAK
# A longer clause describes something; what people want again they say in few words.
_BRIEF = 8


class Key(NamedTuple):
    """Words that two turns share, and how wide they reach: one repository, or all."""

    repo: str
    words: tuple[str, ...]


def keys_of(one: Utterance, background: Background) -> dict[Key, set[int]]:
    """Everything that a turn may meet another by, with the clauses that hold it."""
    found: dict[Key, set[int]] = {}
    for at, clause in enumerate(one.clauses):
        for key in (*_asked(one, clause, background), *_rejected(one, clause, background)):
            found.setdefault(key, set()).add(at)
    return found


def orders(one: Utterance, words: tuple[str, ...]) -> bool:
    """Whether a turn orders an act that tells much by itself, with all of these words."""
    return any(
        clause.is_order and clause.words[0] in STRONG and set(words) <= set(clause.words)
        for clause in one.clauses
    )


def _asked(one: Utterance, clause: Clause, background: Background) -> Iterator[Key]:
    """What a clause asks for: an act, an act with its thing, or two things that are named."""
    repo, words = one.repo, clause.words
    if clause.is_negated or clause.is_question:
        return
    if clause.is_order and len(words) == 1 and words[0] in STRONG:
        yield Key("", (words[0],))
    if clause.is_order:
        act, things = words[0], clause.phrases[1] if len(clause.phrases) > 1 else ()
        for thing in things:
            if thing in WEAK and (act in WEAK or len(things) > 1):
                continue
            is_own = background.is_own(repo, thing) or background.is_task(one.root, thing)
            if act in STRONG or not is_own:
                yield Key(repo, _pair(act, thing))
        if things and things[-1] not in WEAK:
            yield Key("", _pair(act, things[-1]))
        for word in words[1:] if one.kind != "first" else ():
            if background.is_only_in(repo, word) and _is_free(one, word, background):
                yield Key(repo, (word,))
    if len(words) > _BRIEF:
        return
    shared = (word for word in words if len(background.talks_of[word]) > 1)
    free = {word for word in shared if _is_free(one, word, background)}
    for phrase in clause.phrases:
        for first, second in pairwise(phrase):
            if (first in WEAK) != (second in WEAK) and {first, second} <= free | WEAK:
                yield Key(repo, _pair(first, second))
    if one.kind == "first" and clause.is_order:
        return  # the task itself is known by its act and thing
    for first, second in combinations(sorted(free - WEAK), 2):
        yield Key(repo, (first, second))


def _rejected(one: Utterance, clause: Clause, background: Background) -> Iterator[Key]:
    """What a clause of a correction is about: two of its words, of which one is telling."""
    if not (one.is_mark or one.is_nearly) or not one.is_short:
        return
    words = sorted(word for word in clause.words if len(background.talks_of[word]) > 1)
    telling = {word for word in words if word not in WEAK and not background.is_own(one.repo, word)}
    for first, second in combinations(words, 2):
        if first in telling or second in telling:
            yield Key(f"{one.repo} corrected", (first, second))


def _is_free(one: Utterance, word: str, background: Background) -> bool:
    """Whether a word is not what the repository or the conversation is about."""
    if background.is_own(one.repo, word) or background.is_task(one.root, word):
        return False
    return one.kind == "first" or not background.is_begun_with(one.root, word)


def _pair(first: str, second: str) -> tuple[str, ...]:
    return tuple(sorted((first, second)))
