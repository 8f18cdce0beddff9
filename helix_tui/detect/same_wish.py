"""Which orders that name a thing are one wish: those of the same act, or that led to the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.demands import Key
from helix_tui.detect.utterances import Utterance
from helix_tui.schema.signal import EDITED
from helix_tui.text.clauses import is_name, stem_of
from helix_tui.text.request_words import ACTS, KEEPING, MAKING, ORDERS, TASK_ORDERS, WEAK
from helix_tui.text.said import Clause, clauses_in

# So many conversations of one repository are enough.
LEAST_HERE = 2
_ACTS = ACTS | MAKING | KEEPING | frozenset(map(stem_of, ORDERS | TASK_ORDERS))
# “Make sure”, and how others say it, asks for whatever act it takes.
_ANY = frozenset({"mak", "ensur", "hav", "giv", "do"})


class Place(NamedTuple):
    """A clause of a turn."""

    turn: int
    clause: int


def agreeing_places(key: Key, places: Sequence[Place], said: Sequence[Utterance]) -> list[Place]:
    """The clauses with some words in which two conversations want the same, and what goes with it.

    They order the same act: whoever has a file written once and whoever has one kept up want two
    things. A single word is what a phrase ends with, the thing itself, also where that is called a
    file or a list, or the name of a file. Or what the agent did first behind both was the same.
    """
    acts = {place: _act_of(key, said[place.turn].clauses[place.clause]) for place in places}
    best: list[Place] = []
    for act in sorted({act for act in acts.values() if act}):
        some = [place for place in places if acts[place] in (act, "", None)]
        ordered = {said[place.turn].root for place in some if acts[place] is not None}
        if len(ordered) >= LEAST_HERE and _talks(some, said) > _talks(best, said):
            best = some
    free = [place for place in places if acts[place] in ("", None)]
    if not best and len({said[place.turn].root for place in free if acts[place] == ""}) > 1:
        best = free
    if best or _led_to_the_same(places, said):
        return best or list(places)
    # A file that two order something of is a subject of theirs, though no wish.
    ordered = {said[place.turn].root for place, act in acts.items() if act is not None}
    is_file = key.by == "word" and is_name(key.words[0])
    return list(places) if is_file and len(ordered) >= LEAST_HERE else []


def is_one_act(words: Sequence[str], members: Sequence[SessionSignal]) -> bool:
    """Whether two conversations order the same act of what some words name."""
    key = Key("word", tuple(words))
    roots: dict[str, set[str]] = {}
    free: set[str] = set()
    for session, signal in members:
        for clause in clauses_in(signal.text):
            act = _act_of(key, clause) if set(words) <= set(clause.words) else None
            if act == "":
                free.add(session.root)
            elif act is not None:
                roots.setdefault(act, set()).add(session.root)
    return any(len(some | free) >= LEAST_HERE for some in (free, *roots.values()))


def _act_of(key: Key, clause: Clause) -> str | None:
    """What a clause orders, alike for acts that do the same; empty for any act, None for no order.

    In a language whose verbs are not known any act may be meant.
    """
    is_free = key.by != "word" or is_name(key.words[0])
    is_thing = is_free or any(_ends_with(phrase, key) for phrase in clause.phrases)
    if not (clause.is_order and is_thing):
        return None
    act = clause.words[0]
    if act in key.words or act in _ANY or act not in _ACTS:
        return ""
    return "make" if act in MAKING else "keep" if act in KEEPING else act


def _talks(places: Sequence[Place], said: Sequence[Utterance]) -> int:
    return len({said[place.turn].root for place in places})


def _led_to_the_same(places: Sequence[Place], said: Sequence[Utterance]) -> bool:
    """Whether agents of two conversations did the same first behind it, other than an edit."""
    led_to: dict[str, set[str]] = {}
    for place in places:
        for action in said[place.turn].led_to:
            if not action.startswith(EDITED):
                led_to.setdefault(action, set()).add(said[place.turn].root)
    return any(len(roots) >= LEAST_HERE for roots in led_to.values())


def _ends_with(phrase: Sequence[str], key: Key) -> bool:
    """Whether the last word of a phrase that tells something is that of a key."""
    return next((word for word in reversed(phrase) if word not in WEAK), "") in key.words
