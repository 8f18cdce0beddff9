"""Which of the names that work was kept by stands for a session: that of most of the work.

A name stands for what was spent up to it since the one before. Names of one matter share a word,
as the commits of one feature do, and count together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from helix_tui.digest.title.named import BY_AGENT, BY_COMMIT
from helix_tui.digest.title.telling import telling_words
from helix_tui.schema import TurnFact, WorkName
from helix_tui.text.lazy import lazy

# So many commits of as many matters have none that stands for all of them.
_MANY = 4
_SEVERAL = 2
_LEAST_SHARE = 0.3
# A name stands for no more turns than these, unless it is the first.
_MOST_TURNS = 8
# What kind of change a commit is, and what most work is kept with, say nothing of its matter.
_KIND = lazy(r"^[a-z]{2,12}(?:\([^()\n]{1,40}\))?!?: ")
# What a commit says it belongs to.
_NUMBER = lazy(r"(?<=\()#\d{1,6}(?=\))")
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


def number_of_all(names: Sequence[WorkName]) -> str:
    """The issue or pull request that several names all bear, as `#12`; else nothing."""
    numbers = [_NUMBER.findall(name.text) for name in names]
    if len(numbers) < _SEVERAL or not all(numbers):
        return ""
    shared = set.intersection(*map(set, numbers))
    return max(shared, default="")


def handed_to_several(names: Sequence[WorkName]) -> WorkName | None:
    """The first of several tasks of one matter for sub-agents, where a single commit is of another.

    A commit on the way says less of such a session than what its sub-agents were for.
    """
    tasks = [name for name in names if name.rank == BY_AGENT]
    kept = [name for name in names if name.rank > BY_AGENT]
    if len(tasks) < _SEVERAL or len(kept) != 1 or kept[0].rank != BY_COMMIT:
        return None
    shared = set.intersection(*(_words_of_matter(name.text) for name in tasks))
    return tasks[0] if shared and not shared & _words_of_matter(kept[0].text) else None


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
