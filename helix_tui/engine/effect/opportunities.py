"""In which conversations a candidate could have happened, and in which it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from helix_tui.digest.triggers import programs_of
from helix_tui.engine.effect.sessions import Sessions
from helix_tui.measure.baseline import FEWEST_PEERS, peer_of
from helix_tui.measure.opportunity import SPOKEN, Opportunity, opportunity_of
from helix_tui.schema.board import Could
from helix_tui.schema.candidate import Candidate, Sort
from helix_tui.schema.effect import Peer

_SHELL = "$ "


class Counted(NamedTuple):
    """The conversations in which something could have happened, and those of them in which it did.

    `domain` are all where it is asked for, whatever they did.
    """

    domain: int
    could: int
    did: int
    opportunity: Opportunity


class Opportunities:
    """What sessions of a store could have had."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def of(self, candidate: Candidate, repos: Collection[str] | None = ()) -> Counted:
        """Of one candidate: where it was seen and in these repositories, None for everywhere.

        What concerns all of a person's work could happen wherever they work.
        """
        sessions = self._sessions
        seen = {member.repo for member in candidate.members.values()}
        is_everywhere = repos is None or (not repos and candidate.scope != "repo")
        agents = {member.flavor for member in candidate.members.values()}
        domain = sessions.at_places(
            None if is_everywhere or repos is None else seen.union(repos),
            agents if candidate.scope == "agent" else None,
        )
        common = self._common(candidate) if candidate.sort in SPOKEN else ()
        opportunity = opportunity_of(candidate, _programs(candidate), common)
        did = sessions.named(candidate.members) & domain
        return Counted(domain, sessions.with_any(opportunity.triggers) & domain | did, did,
                       opportunity)  # fmt: skip

    def could(self, candidates: Iterable[Candidate]) -> dict[str, Could]:
        """In how many sessions each could have happened, in all and by agent."""
        could = {}
        for one in candidates:
            counted = self.of(one)
            by_agent: Counter[str] = Counter()
            for place, numbers in self._sessions.places.items():
                by_agent[place.agent] += (counted.could & numbers).bit_count()
            could[one.id] = Could(
                counted.opportunity.text, counted.could.bit_count(), dict(+by_agent)
            )
        return could

    def _common(self, candidate: Candidate) -> frozenset[str]:
        """The triggers that all of a candidate's own conversations have."""
        sessions = self._sessions
        known = (sessions.number[root] for root in candidate.members if root in sessions.number)
        own = [sessions.triggers[at] for at in known]
        return frozenset(set.intersection(*own)) if own else frozenset()

    def peers(
        self, candidates: Iterable[Candidate], taught: Mapping[str, int], sort: Sort
    ) -> list[Peer]:
        """How often candidates of one sort happened before each of them was taught."""
        return [one for _, one in self.named_peers(candidates, taught, sort)]

    def named_peers(
        self, candidates: Iterable[Candidate], taught: Mapping[str, int], sort: Sort
    ) -> list[tuple[str, Peer]]:
        """The same with their ids."""
        counted = [
            (one.id, self.of(one)) for one in candidates if one.sort == sort and one.tier != "rest"
        ]
        is_few = len(counted) < FEWEST_PEERS
        peers: list[tuple[str, Peer]] = []
        for name, (_, could, did, _) in counted:
            early = self._sessions.before(taught[name]) if name in taught else -1
            could, did = could & early, did & early
            if is_few:
                # Only these are parted into halves.
                peers.append((name, peer_of(self._sessions.outcomes(could, did))))
            elif could:
                peers.append((name, Peer(did.bit_count(), could.bit_count())))
        return [(name, one) for name, one in peers if one.could]


def _programs(candidate: Candidate) -> set[str]:
    """The programs of the action that fails, and of the one that works instead."""
    actions = [candidate.shape] if candidate.shape else []
    cure = candidate.cure
    if cure is not None and cure.works.startswith(_SHELL) and not cure.is_weakening:
        actions.append(cure.works.removeprefix(_SHELL))
    return {program for action in actions for program in programs_of(action)}
