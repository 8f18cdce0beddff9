"""What two turns of people have in common where they ask for the same thing: the keys of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from helix_tui.detect.utterances import Background, Utterance
from helix_tui.schema.signal import EDITED
from helix_tui.text.request_words import ACTS, WEAK
from helix_tui.text.said import Clause, are_two_words

STRONG = ACTS - WEAK
# A longer clause describes something; what people want again they say in few words.
_BRIEF = 8


class Key(NamedTuple):
    """Words that two turns share, and what makes them one thing.

    `order` is the act and the thing of an order, `wide` the same where people of other
    repositories may mean it too; `word` a thing that only this repository's people name; `pair` two
    words of one clause; `rejected` two words of two corrections, `complied` one behind which the
    agent ran what it names, `reworked` one with the file that the agent then edited.
    """

    by: str
    words: tuple[str, ...]


def keys_of(one: Utterance, background: Background) -> dict[Key, set[int]]:
    """Everything that a turn may meet another by, with the clauses that hold it."""
    found: dict[Key, set[int]] = {}
    ran = {word for action in one.led_to for word in action.split()}
    files = [action for action in one.led_to if action.startswith(EDITED)]
    for at, clause in enumerate(one.clauses):
        for key in _asked(one, clause, background):
            found.setdefault(key, set()).add(at)
        if one.is_mark and not clause.is_negated:
            for word in ran.intersection(clause.words):
                found.setdefault(Key("complied", (word,)), set()).add(at)
        if one.is_mark and files:
            for key in _reworked(clause, files, background):
                found.setdefault(key, set()).add(at)
        if one.is_heard and one.is_short:
            for key in _rejected(clause, background):
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
    words = clause.words
    if clause.is_negated or clause.is_question:
        return
    if clause.is_order:
        yield from _ordered(one, clause, background)
    if len(words) > _BRIEF:
        return
    free = {word for word in words if background.recurs(word) and _is_free(one, word, background)}
    for phrase in clause.phrases:
        for first, second in pairwise(phrase):
            if (first in WEAK) != (second in WEAK) and {first, second} <= free | WEAK:
                yield Key("pair", _pair(first, second))
    if one.kind == "first" and clause.is_order:
        return  # the task itself is known by its act and thing
    for first, second in combinations(sorted(free - WEAK), 2):
        if are_two_words(first, second):
            yield Key("pair", (first, second))


def _ordered(one: Utterance, clause: Clause, background: Background) -> Iterator[Key]:
    words = clause.words
    if len(words) == 1 and words[0] in STRONG:
        yield Key("wide", (words[0],))
    act, things = words[0], clause.phrases[1] if len(clause.phrases) > 1 else ()
    for thing in things:
        if thing in WEAK and (act in WEAK or len(things) > 1):
            continue
        is_own = background.is_own(thing) or background.is_task(one.root, thing)
        if (act in STRONG or not is_own) and background.recurs(thing):
            yield Key("order", _pair(act, thing))
    if things and things[-1] not in WEAK:
        yield Key("wide", _pair(act, things[-1]))
    for word in words[1:] if one.kind != "first" else ():
        is_said = background.recurs(word) and background.is_thing(word)
        if is_said and _is_free(one, word, background):
            yield Key("word", (word,))


def _rejected(clause: Clause, background: Background) -> Iterator[Key]:
    """What a clause of a correction is about: two of its words, of which one is telling."""
    words = sorted(filter(background.recurs, clause.words))
    telling = {word for word in words if word not in WEAK and not background.is_own(word)}
    for first, second in combinations(words, 2):
        if (first in telling or second in telling) and are_two_words(first, second):
            yield Key("rejected", (first, second))


def _reworked(clause: Clause, files: list[str], background: Background) -> Iterator[Key]:
    """What a clause speaks of with a file that the agent then edited, and that is not named so."""
    for word in clause.words:
        if word not in WEAK and background.recurs(word):
            for file in files:
                if word not in file.lower():
                    yield Key("reworked", (word, file))


def _is_free(one: Utterance, word: str, background: Background) -> bool:
    """Whether a word is not what the repository or the conversation is about."""
    if background.is_own(word) or background.is_task(one.root, word):
        return False
    return one.kind == "first" or not background.is_begun_with(one.root, word)


def _pair(first: str, second: str) -> tuple[str, ...]:
    return (first, second) if first <= second else (second, first)
