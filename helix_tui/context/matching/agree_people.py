"""Whether a line says to people something else than they said themselves."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from helix_tui.context.matching import cues
from helix_tui.context.matching.asks import is_denied
from helix_tui.context.matching.telling import ACTIONS, likeness, shared, telling
from helix_tui.context.matching.tokens import tokens_of
from helix_tui.text.clauses import stem_of

_FAMILIES = Path(__file__).parent / "families.txt"
# How many words behind one that forbids are looked at, and how much two texts have to share.
_NEAR_FORBIDDEN, _LEAST_SHARED = 3, 0.35


def says_other_to_people(text: str, said: str) -> bool:
    """Whether a line says to people something else than they said."""
    if not cues.DEMANDS.search(cues.HAS_NO.sub("", text)) or cues.CAN.search(text):
        return True
    if _excludes(text, said) or _is_denied_by_one(text, said):
        return True
    numbers, given = set(cues.DIGITS.findall(said)), set(cues.DIGITS.findall(text))
    if numbers and given and numbers.isdisjoint(given):
        return True
    return not (
        _is_same_action(text, said)
        and _is_same_action(said, text)
        and _has_what_is_forbidden(text, said)
        and shared(text, said) >= _LEAST_SHARED
    )


def _is_denied_by_one(line: str, said: str) -> bool:
    """Whether one of both forbids or complains of what the other asks for."""
    complained = {
        token
        for match in cues.COMPLAINS.finditer(said)
        for token in telling(cues.CLAUSE.split(said[match.start() :])[0])
    }
    if complained and not any(is_denied(line, token) for token in complained):
        return True
    both = _members(line), _members(said)
    alike = {
        family for family in both[0].keys() & both[1].keys() if both[0][family] == both[1][family]
    }
    table = _family_table()
    return any(
        (token in complained or is_denied(said, token)) != is_denied(line, token)
        for token in set(telling(said)) & set(telling(line))
        if not any(family in alike for family, _ in table.get(token, ()))
    )


def _is_same_action(line: str, said: str) -> bool:
    """Whether a line has what people say to do first, where that is an action of its own."""
    spoken = telling(said)[:1]
    return not spoken or spoken[0] not in ACTIONS or likeness(spoken[0], tokens_of(line)) > 0


def _has_what_is_forbidden(line: str, said: str) -> bool:
    """Whether a line has something of what people say not to do, right behind where they say it."""
    tokens = tokens_of(line)
    for match in cues.FORBIDS.finditer(said):
        spoken = telling(cues.CLAUSE.split(said[match.end() :])[0])[:_NEAR_FORBIDDEN]
        if spoken and not any(likeness(token, tokens) for token in spoken):
            return False
    return True


def _excludes(line: str, said: str) -> bool:
    """Whether people said one of a family, of which a line has another, or none."""
    ours, theirs = _members(line), _members(said)
    return any(
        ours[family] - members and members - ours[family]
        if family in ours
        else family not in _weak()
        for family, members in theirs.items()
    )


def _members(text: str) -> dict[int, set[int]]:
    members: dict[int, set[int]] = {}
    table = _family_table()
    for token in {*tokens_of(text), *re.findall(r"[\w-]+", text.casefold())}:
        for family, member in table.get(token, ()):
            members.setdefault(family, set()).add(member)
    return members


@cache
def _families() -> list[str]:
    lines = _FAMILIES.read_text("utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


@cache
def _weak() -> frozenset[int]:
    """The families of which a line need not have any."""
    return frozenset(number for number, line in enumerate(_families()) if line[0] == "~")


@cache
def _family_table() -> dict[str, list[tuple[int, int]]]:
    table: dict[str, list[tuple[int, int]]] = {}
    for family, line in enumerate(_families()):
        for member, names in enumerate(line.lstrip("~ ").split()):
            for name in names.split("/"):
                for word in {name, stem_of(name)}:
                    table.setdefault(word, []).append((family, member))
    return table
