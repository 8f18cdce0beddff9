"""Makes of a pattern, or of a line that a person wrote, what can be judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from helix_tui.engine.effect.opportunities import Counted, Opportunities
from helix_tui.engine.effect.sessions import Place, Sessions, earliest, latest
from helix_tui.measure.control import Count
from helix_tui.measure.groups import group_of
from helix_tui.measure.tally import AROUND, Tallied, changed_usual
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.context import Exposure
from helix_tui.schema.effect import (
    Case,
    EffectMoment,
    ExposureCounts,
    Origin,
    Peer,
    SessionPart,
    Week,
)


class Since(NamedTuple):
    """When a rule came in at a place: any words of it, those of today, and when it was in."""

    first: int
    today: int
    spans: tuple[tuple[int, int | None], ...]


class Saw(NamedTuple):
    """Sets of conversations by what is known of their having seen a rule; the rest did not."""

    observed: int = 0
    observed_not: int = 0
    assumed: int = 0
    unknown: int = 0

    @property
    def seen(self) -> int:
        """Those that saw it, as far as can be told."""
        return self.observed | self.assumed


class Subject(NamedTuple):
    """What is to be measured: the rule, what counts as happening, when it came in and who saw it.

    `repos` is where it is taught, None for all of a person's work. `since_at` says when it came in
    at a place, None where it never did; `saw` parts a set of conversations by what they saw, and
    `proof` says of one how that is known.
    """

    id: str
    version: str
    title: str
    rule: str
    rung: str
    candidate: Candidate
    repos: tuple[str, ...] | None
    how: Origin
    since: int
    since_at: Callable[[Place], Since | None]
    saw: Callable[[int], Saw]
    proof: Callable[[int], Exposure]
    moments: list[EffectMoment]
    has_files: bool = False
    # The sessions in which its guard answered.
    fired: frozenset[str] = frozenset()


class Built(NamedTuple):
    """A case with the sets of conversations behind it, of all that could.

    `beside` are those of earlier words and of times without the rule.
    """

    subject: Subject
    case: Case
    counted: Counted
    saw: Saw
    parts: dict[SessionPart, int]
    beside: int
    tallied: Tallied
    # Those since it came in there, without what is beside.
    later: int


def build(
    subject: Subject,
    sessions: Sessions,
    opportunities: Opportunities,
    peers: Sequence[Peer],
    picked: int,
) -> Built:
    """The case of a subject with every conversation in which it could have happened."""
    counted = opportunities.of(subject.candidate, subject.repos)
    # Who was stopped by a guard had tried.
    fired = sessions.of_sessions(subject.fired) & counted.domain
    counted = counted._replace(could=counted.could | fired, did=counted.did | fired)
    case = Case(
        id=subject.id,
        version=subject.version,
        since=subject.since,
        how=subject.how,
        sessions=(),
        peers=peers,
        picked=picked,
    )
    return parted(subject, case, counted, sessions)


def parted(subject: Subject, case: Case, counted: Counted, sessions: Sessions) -> Built:
    """Who came to see the rule and who never did, before and after it came in there."""
    saw = subject.saw(counted.domain)
    here = {
        place: numbers & counted.domain
        for place, numbers in sessions.places.items()
        if numbers & counted.domain
    }
    has_one = len({place.repo for place in here}) < 2
    later = beside = 0
    for place, numbers in here.items():
        since = subject.since_at(place)
        if since is None:
            later |= numbers & ~sessions.before(subject.since)
            continue
        after = numbers & ~sessions.before(since.today)
        inside = 0
        for start, end in since.spans:
            span = ~sessions.before(start) & (-1 if end is None else sessions.before(end))
            inside |= numbers & span
        earlier_words = numbers & sessions.before(since.today) & ~sessions.before(since.first)
        # A log that shows the rule shows that it was in, whatever the ledger says.
        beside |= earlier_words | (after & ~inside & ~saw.observed)
        later |= after
    later &= ~beside
    earlier = counted.domain & ~later & ~beside
    sides = _sides(here, counted.could, later, saw)
    could, of_rule = counted.could, sides.of_rule
    parts: dict[SessionPart, int] = {
        "before": could & earlier & ~saw.seen & of_rule,
        "after": could & later & saw.seen,
        "control_before": could & earlier & ~saw.seen & sides.others,
        "control_after": could & later & sides.others,
    }
    counted_later = could & later & (sides.reached | sides.unsure)
    tallied = Tallied(
        before=sessions.outcomes(parts["before"], counted.did),
        after=sessions.outcomes(parts["after"], counted.did),
        times=sessions.times_of(parts["after"]),
        sessions=(later & saw.seen).bit_count(),
        control_before=_count(parts["control_before"], counted.did),
        control_after=_count(parts["control_after"], counted.did),
        control_groups=sorted(
            group_of(*place, has_one_repo=has_one)
            for place, numbers in here.items()
            if numbers & parts["control_after"]
        ),
        exposure=ExposureCounts(
            (counted_later & saw.observed).bit_count(),
            (counted_later & saw.assumed).bit_count(),
            (counted_later & saw.unknown).bit_count(),
            (counted_later & ~saw.seen & ~saw.unknown).bit_count(),
        ),
        weeks=_weeks(sessions, parts["before"] | parts["after"], counted.did),
        models=_changed(sessions.models, parts["before"], parts["after"]),
        agent_versions=_changed_versions(sessions, parts["before"], parts["after"]),
    )
    return Built(subject, case, counted, saw, parts, could & beside, tallied, later)


class _Sides(NamedTuple):
    """Conversations of groups that came to see a rule, of unsure ones, and of those that never did.

    Where nobody saw it everybody's rate before is worth showing, and there is nothing to control.
    """

    reached: int
    unsure: int
    others: int
    of_rule: int


def _sides(here: dict[Place, int], could: int, later: int, saw: Saw) -> _Sides:
    reached = unsure = others = everybody = 0
    for numbers in here.values():
        active = numbers & could & later
        everybody |= numbers
        if active & saw.seen:
            reached |= numbers
        elif active & saw.unknown:
            # Where it is unknown whether a group saw it, the group is neither.
            unsure |= numbers
        elif active:
            others |= numbers
    return _Sides(reached, unsure, others, reached or everybody)


def _count(numbers: int, did: int) -> Count:
    return Count((numbers & did).bit_count(), numbers.bit_count())


def _weeks(sessions: Sessions, numbers: int, did: int) -> list[Week]:
    rows = ((week, _count(numbers & some, did)) for week, some in sorted(sessions.weeks.items()))
    return [Week(week, *counted) for week, counted in rows if counted.of]


def _changed(
    names: Mapping[tuple[str, str], int], before: int, after: int
) -> list[tuple[str, str, str]]:
    """Agents of whose conversations most have another name after than before."""
    earlier: dict[str, Counter[str]] = {}
    later: dict[str, Counter[str]] = {}
    for (agent, name), numbers in names.items():
        earlier.setdefault(agent, Counter())[name] = (numbers & before).bit_count()
        later.setdefault(agent, Counter())[name] = (numbers & after).bit_count()
    return [
        change
        for agent in sorted(later)
        for change in changed_usual(agent, earlier[agent], later[agent])
    ]


def _changed_versions(sessions: Sessions, before: int, after: int) -> list[tuple[str, str, str]]:
    """Agents whose version was another one around the moment, by the conversations next to it."""
    own: dict[str, int] = {}
    for (agent, _), numbers in sessions.agent_versions.items():
        own[agent] = own.get(agent, 0) | numbers
    near_before = near_after = 0
    for numbers in own.values():
        near_before |= latest(numbers & before, AROUND)
        near_after |= earliest(numbers & after, AROUND)
    return _changed(sessions.agent_versions, near_before, near_after)
