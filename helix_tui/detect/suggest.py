"""Which candidates look alike though their keys differ: for a person to merge, never done here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from helix_tui.schema.candidate import Candidate

# Two share so much of their words that a person may call them the same.
_ALIKE = 0.5
_LEAST_WORDS = 2
# Each is held against each other only within a group, and a longer list is looked at from its top.
_MOST = 400
_WORD = re.compile(r"(?<![<\w])[A-Za-z_][\w.-]{2,}")


def suggestions(candidates: Sequence[Candidate]) -> dict[str, list[str]]:
    """By id those that look like it, of the same kind and told by the same sort of signal."""
    groups: dict[tuple[str, bool], list[Candidate]] = {}
    for one in candidates[:_MOST]:
        if not (one.error_class or one.templates or one.signal == "user_correction"):
            continue  # what is grouped by a program is not the same with another one
        groups.setdefault((one.kind, one.signal == "user_correction"), []).append(one)
    found: dict[str, list[str]] = {}
    for group in groups.values():
        words = {one.id: _words(one) for one in group}
        for one, two in combinations(group, 2):
            if _are_alike(one, two, words[one.id], words[two.id]):
                found.setdefault(one.id, []).append(two.id)
                found.setdefault(two.id, []).append(one.id)
    return {name: sorted(others) for name, others in found.items()}


def _are_alike(one: Candidate, two: Candidate, mine: frozenset[str], yours: frozenset[str]) -> bool:
    if one.error_class and two.error_class:
        # Both are known failures: only the same thing in another class may be meant.
        return bool(one.subject) and one.subject == two.subject
    if min(len(mine), len(yours)) < _LEAST_WORDS:
        return False
    return len(mine & yours) >= _ALIKE * len(mine | yours)


def _words(one: Candidate) -> frozenset[str]:
    """What a candidate says, but for the kind of tool: its templates, else its title."""
    said = " ".join(one.templates) or one.title.partition(": ")[2] or one.title
    return frozenset(word.lower() for word in _WORD.findall(said))
