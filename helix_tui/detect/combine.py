"""Combine candidates that a person declared to be the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

import msgspec

from helix_tui.schema.candidate import Candidate, Member

_MOST_EVIDENCE = 20


def combine(candidates: Sequence[Candidate]) -> Candidate:
    """Combine candidates into the first, with the evidence of all; the others' order is free.

    What overcomes the first overcomes all; without that, what overcomes another of them.
    """
    first, *others = candidates
    if not others:
        return first
    others.sort(key=lambda candidate: candidate.id)
    merged = [first, *others]
    signals: dict[str, int] = {}
    for candidate in merged:
        for name, sessions in candidate.signals.items():
            signals[name] = max(signals.get(name, 0), sessions)
    # Round-robin, so that none of them is left out.
    rounds = zip_longest(*(candidate.evidence for candidate in merged))
    cited = [evidence for evidence in chain.from_iterable(rounds) if evidence is not None]
    return msgspec.structs.replace(
        first,
        signals=dict(sorted(signals.items())),
        members=_members(merged),
        evidence=cited[:_MOST_EVIDENCE],
        templates=list(
            dict.fromkeys(chain.from_iterable(candidate.templates for candidate in merged))
        ),
        aliases=sorted(
            {*chain.from_iterable((candidate.id, *candidate.aliases) for candidate in merged)}
            - {first.id}
        ),
        drawn=[],
        cure=next((candidate.cure for candidate in merged if candidate.cure is not None), None),
    )


def _members(candidates: Sequence[Candidate]) -> dict[str, Member]:
    """Merge the sessions of all, each once, with its figures summed."""
    by_session: dict[str, list[Member]] = {}
    for candidate in candidates:
        for session, member in candidate.members.items():
            by_session.setdefault(session, []).append(member)
    return {session: _sum(by_session[session]) for session in sorted(by_session)}


def _sum(members: Sequence[Member]) -> Member:
    if len(members) == 1:
        return members[0]
    begun = [member.first_ts for member in members if member.first_ts is not None]
    ended = [member.last_ts for member in members if member.last_ts is not None]
    return Member(
        members[0].flavor,
        members[0].repo,
        sum(member.count for member in members),
        min(begun, default=None),
        max(ended, default=None),
        sum(member.chars for member in members),
        sum(member.ms for member in members),
    )
