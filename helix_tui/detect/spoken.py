"""Group what people say: what they ask for again, what they correct, what they report as red."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.corrected import corrected
from helix_tui.detect.demands import Key, keys_of, orders
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.said_titles import check_name, quote_of, said_title, words_of
from helix_tui.detect.tiers import sort_of
from helix_tui.detect.utterances import Background, Utterance, utterances
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import SignalName

_LEAST_IN_ONE_REPOSITORY = 2
# What the id of reports on red checks is made of.
_RED = "red check"
# So many turns are looked at for one that is quoted.
_LOOKED_AT = 40
_OLD_TITLE = "said to be done, the user reports that it still fails"


class _Group(NamedTuple):
    """Turns that say the same, the words that they share, and where: nowhere is everywhere."""

    signal: SignalName
    repo: str
    words: tuple[str, ...]
    members: list[Utterance]


class _Place(NamedTuple):
    """A clause of a turn."""

    turn: int
    clause: int


def group_said(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Make a candidate of each thing that people of several conversations say.

    Two conversations are enough in one repository; across repositories it takes three.
    """
    said = utterances(occurrences)
    background = Background(occurrences, said)
    red = [one for one in said if one.found.signal.check]
    groups: list[_Group] = []
    if recurs(red):
        groups.append(_Group("error_persistence", "", (), red))
    for word, members in corrected(_without(said, groups), background):
        ruled = {one.root for one in members if one.kind == "instruction"}
        objected = {one.root for one in members if one.is_objection}
        name: SignalName = "instruction" if len(ruled) > len(objected) else "user_correction"
        groups.append(_Group(name, "", (word,), members))
    groups += _asked(_without(said, groups), background)
    return [*map(_candidate, groups), *_old_reports(said)]


def _old_reports(said: Sequence[Utterance]) -> list[Candidate]:
    """Reports of digests without turns, of which nothing says what failed: as they were grouped."""
    name: SignalName = "error_persistence"
    old = [one.found for one in said if one.found.signal.name == name and not one.found.signal.verb]
    return [assemble(candidate_id(name, "", ""), _OLD_TITLE, old, [])] if old else []


def _without(said: Sequence[Utterance], groups: Sequence[_Group]) -> list[Utterance]:
    """The turns that no group has yet."""
    held = {id(one) for group in groups for one in group.members}
    return [one for one in said if id(one) not in held]


def recurs(members: Sequence[Utterance]) -> bool:
    """Whether so many conversations say it that it is no chance."""
    roots = {one.root for one in members}
    is_of_one = len({one.repo for one in members}) == 1
    return len(roots) >= (_LEAST_IN_ONE_REPOSITORY if is_of_one else MIN_SESSIONS)


def _asked(said: Sequence[Utterance], background: Background) -> Iterator[_Group]:
    """Turns that share what they ask for; a clause counts for the commonest thing it asks for."""
    places: dict[Key, list[_Place]] = {}
    for turn, one in enumerate(said):
        for key, clauses in keys_of(one, background).items():
            places.setdefault(key, []).extend(_Place(turn, clause) for clause in clauses)
    roots = {key: {said[place.turn].root for place in found} for key, found in places.items()}
    for key in _of_several_repositories(places, roots):
        wide = Key("", key.words)
        places[wide] = sorted({*places.get(wide, ()), *places.pop(key)})
        roots[wide] = roots.get(wide, set()) | roots.pop(key)
    often = [key for key in places if len(roots[key]) >= _LEAST_IN_ONE_REPOSITORY]
    often.sort(key=lambda key: (-len(roots[key]), background.commonness(key.words), key))
    taken: set[_Place] = set()
    groups_of: dict[int, set[int]] = {}
    for number, key in enumerate(often):
        free = [place for place in places[key] if place not in taken]
        turns = sorted({place.turn for place in free})
        members = [said[turn] for turn in turns]
        if not recurs(members) or _is_told(turns, said, groups_of):
            continue
        if all(one.kind == "first" and not orders(one, key.words) for one in members):
            continue  # two tasks may speak of the same things
        taken.update(free)
        for turn in turns:
            groups_of.setdefault(turn, set()).add(number)
        yield _Group(_signal(members), key.repo, key.words, members)


def _of_several_repositories(
    places: dict[Key, list[_Place]], roots: dict[Key, set[str]]
) -> list[Key]:
    """The keys of one repository each that recur in another as well: there is one thing then."""
    recurring = [key for key in places if key.repo and len(roots[key]) > 1]
    count = Counter(key.words for key in recurring)
    return [key for key in recurring if count[key.words] > 1]


def _is_told(
    turns: Sequence[int], said: Sequence[Utterance], groups_of: dict[int, set[int]]
) -> bool:
    """Whether one other group has the same turns of two conversations."""
    shared: dict[int, set[str]] = {}
    for turn in turns:
        for number in groups_of.get(turn, ()):
            shared.setdefault(number, set()).add(said[turn].root)
    return any(len(roots) >= _LEAST_IN_ONE_REPOSITORY for roots in shared.values())


def _candidate(group: _Group) -> Candidate:
    signal, repo, words, members = group
    # The earliest gives the candidate its signal's other fields.
    members.sort(key=lambda one: (*age(one.found.session), *one.found.signal.fingerprints))
    texts = [one.found.signal.text for one in members[:_LOOKED_AT]]
    quote = quote_of(words, texts, is_correction=signal == "user_correction")
    kinds = _checks_of(members) if signal == "error_persistence" else {}
    title = said_title(signal, members, quote, kinds)
    # Corrections keep the ids they have where their word is the same.
    kind = "user_correction" if signal == "user_correction" else "user_request"
    key = (" ".join(words) or _RED, *((repo,) if repo else ()))
    candidate = assemble(candidate_id(kind, *key), title, [one.found for one in members], [])
    candidate.signal = signal
    candidate.sort = sort_of(signal)
    candidate.kinds = kinds
    candidate.kind = "success" if signal in ("instruction", "workflow") else "problem"
    candidate.subject = words_of(words, quote) or key[0]
    return candidate


def _checks_of(members: Sequence[Utterance]) -> dict[str, int]:
    """The kinds of checks that were red, each with its conversations, the commonest first."""
    roots: dict[str, set[str]] = {}
    for one in members:
        roots.setdefault(check_name(one.found.signal.check), set()).add(one.root)
    return {kind: len(roots[kind]) for kind in sorted(roots, key=lambda k: (-len(roots[k]), k))}


def _signal(members: Sequence[Utterance]) -> SignalName:
    """What half of the conversations say it is; a correction before a wish."""
    roots = {one.root for one in members}
    marked = {one.root for one in members if one.is_objection}
    marked -= {one.root for one in members if not one.is_objection}
    if all(one.kind == "first" for one in members):
        return "workflow"
    return "user_correction" if 2 * len(marked) >= len(roots) else "instruction"
