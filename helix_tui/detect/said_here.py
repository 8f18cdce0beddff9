"""What the people of one repository say again, and what they may have in common with others."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.demands import Key, keys_of, orders
from helix_tui.detect.utterances import Background, Utterance, utterances
from helix_tui.schema.speech import Asked, Heard, Speech, Turn, Word
from helix_tui.text.hashing import hash64
from helix_tui.text.request_words import WEAK

# So many conversations of one repository are enough.
LEAST_HERE = 2
_WIDE = "wide"
# What turns meet by, the surest first.
_SURE = ("order", "word", "rejected", _WIDE, "pair")
_encode = msgspec.msgpack.Encoder().encode


class _Place(NamedTuple):
    """A clause of a turn."""

    turn: int
    clause: int


def said_here(repo: str, occurrences: Sequence[SessionSignal]) -> Speech:
    """Lay down what recurs in a repository, from what is said there alone."""
    said = utterances(occurrences)
    background = Background(repo, occurrences, said)
    heard = [
        Heard(at, sorted(_words(one)), sorted(_demanded(one)), one.found.signal.shape)
        for at, one in enumerate(said)
        if one.is_heard
    ]
    asked, offered = _asked(said, background)
    words = _counted(said, heard, background)
    return _without_the_rest(
        said,
        Speech(
            sorted({found.session.key for found in occurrences}),
            background.conversations,
            len(said),
            [],
            heard,
            asked,
            offered,
            words,
            array("I", sorted({word_number(word) for word in background.talks_of})).tobytes(),
        ),
    )


def _counted(
    said: Sequence[Utterance], heard: Sequence[Heard], background: Background
) -> dict[str, Word]:
    """How each word of corrections is said here."""
    places: dict[str, list[int]] = {}
    for at, one in enumerate(heard):
        for word in one.words:
            places.setdefault(word, []).append(at)
    counted = {}
    for word, found in sorted(places.items()):
        by = [said[heard[at].turn] for at in found]
        counted[word] = Word(
            background.turns_of[word],
            len(background.beside.get(word, ())),
            len({one.root for one in by if one.is_mark}),
            len({one.root for one in by}),
            background.is_named(word),
            found,
        )
    return counted


def word_number(word: str) -> int:
    """A word in 32 bits."""
    return hash64(word.encode("utf-8", "surrogatepass")) & 0xFFFF_FFFF


def _without_the_rest(said: Sequence[Utterance], speech: Speech) -> Speech:
    """Keep the turns that something refers to, under numbers of their own."""
    used = {one.turn for one in speech.heard}
    used.update(turn for one in (*speech.asked, *speech.offered) for turn in one.turns)
    number = {turn: at for at, turn in enumerate(sorted(used))}

    def renumbered(some: Sequence[Asked]) -> list[Asked]:
        return [Asked(one.words, [number[turn] for turn in one.turns], one.by) for one in some]

    return msgspec.structs.replace(
        speech,
        turns=[_turn(said[turn]) for turn in sorted(used)],
        heard=[msgspec.structs.replace(one, turn=number[one.turn]) for one in speech.heard],
        asked=renumbered(speech.asked),
        offered=renumbered(speech.offered),
    )


def _turn(one: Utterance) -> Turn:
    session, signal = one.found
    # When a session ended is no part of what it says.
    seal = hash64(_encode((session._replace(last_ts=0), signal)))
    place = signal.fingerprints[0]
    return Turn(session.key, place, session.root, session.repo, one.kind, seal)


def _words(one: Utterance) -> set[str]:
    """The words that may say what a correction is about; a long text may mention anything else."""
    clauses = one.clauses if one.is_short else [part for part in one.clauses if part.is_negated]
    return {word for clause in clauses for word in clause.words if word not in WEAK}


def _demanded(one: Utterance) -> set[str]:
    # A long text says no to much that it does not ask for.
    return {
        word
        for clause in one.clauses
        if clause.is_order or (one.is_short and clause.is_negated)
        for word in clause.words
    }


def _asked(said: Sequence[Utterance], background: Background) -> tuple[list[Asked], list[Asked]]:
    """What recurs here, and the orders that nothing here holds.

    A clause counts for the commonest thing that it says.
    """
    places: dict[Key, list[_Place]] = {}
    for turn, one in enumerate(said):
        for key, clauses in keys_of(one, background).items():
            places.setdefault(key, []).extend(_Place(turn, clause) for clause in clauses)
    taken: set[_Place] = set()
    asked = list(_recurring(said, background, places, taken))
    offered = []
    for key, found in sorted(places.items()):
        if key.by == _WIDE and (free := [place for place in found if place not in taken]):
            offered.append(Asked(list(key.words), sorted({place.turn for place in free}), _WIDE))
    return asked, offered


def _recurring(
    said: Sequence[Utterance],
    background: Background,
    places: dict[Key, list[_Place]],
    taken: set[_Place],
) -> Iterator[Asked]:
    roots = {
        key: len({said[place.turn].root for place in found})
        for key, found in places.items()
        if len(found) >= LEAST_HERE
    }
    often = [key for key, count in roots.items() if count >= LEAST_HERE]
    often.sort(
        key=lambda key: (
            -roots[key],
            _SURE.index(key.by),
            background.commonness(key.words),
            key.words,
        )
    )
    groups_of: dict[int, set[int]] = {}
    for number, key in enumerate(often):
        free = [place for place in places[key] if place not in taken]
        turns = sorted({place.turn for place in free})
        members = [said[turn] for turn in turns]
        if len({one.root for one in members}) < LEAST_HERE or _is_told(turns, said, groups_of):
            continue
        if all(one.kind == "first" and not orders(one, key.words) for one in members):
            continue  # two tasks may speak of the same things
        taken.update(free)
        for turn in turns:
            groups_of.setdefault(turn, set()).add(number)
        yield Asked(list(key.words), turns, key.by)


def _is_told(
    turns: Sequence[int], said: Sequence[Utterance], groups_of: dict[int, set[int]]
) -> bool:
    """Whether one other group has the same turns of two conversations."""
    shared: dict[int, set[str]] = {}
    for turn in turns:
        for number in groups_of.get(turn, ()):
            shared.setdefault(number, set()).add(said[turn].root)
    return any(len(roots) >= LEAST_HERE for roots in shared.values())
