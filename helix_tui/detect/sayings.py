"""What people say again in all repositories: what recurs in each, brought together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from helix_tui.detect.corrected import corrected
from helix_tui.detect.demands import STRONG
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.said_here import word_number
from helix_tui.detect.same_wish import LEAST_HERE
from helix_tui.detect.utterances import OBJECTIONS
from helix_tui.schema.signal import SignalName
from helix_tui.schema.speech import Asked, Heard, Saying, Speech, Turn

# The acts and things of an order may be meant alike anywhere.
_ANYWHERE = ("order", "wide")


def sayings(speeches: Mapping[str, Speech]) -> list[Saying]:
    """Each thing that people of several conversations say.

    Two conversations are enough in one repository; across repositories it takes three. The order
    of repositories makes no difference.
    """
    found = list(_corrected(speeches))
    taken = {(turn.session, turn.fingerprint) for saying in found for turn in saying.turns}
    return _shared([*found, *_asked(speeches, taken)])


def _shared(found: Sequence[Saying]) -> list[Saying]:
    """The same with how many of them each turn is of: it cost what it did once."""
    times = Counter(
        (turn.session, turn.fingerprint) for saying in found for turn in dict.fromkeys(saying.turns)
    )
    return [
        msgspec.structs.replace(
            saying, shares=[times[turn.session, turn.fingerprint] for turn in saying.turns]
        )
        for saying in found
    ]


def _corrected(speeches: Mapping[str, Speech]) -> Iterator[Saying]:
    found = list(corrected(speeches))
    taken = {place for _, _, places in found for place in places}
    # Few turns go on from another.
    further = {
        repo: [one for one in speech.heard if one.goes_on is not None]
        for repo, speech in speeches.items()
    }
    for word, named, places in found:
        turns = [speeches[repo].turns[at] for repo, at in _with_further(places, taken, further)]
        ruled = {turn.root for turn in turns if turn.kind == "instruction"}
        objected = {turn.root for turn in turns if turn.kind in OBJECTIONS}
        name: SignalName = "instruction" if len(ruled) > len(objected) else "user_correction"
        yield Saying(name, named, [word], turns)


def _with_further(
    places: Sequence[tuple[str, int]],
    taken: Collection[tuple[str, int]],
    further: Mapping[str, Sequence[Heard]],
) -> list[tuple[str, int]]:
    """What a person goes on to object in the next two minutes is of the same thing."""
    found = dict.fromkeys(places)
    for repo in sorted({repo for repo, _ in places}):
        for one in further[repo]:
            is_of_these = one.goes_on is not None and (repo, one.goes_on) in found
            if is_of_these and (repo, one.turn) not in taken:
                found[repo, one.turn] = None
    return list(found)


class _Said:
    """The turns with some words: those of repositories in which they recur, and other orders."""

    def __init__(self) -> None:
        self.recurring: dict[str, Asked] = {}
        self.turns: dict[str, list[Turn]] = {}

    def add(self, repo: str, turns: Sequence[Turn]) -> None:
        """Take turns of a repository, each once."""
        known = self.turns.get(repo)
        self.turns[repo] = list(dict.fromkeys((*known, *turns))) if known else list(turns)

    @property
    def is_of_tasks(self) -> bool:
        """Whether conversations only begin with it."""
        return all(turn.kind == "first" for turns in self.turns.values() for turn in turns)

    @property
    def is_wide(self) -> bool:
        """Whether it is one thing in several repositories."""
        is_anywhere = all(one.by in _ANYWHERE for one in self.recurring.values())
        roots = {turn.root for turns in self.turns.values() for turn in turns}
        is_several = len(self.turns) > 1 and len(roots) >= MIN_SESSIONS
        if any(one.by == "word" for one in self.recurring.values()):
            return False  # a thing that only one repository's people name
        return is_several and (is_anywhere or len(self.recurring) > 1)


def _asked(speeches: Mapping[str, Speech], taken: set[tuple[int, int]]) -> Iterator[Saying]:
    said = _by_words(speeches, taken)
    _drop_words_of_others(said, speeches)
    wide: list[tuple[str, list[Turn]]] = []
    here: list[tuple[str, str, str, bool, list[Turn]]] = []
    for words, one in sorted(said.items()):
        if one.is_of_tasks and STRONG.isdisjoint(words.split()):
            continue  # two tasks may speak of the same things
        if one.is_wide:
            wide.append((words, [turn for _, turns in sorted(one.turns.items()) for turn in turns]))
            continue
        for repo, turns in sorted(one.turns.items()):
            if len({turn.root for turn in turns}) >= LEAST_HERE:
                by = one.recurring[repo].by if repo in one.recurring else "wide"
                here.append((words, repo, by, repo in one.recurring, turns))
    wide.sort(key=lambda group: (-len({turn.root for turn in group[1]}), group[0]))
    groups_of: dict[Turn, set[int]] = {}
    for number, (words, turns) in enumerate(wide):
        if not _is_told(turns, groups_of):
            for turn in turns:
                groups_of.setdefault(turn, set()).add(number)
            yield Saying(_signal(turns), "", words.split(), turns)
    # An order that nothing here holds may still be of turns that say something else again.
    here.sort(key=lambda group: (not group[3], -len({turn.root for turn in group[4]}), group[:2]))
    for number, (words, repo, by, _, turns) in enumerate(here, len(wide)):
        if not _is_told(turns, groups_of):
            for turn in turns:
                groups_of.setdefault(turn, set()).add(number)
            yield Saying(_signal(turns), _PLACES[by].format(repo), words.split(), turns)


# What tells ids of the same words apart; an order that may be meant anywhere has the same there.
_PLACES = {
    **{"order": "{}", "wide": "", "word": "{}", "pair": "{}"},
    **{"rejected": "{} corrected", "complied": "{} complied", "reworked": "{} reworked"},
}


def _by_words(speeches: Mapping[str, Speech], taken: set[tuple[int, int]]) -> dict[str, _Said]:
    """What is asked for in any repository, by its words; most orders are given once."""
    said: dict[str, _Said] = {}
    often: dict[str, int] = {}
    for speech in speeches.values():
        for some in (speech.asked, speech.offered):
            for one in some:
                often[one.words] = often.get(one.words, 0) + len(one.turns)
    for repo, speech in sorted(speeches.items()):
        for is_recurring, wishes in ((True, speech.asked), (False, speech.offered)):
            for asked in wishes:
                if often[asked.words] < LEAST_HERE:
                    continue
                turns = [speech.turns[at] for at in asked.turns]
                free = [turn for turn in turns if (turn.session, turn.fingerprint) not in taken]
                if is_recurring and len({turn.root for turn in free}) < LEAST_HERE:
                    continue
                if free:
                    known = said.setdefault(asked.words, _Said())
                    known.add(repo, free)
                    if is_recurring:
                        known.recurring.setdefault(repo, asked)
    return said


def _drop_words_of_others(said: dict[str, _Said], speeches: Mapping[str, Speech]) -> None:
    """A single thing is no wish where people of another repository name it, too."""
    single = [
        words for words, one in said.items() if {by.by for by in one.recurring.values()} == {"word"}
    ]
    numbers = {word_number(words) for words in single}
    repos: Counter[int] = Counter()
    for speech in speeches.values():
        repos.update(numbers.intersection(memoryview(speech.vocabulary).cast("I")))
    for words in single:
        if repos[word_number(words)] > 1:
            del said[words]


def _is_told(turns: Sequence[Turn], groups_of: dict[Turn, set[int]]) -> bool:
    """Whether one other group has the same turns of two conversations."""
    shared: dict[int, set[str]] = {}
    for turn in turns:
        for number in groups_of.get(turn, ()):
            shared.setdefault(number, set()).add(turn.root)
    return any(len(roots) >= LEAST_HERE for roots in shared.values())


def _signal(turns: Sequence[Turn]) -> SignalName:
    """What half of the conversations say it is; a correction before a wish."""
    roots = {turn.root for turn in turns}
    marked = {turn.root for turn in turns if turn.kind in OBJECTIONS}
    marked -= {turn.root for turn in turns if turn.kind not in OBJECTIONS}
    if all(turn.kind == "first" for turn in turns):
        return "workflow"
    return "user_correction" if 2 * len(marked) >= len(roots) else "instruction"
