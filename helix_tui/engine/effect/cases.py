"""Makes of a pattern, or of a line that a person wrote, what can be judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from helix_tui.engine.effect.opportunities import Counted, Opportunities
from helix_tui.engine.effect.sessions import Place, Sessions, members
from helix_tui.measure.groups import group_of
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.context import Exposure
from helix_tui.schema.effect import Case, EffectMoment, Origin, Peer, Watched

_SEEN = ("observed_yes", "assumed_yes")


class Since(NamedTuple):
    """When a rule came in somewhere: any words of it, and those of today."""

    first: int
    today: int


class Subject(NamedTuple):
    """What is to be measured: the rule, what counts as happening, when it came in and who saw it.

    `repos` is where it is taught, None for all of a person's work. `since_at` says when it came in
    at a place, None where it never did; `is_in` whether it was in at a time.
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
    is_in: Callable[[Place, int], bool]
    saw: Callable[[int], Exposure]
    moments: list[EffectMoment]
    has_files: bool = False


class Row(NamedTuple):
    """A conversation that could: its number, how it is judged, and why its exposure is known."""

    number: int
    watched: Watched
    proof: str


class Built(NamedTuple):
    """A case with the conversations behind it, and those of earlier words or of times without."""

    subject: Subject
    case: Case
    rows: list[Row]
    beside: list[Row]
    counted: Counted


def build(
    subject: Subject,
    sessions: Sessions,
    opportunities: Opportunities,
    peers: Sequence[Peer],
    picked: int,
) -> Built:
    """The case of a subject with every conversation in which it could have happened."""
    counted = opportunities.of(subject.candidate, subject.repos)
    repos = {place.repo for place, some in sessions.places.items() if some & counted.domain}
    has_one = len(repos) < 2
    rows: list[Row] = []
    beside: list[Row] = []
    since_by: dict[str, int] = {}
    times: dict[Place, Since | None] = {}
    groups: dict[Place, str] = {}
    did, models = counted.did, sessions.models
    for at in members(counted.could):
        one = sessions.all[at]
        place = Place(one.agent, one.repo)
        if place not in groups:
            groups[place] = group_of(*place, has_one_repo=has_one)
            times[place] = subject.since_at(place)
            if (since := times[place]) is not None:
                since_by[groups[place]] = since.today
        state, proof = subject.saw(at)
        model = next((models[key] for key in one.keys if key in models), "")
        is_did = bool(did >> at & 1)
        row = Row(at, Watched(one.at, groups[place], state, True, is_did, model), proof)
        since = times[place]
        is_earlier_words = since is not None and since.first <= one.at < since.today
        is_out = since is not None and one.at >= since.today and not subject.is_in(place, one.at)
        # An agent that shows the rule had it, whatever else is known.
        if ((is_earlier_words or is_out) and state != "observed_yes") or is_earlier_words:
            beside.append(row)
        else:
            rows.append(row)
    case = Case(
        id=subject.id,
        version=subject.version,
        since=subject.since,
        how=subject.how,
        sessions=[row.watched for row in rows],
        since_by=since_by,
        idle=_idle(subject, sessions, counted),
        peers=peers,
        picked=picked,
    )
    return Built(subject, case, rows, beside, counted)


def _idle(subject: Subject, sessions: Sessions, counted: Counted) -> int:
    """Later conversations that saw it and could not."""
    found = 0
    for at in members(counted.domain & ~counted.could):
        one = sessions.all[at]
        since = subject.since_at(Place(one.agent, one.repo))
        later = since.today if since is not None else subject.since
        found += one.at >= later and subject.saw(at).state in _SEEN
    return found
