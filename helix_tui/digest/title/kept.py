"""Which of the names that work was kept by stands for a session: that of most of the work.

A name stands for what was spent up to it since the one before. Names of one matter share a word,
as the commits of one feature do, and count together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from helix_tui.digest.title.telling import telling_words
from helix_tui.schema import TurnFact, WorkName
from helix_tui.text.lazy import lazy

# So many commits of as many matters have none that stands for all of them.
_MANY = 4
_LEAST_SHARE = 0.3
# A name stands for no more turns than these, unless it is the first.
_MOST_TURNS = 8
# What kind of change a commit is, and what most work is kept with, say nothing of its matter.
_KIND = lazy(r"^[a-z]{2,12}(?:\([^()\n]{1,40}\))?!?: ")
_KINDS = frozenset(("ci", "doc", "readm", "changelog", "test", "build", "support"))


def name_of_most(names: Sequence[WorkName], turns: Sequence[TurnFact]) -> WorkName | None:
    """The name of the highest rank that most of the work belongs to; none of too many matters."""
    highest = max((name.rank for name in names), default=0)
    of_rank = [name for name in names if name.rank == highest]
    if len(of_rank) < 2:
        return next(iter(of_rank), None)
    spent = _spent(of_rank, turns)
    words = [_words_of_matter(name.text) for name in of_rank]
    of_word: dict[str, float] = {}
    for one, own in zip(spent, words, strict=True):
        for word in own:
            of_word[word] = of_word.get(word, 0.0) + one
    if not of_word:
        return of_rank[0]
    most = max(of_word.values())
    if len(of_rank) >= _MANY and most < _LEAST_SHARE * sum(spent):
        return None
    return next(
        name
        for name, own in zip(of_rank, words, strict=True)
        if any(of_word[word] == most for word in own)
    )


def _words_of_matter(subject: str) -> set[str]:
    return set(telling_words(_KIND.sub("", subject))) - _KINDS


def _spent(names: Sequence[WorkName], turns: Sequence[TurnFact]) -> list[float]:
    """What was spent for each, as far as turns tell; names of one turn share it."""
    spent: list[float] = []
    before = 0
    for prompts, group in groupby(names, key=lambda name: name.prompts):
        count = len(list(group))
        since = before if before < prompts else prompts - 1
        if before:  # of long sessions the names in the middle are not kept
            since = max(since, prompts - _MOST_TURNS)
        took = sum(turn.took for turn in turns[max(since, 0) : prompts])
        spent += [max(took, 1) / count] * count
        before = prompts
    return spent
