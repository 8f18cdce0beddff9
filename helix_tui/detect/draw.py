"""Of very many conversations with one problem, those that are read to say what it is.

One more of ten thousand changes nothing of what they have in common. So of those that got past it,
and of the others, MOST_DRAWN each are drawn by a hash of their events: the same ones in whatever
order they come and whoever groups them. Figures are of all. Where those that were drawn show more
than one thing, all are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from helix_tui.detect.assemble import SessionSignal, members_of
from helix_tui.detect.keys import SPOKEN, is_on_error
from helix_tui.detect.parting import FIRST_HAND
from helix_tui.detect.states import week_of
from helix_tui.schema import quality
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.schema.large import Conversation, Large, Place, Tally
from helix_tui.schema.signal import Signal
from helix_tui.schema.team import origin_of
from helix_tui.text.hashing import hash64
from helix_tui.text.times import EARLIEST

_Name = TypeVar("_Name", str, int)
_NEVER = 1 << 62
# How the words of a remedy end; of very many conversations they count those that were read.
_GOT_PAST = "conversations that got past it"
# Whether a run was slow follows from all runs of its repository, and who worked on from everybody.
_OF_ALL = frozenset({"slow_command", "abandoned"})


def is_drawn_from(signal: Signal) -> bool:
    """Whether a bucket that has this signal may be told by some of its conversations."""
    return not (signal.topic or signal.name in SPOKEN or signal.name in _OF_ALL)


def conversations_of(
    sightings: Iterable[Sighting], occurrences: Sequence[SessionSignal]
) -> dict[str, Conversation]:
    """The conversations of a bucket, of its sessions and of what counts of them."""
    keys: dict[str, list[int]] = {}
    prints: dict[str, set[int]] = {}
    for session, signals, _ in sightings:
        keys.setdefault(session.root, []).append(session.key)
        cited = prints.setdefault(session.root, set())
        for signal in signals:
            cited.update(signal.fingerprints)
    own: dict[str, list[Signal]] = {}
    for session, signal in occurrences:
        own.setdefault(session.root, []).append(signal)
    members = members_of([one for one in occurrences if is_counted(one)])
    found = {}
    for root, all_prints in prints.items():
        signals = own.get(root, [])
        kept = {name for signal in signals for name in signal.fingerprints}
        began = min((_began(signal) for signal in signals), default=_NEVER)
        # The least of many is small: hashed once more, who has many is not drawn more often.
        told = str(min(kept, default=began)).encode()
        found[root] = Conversation(
            root,
            sorted(keys[root]),
            hash64(told) if signals else None,
            any(signal.name == "recovery" for signal in signals),
            began,
            members.get(root),
            sorted(all_prints),
            kept != all_prints,
        )
    return found


def _began(signal: Signal) -> int:
    return _NEVER if signal.first_ts is None else signal.first_ts


def is_counted(occurrence: SessionSignal) -> bool:
    """Whether an occurrence makes its conversation a member of the candidate."""
    signal = occurrence.signal
    return signal.name in FIRST_HAND or not is_on_error(signal)


def drawn_of(conversations: Iterable[Conversation]) -> tuple[set[str], Large] | None:
    """Who is drawn, and how many there are, without figures; None where that is everybody."""
    counting = [one for one in conversations if one.rank is not None]
    most = quality.MOST_DRAWN
    if len(counting) <= most:
        return None
    halves = [sorted(map(_place, some)) for some in _halves(counting)]
    if all(len(some) <= most for some in halves):
        return None
    earliest = min(counting, key=lambda one: (one.began, one.rank, one.root))
    first, last = (some[most - 1] if len(some) > most else None for some in halves)
    large = Large(Tally(), (len(halves[0]), len(halves[1])), (first, last), earliest.place)
    return {place[2] for some in halves for place in some[:most]} | {earliest.root}, large


def _place(one: Conversation) -> Place:
    return one.place


def _halves(counting: Sequence[Conversation]) -> Iterator[list[Conversation]]:
    for is_cured in (True, False):
        yield [one for one in counting if one.is_cured == is_cured]


def is_in(one: Conversation, large: Large) -> bool:
    """Whether a conversation is among those that are drawn, or would be."""
    if one.rank is None:
        return False
    limit = large.limits[0 if one.is_cured else 1]
    rank, began, root = large.earliest
    return (
        limit is None
        or one.place <= limit
        or (one.began, one.place)
        <= (
            began,
            (rank, began, root),
        )
    )


def is_large(large: Large) -> bool:
    """Whether there still are more than are drawn."""
    return max(large.counts) > quality.MOST_DRAWN


def one_thing(
    occurrences: Sequence[SessionSignal],
    group: Callable[[Sequence[SessionSignal]], list[Candidate]],
) -> Candidate | None:
    """The one candidate that the conversations make which were drawn; None where they make more."""
    counted = [one for one in occurrences if is_counted(one)]
    made = group(occurrences)
    if len(made) != 1:
        return None
    (candidate,) = made
    times = sum(member.count for member in candidate.members.values())
    if candidate.members.keys() != {one.session.root for one in counted} or times != sum(
        one.signal.count for one in counted
    ):
        return None
    candidate.drawn = sorted(candidate.members)
    if (cure := candidate.cure) is not None:
        candidate.cure = replace(
            cure, text=cure.text.replace(_GOT_PAST, f"{_GOT_PAST} and were read")
        )
    return candidate


def add(tally: Tally, one: Conversation, sign: int = 1) -> bool:
    """Add a conversation to figures or take it away; whether a first or last time went with it."""
    member = one.member
    if member is None:
        return False
    tally.sessions += sign
    tally.frequency += sign * member.count
    tally.chars += sign * member.chars
    _count(tally.flavors, [member.flavor], sign)
    _count(tally.repos, [member.repo], sign)
    _count(tally.origins, [origin_of(one.root)], sign)
    begun, ended = _known(member.first_ts), _known(member.last_ts)
    _count(tally.weeks, map(week_of, begun), sign)
    if sign < 0:
        return tally.first_ts in begun or tally.last_ts in ended
    tally.first_ts = min((ts for ts in (tally.first_ts, *begun) if ts is not None), default=None)
    tally.last_ts = max((ts for ts in (tally.last_ts, *ended) if ts is not None), default=None)
    return False


def tally_of(candidate: Candidate) -> Tally:
    """The figures of a candidate that has all its members by name."""
    tally = Tally()
    for root, member in candidate.members.items():
        add(tally, Conversation(root, [], 0, False, 0, member, [], False))
    return tally


def _known(ts: int | None) -> list[int]:
    """A time, but for that of a clock that was not set."""
    return [ts] if ts is not None and ts >= EARLIEST else []


def _count(counts: dict[_Name, int], names: Iterable[_Name], sign: int) -> None:
    for name in names:
        left = counts.get(name, 0) + sign
        if left:
            counts[name] = left
        else:
            counts.pop(name, None)
