"""What is over: a missing program that a later conversation ran, a script that passes now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from helix_tui.schema.candidate import Brief, Candidate
from helix_tui.store.database import Database
from helix_tui.store.detection.team_list import is_team_list
from helix_tui.store.detection.triggers import RanIn, sessions_by_trigger
from helix_tui.text.scripts import is_script
from helix_tui.text.shape import action_in
from helix_tui.text.triggers import passed, passed_again, run

MISSING = "command_not_found"
_OPEN = ("fix", "know")
_THERE = "a later conversation ran it, so it is there by now"
_PASSES = "passed unchanged since {0}"
# So often, in all later conversations, a script has to pass as it is.
_OFTEN = 2


def with_what_is_there(database: Database, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same candidates; a missing program that was run since is in the tier `rest`, saying so.

    So is what one script of a repository failed by that passed unchanged since, again and again.

    That follows from sessions in which nothing failed, and so is never stored with a candidate.
    """
    wanted = {run(one.subject) for one in candidates if _is_open(one)}
    for one in candidates:
        if script := failed_script(one):
            wanted |= {passed(script), passed_again(script)}
    if not wanted or is_team_list(database.connection()):
        return list(candidates)
    ran = sessions_by_trigger(database.connection(), wanted)
    return [_as_it_is_now(one, ran) for one in candidates]


def may_be_over(brief: Brief) -> bool:
    """Whether later conversations may say that something is over, going by its figures."""
    is_of_script = not brief.error_class and brief.kind == "problem" and len(brief.repos) == 1
    return brief.error_class == MISSING or (is_of_script and brief.tier in _OPEN)


def failed_script(candidate: Candidate) -> str:
    """The script of one repository that failed with a message of its own; nothing of others."""
    is_own = candidate.sort == "error" and not candidate.error_class and candidate.scope == "repo"
    if not is_own or candidate.check or candidate.tier not in _OPEN:
        return ""
    program = action_in(candidate.shape).partition(" ")[0]
    return program if is_script(program) else ""


def _as_it_is_now(candidate: Candidate, ran: Mapping[str, Sequence[RanIn]]) -> Candidate:
    if _is_open(candidate) and _was_run_since(candidate, ran[run(candidate.subject)]):
        return replace(candidate, tier="rest", tier_reason=_THERE)
    if not (script := failed_script(candidate)):
        return candidate
    once = _later_in(candidate, ran[passed(script)])
    again = _later_in(candidate, ran[passed_again(script)])
    if len(once) < _OFTEN and not again:
        return candidate
    since = datetime.fromtimestamp(min(once.values()) / 1000, UTC).date().isoformat()
    return replace(candidate, tier="rest", tier_reason=_PASSES.format(since))


def _later_in(candidate: Candidate, ran: Iterable[RanIn]) -> dict[str, int]:
    """The conversations of its repository that began behind the last failure, and when."""
    repos = {member.repo for member in candidate.members.values()}
    last = max((member.last_ts or 0 for member in candidate.members.values()), default=0)
    found: dict[str, int] = {}
    for one in ran:
        if one.root not in candidate.members and one.repo in repos and one.first_ts > last > 0:
            found[one.root] = min(one.first_ts, found.get(one.root, one.first_ts))
    return found


def _is_open(candidate: Candidate) -> bool:
    is_missing = candidate.error_class == MISSING and bool(candidate.subject)
    return is_missing and candidate.tier in _OPEN


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
