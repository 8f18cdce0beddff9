"""Several candidates as one, where a person said that they are the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

import msgspec

from helix_tui.schema.candidate import Candidate, Member

_MOST_EVIDENCE = 20


def combine(candidates: Sequence[Candidate]) -> Candidate:
    """The first of them with the evidence of all, in whatever order the others come.

    What overcame a problem is no further occurrence of it: that only lends its name.
    """
    first, *others = candidates
    if not others:
        return first
    others.sort(key=lambda one: one.id)
    known = [first, *others]
    every = [one for one in known if one.kind == first.kind]
    signals: dict[str, int] = {}
    for one in every:
        for name, sessions in one.signals.items():
            signals[name] = max(signals.get(name, 0), sessions)
    # From each in turn, so that none of them is left out.
    rounds = zip_longest(*(one.evidence for one in every))
    cited = [found for found in chain.from_iterable(rounds) if found is not None]
    return msgspec.structs.replace(
        first,
        signals=dict(sorted(signals.items())),
        members=_members(every),
        evidence=cited[:_MOST_EVIDENCE],
        templates=list(dict.fromkeys(chain.from_iterable(one.templates for one in every))),
        aliases=sorted(
            {*chain.from_iterable((one.id, *one.aliases) for one in known)} - {first.id}
        ),
    )


def _members(candidates: Sequence[Candidate]) -> dict[str, Member]:
    """The sessions of all, each once, with what happened in it taken together."""
    by_session: dict[str, list[Member]] = {}
    for one in candidates:
        for session, member in one.members.items():
            by_session.setdefault(session, []).append(member)
    return {session: _sum(by_session[session]) for session in sorted(by_session)}


def _sum(members: Sequence[Member]) -> Member:
    if len(members) == 1:
        return members[0]
    begun = [one.first_ts for one in members if one.first_ts is not None]
    ended = [one.last_ts for one in members if one.last_ts is not None]
    return Member(
        members[0].flavor,
        members[0].repo,
        sum(one.count for one in members),
        min(begun, default=None),
        max(ended, default=None),
        sum(one.chars for one in members),
        sum(one.ms for one in members),
    )
