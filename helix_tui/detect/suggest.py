"""Suggest candidates that belong together though their keys differ; only a person merges them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from helix_tui.schema.candidate import Candidate

# The share of common words from which on a person may call two the same.
_ALIKE = 0.5
_LEAST_WORDS = 2
# Every pair of a group is compared, so only the top of a long list is considered.
_MOST = 400
_WORD = re.compile(r"(?<![<\w])[A-Za-z_][\w.-]{2,}")


def suggestions(candidates: Sequence[Candidate]) -> dict[str, list[str]]:
    """Return by id the candidates that look like it, of the same kind and sort of signal."""
    groups: dict[tuple[str, bool], list[Candidate]] = {}
    for candidate in candidates[:_MOST]:
        is_correction = candidate.signal == "user_correction"
        if not (candidate.error_class or candidate.templates or is_correction):
            continue  # grouped by a program: with another program it is another thing
        groups.setdefault((candidate.kind, is_correction), []).append(candidate)
    alike: dict[str, list[str]] = {}
    for group in groups.values():
        words = {candidate.id: _words(candidate) for candidate in group}
        for first, second in combinations(group, 2):
            if _are_alike(first, second, words[first.id], words[second.id]):
                alike.setdefault(first.id, []).append(second.id)
                alike.setdefault(second.id, []).append(first.id)
    for one, other in _of_one_command(candidates[:_MOST]):
        alike.setdefault(one, []).append(other)
        alike.setdefault(other, []).append(one)
    return {candidate_id: sorted(set(ids)) for candidate_id, ids in alike.items()}


def _of_one_command(candidates: Sequence[Candidate]) -> Iterator[tuple[str, str]]:
    """Yield the failures of one repository that one command is the answer to, or that share it.

    A check that is red, and what fails otherwise when the same check is run, are one thing to look
    at; so is what the same step overcame.
    """
    of_place = [one for one in candidates if one.scope == "repo" and one.sort == "error"]
    for first, second in combinations(of_place, 2):
        repos = {member.repo for member in (*first.members.values(), *second.members.values())}
        if len(repos) == 1 and (_shares_check(first, second) or _is_of_one_step(first, second)):
            yield first.id, second.id


def _shares_check(first: Candidate, second: Candidate) -> bool:
    return any(
        one.check and one.shape and one.shape in (other.shape, *other.actions)
        for one, other in ((first, second), (second, first))
    )


def _is_of_one_step(first: Candidate, second: Candidate) -> bool:
    steps = [one.cure.ran for one in (first, second) if one.cure is not None and one.cure.ran]
    return len(steps) > 1 and len(set(steps)) == 1


def _are_alike(
    first: Candidate, second: Candidate, first_words: frozenset[str], second_words: frozenset[str]
) -> bool:
    if first.error_class and second.error_class:
        # Both are known failures: they are alike only if they are about the same subject.
        return bool(first.subject) and first.subject == second.subject
    if min(len(first_words), len(second_words)) < _LEAST_WORDS:
        return False
    return len(first_words & second_words) >= _ALIKE * len(first_words | second_words)


def _words(candidate: Candidate) -> frozenset[str]:
    """Return the words of a candidate: of its templates, or of its title without the tool."""
    text = " ".join(candidate.templates) or candidate.title.partition(": ")[2] or candidate.title
    return frozenset(word.lower() for word in _WORD.findall(text))
