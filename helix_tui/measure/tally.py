"""What the sessions of a case come to: who saw the rule and who never did, before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from helix_tui.measure.control import Count
from helix_tui.measure.groups import agent_of
from helix_tui.measure.weeks import monday_of
from helix_tui.schema.effect import Case, ExposureCounts, Watched, Week

# So many sessions on either side of the moment say which version was in use then.
AROUND = 10
_SEEN = ("observed_yes", "assumed_yes")


class Tallied(NamedTuple):
    """What a verdict needs of the sessions, in order of time.

    `before` and `after` say of each session that could whether it did, `times` when each of those
    after began; `sessions` are all that saw it, whether they could or not. `models` are agents that
    mostly worked with another model before: their names, that model, and that of since. So are
    `agent_versions`, of the sessions next to the moment alone: agents are renewed all the time.
    """

    before: Sequence[int]
    after: Sequence[int]
    times: Sequence[int]
    sessions: int
    control_before: Count
    control_after: Count
    control_groups: list[str]
    exposure: ExposureCounts
    weeks: list[Week]
    models: Sequence[tuple[str, str, str]] = ()
    agent_versions: Sequence[tuple[str, str, str]] = ()


class Parts(NamedTuple):
    """The sessions of a case: of those who came to see the rule, and of those who never did.

    `after` are later sessions that saw it, `later` all later ones of the same groups.
    """

    before: list[Watched]
    after: list[Watched]
    later: list[Watched]
    control_before: list[Watched]
    control_after: list[Watched]


def tally(case: Case) -> Tallied:
    """Count the sessions of a case."""
    parts = part(case)
    could = [session for session in parts.after if session.could]
    return Tallied(
        before=[session.did for session in parts.before if session.could],
        after=[session.did for session in could],
        times=[session.ts for session in could],
        sessions=len(parts.after),
        control_before=_count(parts.control_before),
        control_after=_count(parts.control_after),
        control_groups=sorted({session.group for session in parts.control_after if session.could}),
        exposure=_exposure(parts.later),
        weeks=_weeks([*parts.before, *parts.after]),
        models=_changed((_could(parts.before), could), lambda one: one.model),
        agent_versions=_changed(_around(parts), lambda one: one.agent_version),
    )


def part(case: Case) -> Parts:
    """Who came to see the rule and who never did, before and after it came in."""
    ordered = sorted(case.sessions, key=lambda session: session.ts)
    later = [session for session in ordered if _is_later(session, case.since)]
    # A session that began earlier and saw it all the same, as when it was resumed, is neither.
    earlier = [
        session
        for session in ordered
        if not _is_later(session, case.since) and session.exposure not in _SEEN
    ]
    reached = {session.group for session in later if session.exposure in _SEEN}
    # Where it is unknown whether a group saw it, the group is neither.
    unsure = {session.group for session in later if session.exposure == "unknown"}
    active = {session.group for session in later}
    others = active - reached - unsure
    # Nobody saw it: then everybody's rate before is worth showing, and there is nothing to control.
    of_rule = reached or active | {session.group for session in earlier}
    return Parts(
        before=[session for session in earlier if session.group in of_rule],
        after=[session for session in later if session.exposure in _SEEN],
        later=[session for session in later if session.group in reached | unsure],
        control_before=[session for session in earlier if session.group in others],
        control_after=[session for session in later if session.group in others],
    )


def _is_later(session: Watched, since: int) -> bool:
    return session.ts >= since if session.is_later is None else session.is_later


def _changed(
    sides: tuple[Sequence[Watched], Sequence[Watched]], name_of: Callable[[Watched], str]
) -> list[tuple[str, str, str]]:
    """Agents of whose sessions most have another name after than before."""
    changed = []
    before, after = sides
    for agent in sorted({agent_of(session.group) for session in after if name_of(session)}):
        names = (
            Counter(name_of(one) for one in some if agent_of(one.group) == agent and name_of(one))
            for some in (before, after)
        )
        changed += changed_usual(agent, *names)
    return changed


def _could(sessions: Sequence[Watched]) -> list[Watched]:
    return [one for one in sessions if one.could]


def _around(parts: Parts) -> tuple[list[Watched], list[Watched]]:
    """Of each agent the sessions next to the moment, on either side."""
    before: list[Watched] = []
    after: list[Watched] = []
    for agent in {agent_of(session.group) for session in parts.after}:
        earlier, later = (
            [one for one in some if one.could and one.agent_version]
            for some in (parts.before, parts.after)
        )
        before += [one for one in earlier if agent_of(one.group) == agent][-AROUND:]
        after += [one for one in later if agent_of(one.group) == agent][:AROUND]
    return before, after


def changed_usual(
    agent: str, before: Counter[str], after: Counter[str]
) -> list[tuple[str, str, str]]:
    """An agent with what more than half of its sessions have, where that is not the same."""
    usual = [_usual(before), _usual(after)]
    return [(agent, usual[0], usual[1])] if all(usual) and usual[0] != usual[1] else []


def _usual(names: Counter[str]) -> str:
    name, number = max(names.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return name if 2 * number > names.total() else ""


def _count(sessions: Sequence[Watched]) -> Count:
    """Sessions in which it happened, of those in which it could."""
    could = [session for session in sessions if session.could]
    return Count(sum(session.did for session in could), len(could))


def _exposure(later: Sequence[Watched]) -> ExposureCounts:
    states = Counter(session.exposure for session in later if session.could)
    unseen = states["observed_no"] + states["assumed_no"]
    return ExposureCounts(states["observed_yes"], states["assumed_yes"], states["unknown"], unseen)


def _weeks(sessions: Sequence[Watched]) -> list[Week]:
    could, did = Counter[str](), Counter[str]()
    for session in sessions:
        if session.could:
            monday = monday_of(session.ts)
            could[monday] += 1
            did[monday] += session.did
    return [Week(week, did[week], could[week]) for week in sorted(could)]
