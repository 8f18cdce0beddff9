"""Sessions that are one conversation: resumptions, forks and copies of each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helix_tui.schema.candidate import Gated


def conversations(
    roots: Mapping[str, Gated], joined: Iterable[tuple[str, str]]
) -> dict[str, list[Gated]]:
    """By the id of each root session, all roots of its conversation, the earliest first.

    The same pairs in any order, once or often, give the same conversations.
    """
    leaders = {name: name for name in roots}

    def leader_of(name: str) -> str:
        while leaders[name] != name:
            leaders[name] = leaders[leaders[name]]
            name = leaders[name]
        return name

    for one, two in joined:
        if one in leaders and two in leaders:
            first, second = sorted((leader_of(one), leader_of(two)))
            leaders[second] = first
    members: dict[str, list[Gated]] = {}
    for name, root in roots.items():
        members.setdefault(leader_of(name), []).append(root)
    for found in members.values():
        found.sort(key=_began)
    return {name: members[leader_of(name)] for name in roots}


def _began(session: Gated) -> tuple[bool, int, str]:
    return session.first_ts is None, session.first_ts or 0, session.id
