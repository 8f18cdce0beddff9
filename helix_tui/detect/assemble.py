"""Make a candidate of its occurrences: members, evidence, and the tool that it is mostly in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from helix_tui.detect.tiers import sort_of
from helix_tui.schema.candidate import Candidate, Counted, Evidence, Member
from helix_tui.schema.signal import Signal

_MOST_EVIDENCE = 20
# How many occurrences, evenly spaced in time, are considered for citing.
_LOOKED_AT = 400


class SessionSignal(NamedTuple):
    """A signal and its session."""

    session: Counted
    signal: Signal


def age(session: Counted) -> tuple[int, int, str]:
    """Return the sort key of sessions by time."""
    return session.first_ts, session.last_ts, session.id


def assemble(
    name: str, title: str, occurrences: Sequence[SessionSignal], beside: Sequence[SessionSignal]
) -> Candidate:
    """Make a candidate; `beside` are signals on the same occurrences, counted once."""
    signal = occurrences[0].signal
    names: dict[str, set[str]] = {}
    for occurrence in (*occurrences, *beside):
        if occurrence.signal.name != "recovery":
            names.setdefault(occurrence.signal.name, set()).add(occurrence.session.root)
    return Candidate(
        name,
        "problem",
        signal.name,
        {name: len(roots) for name, roots in sorted(names.items())},
        place_of(occurrences),
        signal.error_class,
        signal.subject,
        title,
        members_of(occurrences),
        _evidence(occurrences),
        sort=sort_of(signal.name),
    )


def place_of(occurrences: Sequence[SessionSignal]) -> str:
    """Return the kind of tool in which it mostly happens."""
    places = Counter(occurrence.signal.tool_class for occurrence in occurrences)
    return min(places, key=lambda place: (-places[place], place))


def members_of(occurrences: Sequence[SessionSignal]) -> dict[str, Member]:
    """The conversations of some occurrences, with what each of them has."""
    members: dict[str, Member] = {}
    for session, signal in occurrences:
        member = members.setdefault(session.root, Member(session.flavor, session.repo))
        member.count += signal.count
        member.chars += signal.chars
        member.ms += signal.ms
        # Where an event has no time of its own, its session mostly has a day.
        member.first_ts = _either(min, member.first_ts, signal.first_ts or session.first_ts or None)
        member.last_ts = _either(max, member.last_ts, signal.last_ts or session.last_ts or None)
    return dict(sorted(members.items()))


def _either(which: Callable[[int, int], int], first: int | None, second: int | None) -> int | None:
    return (
        which(first, second)
        if first is not None and second is not None
        else (second if first is None else first)
    )


def _evidence(occurrences: Sequence[SessionSignal]) -> list[Evidence]:
    """Choose occurrences to cite, each as different from those before it as possible."""
    remaining = sorted(
        occurrences, key=lambda occurrence: (*age(occurrence.session), occurrence.signal.text)
    )
    remaining = remaining[:: 1 + len(remaining) // _LOOKED_AT]
    traits = [_traits(occurrence) for occurrence in remaining]
    chosen: list[SessionSignal] = []
    trait_counts: defaultdict[str, int] = defaultdict(int)
    while remaining and len(chosen) < _MOST_EVIDENCE:
        alike = [
            trait_counts[a] + trait_counts[b] + trait_counts[c] + trait_counts[d] + trait_counts[e]
            for a, b, c, d, e in traits
        ]
        best = alike.index(min(alike))
        chosen.append(remaining.pop(best))
        for trait in traits.pop(best):
            trait_counts[trait] += 1
    return [
        Evidence(occurrence.session.id, fingerprint, occurrence.signal.first_ts)
        for occurrence in chosen
        for fingerprint in occurrence.signal.fingerprints[:1]
    ]


def _traits(occurrence: SessionSignal) -> tuple[str, str, str, str, str]:
    session, signal = occurrence
    return (
        f"flavor {session.flavor}",
        f"repo {session.repo}",
        f"session {session.root}",
        f"said {signal.template or signal.text}",
        f"did {signal.before}",
    )
