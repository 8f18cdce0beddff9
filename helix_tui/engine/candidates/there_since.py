"""Which programs that were missing are there by now: a later conversation ran them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from helix_tui.schema.candidate import Candidate
from helix_tui.store.database import Database
from helix_tui.store.detection.team_list import is_team_list
from helix_tui.store.detection.triggers import RanIn, sessions_by_trigger
from helix_tui.text.triggers import run

MISSING = "command_not_found"
_THERE = "a later conversation ran it, so it is there by now"


def with_what_is_there(database: Database, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same candidates; a missing program that was run since is in the tier `rest`, saying so.

    That follows from sessions in which nothing failed, and so is never stored with a candidate.
    """
    wanted = {run(one.subject) for one in candidates if _is_open(one)}
    if not wanted or is_team_list(database.connection()):
        return list(candidates)
    ran = sessions_by_trigger(database.connection(), wanted)
    return [
        replace(one, tier="rest", tier_reason=_THERE)
        if _is_open(one) and _was_run_since(one, ran[run(one.subject)])
        else one
        for one in candidates
    ]


def _is_open(candidate: Candidate) -> bool:
    is_missing = candidate.error_class == MISSING and bool(candidate.subject)
    return is_missing and candidate.tier in ("fix", "know")


def _was_run_since(candidate: Candidate, ran: Iterable[RanIn]) -> bool:
    """Whether each agent that missed a program ran it behind the last time that it did.

    Another agent may run in another sandbox, and what one repository lacks another may bring along.
    """
    members = candidate.members
    repos = {member.repo for member in members.values()}
    since: dict[str, int] = {}
    for one in ran:
        if one.root not in members and (len(repos) > 1 or one.repo in repos):
            since[one.flavor] = max(one.first_ts, since.get(one.flavor, 0))
    return all(since.get(flavor, 0) > last > 0 for flavor, last in _last_by_flavor(candidate))


def _last_by_flavor(candidate: Candidate) -> Iterable[tuple[str, int]]:
    last: dict[str, int] = {}
    for member in candidate.members.values():
        last[member.flavor] = max(last.get(member.flavor, 0), member.last_ts or 0)
    return last.items()
