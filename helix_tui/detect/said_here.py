"""What the people of one repository say again, and what they may have in common with others."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import msgspec

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.demands import Key, keys_of, orders
from helix_tui.detect.same_wish import LEAST_HERE, Place, agreeing_places
from helix_tui.detect.utterances import Background, Utterance, utterances
from helix_tui.schema.speech import Asked, Heard, Speech, Turn, Word
from helix_tui.text.hashing import hash64
from helix_tui.text.request_words import WEAK
from helix_tui.text.said import clauses_in
from helix_tui.text.standing import without_conditions

_WIDE = "wide"
# A text of so many characters of which so many are alike is no two people's.
_LONG, _ALIKE = 160, 60
# What needs more than the words to be one thing.
_BY_WORDS = ("word", "pair")
# What turns meet by, the surest first.
_SURE = ("complied", "order", "word", "rejected", "reworked", _WIDE, "pair")
_encode = msgspec.msgpack.Encoder().encode


def said_here(repo: str, occurrences: Sequence[SessionSignal]) -> Speech:
    """Lay down what recurs in a repository, from what is said there alone."""
    said = _without_templates(utterances(occurrences))
    background = Background(repo, occurrences, said)
    heard = [_heard(at, one) for at, one in enumerate(said) if one.is_heard]
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
            *_packed(background),
        ),
    )


def _heard(at: int, one: Utterance) -> Heard:
    signal = one.found.signal
    words, demanded = sorted(_words(one)), sorted(_demanded(one))
    words += filter(None, (one.has_it_run, one.takes_back))
    lies = [name for name in signal.lies if name.startswith("{") or name in words]
    goes_on = at - 1 if one.goes_on else None
    return Heard(at, words, demanded, signal.shape, one.led_to, goes_on, lies)


def _without_templates(said: Sequence[Utterance]) -> list[Utterance]:
    """Leave out long texts that two conversations begin alike: a program, or a file, wrote them."""
    roots: dict[str, set[str]] = {}
    for one in said:
        if len(one.found.signal.text) >= _LONG:
            roots.setdefault(_beginning(one), set()).add(one.root)
    return [one for one in said if len(roots.get(_beginning(one), ())) < LEAST_HERE]


def _beginning(one: Utterance) -> str:
    text = one.found.signal.text
    return " ".join(text[:_ALIKE].split()).lower() if len(text) >= _LONG else ""


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
            len({one.root for one in by if one.is_mark}),
            len({one.root for one in by}),
            background.is_named(word),
            found,
        )
    return counted


def _packed(background: Background) -> Iterator[bytes]:
    """All words as numbers in order, the turns that say each, and the conversations beside."""
    words = sorted((word_number(word), word) for word in background.talks_of)
    yield array("I", [number for number, _ in words]).tobytes()
    yield array("I", [background.turns_of[word] for _, word in words]).tobytes()
    yield array("I", [len(background.beside.get(word, ())) for _, word in words]).tobytes()


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
        heard=[
            msgspec.structs.replace(
                one,
                turn=number[one.turn],
                goes_on=None if one.goes_on is None else number[one.goes_on],
            )
            for one in speech.heard
        ],
        asked=renumbered(speech.asked),
        offered=renumbered(speech.offered),
    )


def _turn(one: Utterance) -> Turn:
    session, signal = one.found
    # When a session ended is no part of what it says.
    seal = hash64(_encode((session._replace(last_ts=0), signal)))
    place = signal.fingerprints[0]
    return Turn(session.key, place, session.root, one.kind, seal)


def _words(one: Utterance) -> set[str]:
    """The words that may say what a correction is about; a long text may mention anything else.

    What is laid down for when something is done is not about that.
    """
    found = _telling(one)
    if one.kind != "instruction":
        return found
    asked = clauses_in(without_conditions(one.found.signal.text))
    return (found & {word for clause in asked for word in clause.words}) or found


def _telling(one: Utterance) -> set[str]:
    clauses = one.clauses
    if not one.is_short:
        clauses = [part for part in clauses if part.is_negated or part.is_standing]
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
    places: dict[Key, list[Place]] = {}
    for turn, one in enumerate(said):
        for key, clauses in keys_of(one, background).items():
            places.setdefault(key, []).extend(Place(turn, clause) for clause in clauses)
    taken: set[Place] = set()
    asked = list(_recurring(said, background, places, taken))
    offered = []
    for key, found in sorted(places.items()):
        if key.by == _WIDE and (free := [place for place in found if place not in taken]):
            offered.append(
                Asked(" ".join(key.words), sorted({place.turn for place in free}), _WIDE)
            )
    return asked, offered


def _recurring(
    said: Sequence[Utterance],
    background: Background,
    places: dict[Key, list[Place]],
    taken: set[Place],
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
        if key.by in _BY_WORDS:
            free = agreeing_places(key, free, said)
            turns = sorted({place.turn for place in free})
            if not free:
                continue  # words in common are no wish
        taken.update(free)
        for turn in turns:
            groups_of.setdefault(turn, set()).add(number)
        yield Asked(" ".join(key.words), turns, key.by)


def _is_told(
    turns: Sequence[int], said: Sequence[Utterance], groups_of: dict[int, set[int]]
) -> bool:
    """Whether one other group has the same turns of two conversations."""
    shared: dict[int, set[str]] = {}
    for turn in turns:
        for number in groups_of.get(turn, ()):
            shared.setdefault(number, set()).add(said[turn].root)
    return any(len(roots) >= LEAST_HERE for roots in shared.values())
