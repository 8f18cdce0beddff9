"""Find the lines of instructions that say what is sought: BM25, and how much of it they cover."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.context.matching.agree import disagrees
from helix_tui.context.matching.asks import (
    forbids_command,
    forbids_word,
    is_opposite,
    says_missing,
    sets_otherwise,
)
from helix_tui.context.matching.judge import is_cause, is_of_tool, is_other_purpose
from helix_tui.context.matching.nearness import Meaning
from helix_tui.context.matching.tokens import is_common, others_like, parts_of, tokens_of
from helix_tui.context.matching.units import Unit
from helix_tui.context.matching.wanted import Sought

_K1, _B = 1.2, 0.75
_FILE = re.compile(r"[A-Za-z0-9_-]\.[A-Za-z]{1,5}$")
# What an alternative to a program, and a name of which all parts are said, count as.
_ALIKE, _IN_PARTS = 0.7, 0.9
_COMMON = 0.15
_PROSE = 0.6
_MOST_PROSE, _MOST_COMMAND = 12, 10
BADGE = 0.35
_SHOWN = 3
# Less than this says nothing at all.
_LEAST = 0.08
# What a line says at most that names the command and nothing else.
_NAMED_ONLY = BADGE - 0.01
_LEAST_SHARED, _MOST_OF_IT = 2, 0.5
# What a unit must say of all before it counts that it names the remedy.
_LEAST_WITH_CHANGE = 0.2


class Hit(NamedTuple):
    """A unit that says some of it, by its place in the index, how much, and if it is the cause."""

    unit: int
    coverage: float
    is_cause: bool


def sought_words(commands: Sequence[str], prose: Sequence[str]) -> dict[str, float]:
    """The words of commands, and those of what is said about them, with their weights."""
    weights: dict[str, float] = {}
    for text in commands:
        for token in tokens_of(text)[:_MOST_COMMAND]:
            weights.setdefault(token, 0.3 if token.isdecimal() or len(token) < 2 else 1.0)
    count = 0
    for text in prose:
        for token in tokens_of(text):
            if token in weights or count >= _MOST_PROSE:
                continue
            common = is_common(token)
            weights[token] = _COMMON if common else _PROSE
            count += not common
    return weights


class Index:
    """Units of instructions, ready to be searched."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = list(units)
        counts = [_counted(unit.text) for unit in self.units]
        self._lengths = [max(1, count.total()) for count in counts]
        self._mean = sum(self._lengths) / len(self._lengths) if counts else 1.0
        self._places: dict[str, dict[int, int]] = {}
        for number, count in enumerate(counts):
            for token, times in count.items():
                self._places.setdefault(token, {})[number] = times
        self._meaning = Meaning([(unit.text, unit.within) for unit in self.units])

    def find(self, sought: Sought) -> list[Hit]:
        """The three units that say most of it, the best first."""
        if not self.units or not sought.weights:
            return []
        scores: dict[int, float] = {}
        covered: dict[int, float] = {}
        whole = 0.0
        for token, weight in sought.weights.items():
            places = self._places_of(token)
            worth = weight * self._idf(len(places))
            whole += worth
            for number, (times, share) in places.items():
                length = 1 - _B + _B * self._lengths[number] / self._mean
                gain = worth * share * times * (_K1 + 1) / (times + _K1 * length)
                scores[number] = scores.get(number, 0.0) + gain
                covered[number] = covered.get(number, 0.0) + worth * share
        near = self._meaning.nearness(sought)
        ranked = sorted(
            {*scores, *near},
            key=lambda number: (-scores.get(number, 0.0) - near.get(number, 0.0), number),
        )[:_SHOWN]
        hits = [
            self._hit(one, covered.get(one, 0.0) / whole, near.get(one, 0.0) / whole, sought)
            for one in ranked
        ]
        return [hit for hit in hits if hit.coverage >= _LEAST]

    def _hit(self, unit: int, covered: float, near: float, sought: Sought) -> Hit:
        """How much of it a unit says: of all, or of what the remedy changes where that is more.

        A line that forbids the very command, or asks for it, says it whatever else there is to say.
        """
        changed = self._of_change(unit, sought)
        if covered >= _LEAST_WITH_CHANGE and self._is_of_it(unit, sought):
            covered = max(covered, changed)
        one = self.units[unit]
        caused = is_cause(one, sought)
        if caused or forbids_command(one.text, sought.failed, is_code=one.is_code):
            covered = max(covered, BADGE)
        elif not self._says_more(unit, covered, sought) or self._says_other(unit, changed, sought):
            covered = min(covered, _NAMED_ONLY)
        if covered >= BADGE and disagrees(one, sought, is_cause=caused):
            covered, caused = _NAMED_ONLY, False
        # That it is meant alike gets a line shown, and no mark.
        shown = max(covered, min(covered + near, _NAMED_ONLY))
        return Hit(unit, round(shown, 4), caused)

    def _is_of_it(self, unit: int, sought: Sought) -> bool:
        """Whether what the remedy changes is said of the same: its program, or a name of its own.

        An option or a variable is a name; any other word may mean something else elsewhere. Of an
        agent's tools, which have names like any word, both are named.
        """
        programs = {words[0] for text in (sought.failed, sought.works) if (words := _run(text))}
        named = [
            any(self._has(unit, one) for one in (name, *others_like(name))) for name in programs
        ]
        if is_of_tool(sought.failed):
            return bool(named) and all(named)
        is_named = any(named) or any(
            self._has(unit, name) for name in filter(_is_name, sought.change)
        )
        return is_named and not is_other_purpose(self.units[unit], sought)

    def _has(self, unit: int, token: str) -> bool:
        return unit in self._places.get(token, {})

    def _says_other(self, unit: int, changed: float, sought: Sought) -> bool:
        """Whether a unit is about the same things and says something else of them.

        Where it is known what works, a line that says it names that, or that the program is
        missing. Of what a person says it is another thing where one of both forbids what the other
        asks for.
        """
        one = self.units[unit]
        if sought.said:
            shared = self._shared(unit, sought)
            return bool(shared) and is_opposite(sought.said, one.text, shared)
        if is_other_purpose(one, sought) or sets_otherwise(one.text, sought.works):
            return True
        telling = [token for token in sought.change if not is_common(token)]
        # Its option or variable is enough; the value is one of many.
        if any(self._has(unit, token) for token in telling if token[0] == "-" or _is_name(token)):
            return False
        program = next(iter(_run(sought.failed)), "")
        return bool(telling) and changed < _MOST_OF_IT and not says_missing(one.text, program)

    def _shared(self, unit: int, sought: Sought) -> set[str]:
        telling = [token for token, weight in sought.weights.items() if weight > _COMMON]
        return {word for token in telling for word in self._words_for(unit, token)}

    def _says_more(self, unit: int, covered: float, sought: Sought) -> bool:
        """Whether a unit has a telling word besides the command, or another program for it.

        A single word that both have may be there by chance, unless it is most of what is sought, or
        the very thing that the unit forbids.
        """
        telling = [token for token, weight in sought.weights.items() if weight > _COMMON]
        shared = self._shared(unit, sought)
        # What people say has so few telling words that one of them is most of it.
        is_most = covered >= _MOST_OF_IT and not sought.said
        is_chance = len(shared) < _LEAST_SHARED and not is_most
        if is_chance and not any(forbids_word(self.units[unit].text, word) for word in shared):
            return False
        other = (name for token in sought.own for name in others_like(token) - sought.own)
        more = (token for token in telling if token not in sought.own)
        return any(unit in self._places.get(token, {}) for token in (*more, *other))

    def _words_for(self, unit: int, token: str) -> set[str]:
        """The words of a unit that stand for one that is sought."""
        same = {token, *others_like(token)}
        parts = parts_of(token)
        is_in_parts = parts and all(unit in self._places.get(part, {}) for part in parts)
        return {one for one in same if unit in self._places.get(one, {})} | (
            set(parts) if is_in_parts else set()
        )

    def _of_change(self, unit: int, sought: Sought) -> float:
        """How much of what a remedy changes a unit says; an alternative says the opposite.

        An option of one letter means what its program makes of it, so that must be named, too.
        """
        is_bare = all(_is_letter(token) for token in sought.change)
        if is_bare and not any(unit in self._places.get(token, {}) for token in sought.own):
            return 0.0
        whole = said = 0.0
        # Letters say little where there are words.
        for token in (
            sought.change if is_bare else [one for one in sought.change if not _is_letter(one)]
        ):
            places = self._places.get(token, {})
            worth = self._idf(len(places)) * (_COMMON if is_common(token) else 1.0)
            whole += worth
            said += worth if unit in places else 0.0
        return said / whole if whole else 0.0

    def _places_of(self, token: str) -> dict[int, tuple[int, float]]:
        """The units that say a word or something like it, how often, and what that counts as."""
        nearest: dict[int, tuple[int, float]] = {}
        for other in others_like(token):
            for number, times in self._places.get(other, {}).items():
                nearest[number] = (times, _ALIKE)
        if parts := parts_of(token):
            lists = [self._places.get(part, {}) for part in parts]
            for number in set(lists[0]).intersection(*lists[1:]):
                nearest[number] = (1, _IN_PARTS)
        for number, times in self._places.get(token, {}).items():
            nearest[number] = (times, 1.0)
        return nearest

    def _idf(self, places: int) -> float:
        # Few units would make every word rare: as if there were a hundred more.
        return math.log(1 + (len(self.units) + 100 - places + 0.5) / (places + 0.5))


def _run(command: str) -> list[str]:
    """The words of a command without the folder that it is run in and variables set for it."""
    last = command.rpartition("&&")[2]
    return [token for word in last.split() if "=" not in word for token in tokens_of(word)]


def _is_letter(token: str) -> bool:
    return len(token) == len("-x") and token[0] == "-"


def _is_name(token: str) -> bool:
    """Whether a word is an option or a name in signs, which means the same everywhere."""
    return token.startswith("--") or any(sign in token for sign in "_./:")


def _counted(text: str) -> Counter[str]:
    """The words of a unit, and those that its names are made of."""
    tokens = tokens_of(text)
    # The name of a file is no name of a program: `docker-compose.yml` is none of `docker-compose`.
    named = (token.rpartition("/")[0] if _FILE.search(token) else token for token in tokens)
    return Counter([*tokens, *(part for token in named for part in parts_of(token))])
