"""Group the signals of a bucket into candidates; their order makes no difference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.checks import group_checks
from helix_tui.detect.draw import add, conversations_of, drawn_of, is_drawn_from, one_thing
from helix_tui.detect.errors import group_errors
from helix_tui.detect.keys import (
    SPOKEN,
    UNGROUPED,
    candidate_id,
    is_in_words,
    is_on_check,
    is_on_error,
    is_report,
)
from helix_tui.detect.rank import reading_of
from helix_tui.detect.reports import group_reports
from helix_tui.detect.requests import group_requests
from helix_tui.detect.scope import scope_of
from helix_tui.detect.spoken import group_said
from helix_tui.detect.tiers import is_figure, tier_of
from helix_tui.detect.titles import moment_title
from helix_tui.detect.topic_read import group_topic
from helix_tui.schema import quality
from helix_tui.schema.candidate import Candidate, Counted, Sighting
from helix_tui.schema.large import Conversation, Large
from helix_tui.schema.signal import Signal

IsAbandoned = Callable[[Counted], bool]


class Many(NamedTuple):
    """A bucket that some of its conversations tell: all of them, and sums over all."""

    conversations: Collection[Conversation]
    large: Large


def group(sightings: Iterable[Sighting], is_abandoned: IsAbandoned) -> list[Candidate]:
    """Group the signals of one bucket into candidates, sorted by id."""
    return group_bucket(list(sightings), is_abandoned)[0]


def group_bucket(
    sightings: Sequence[Sighting], is_abandoned: IsAbandoned
) -> tuple[list[Candidate], Many | None]:
    """The candidates of a bucket; and its conversations where some of very many tell all."""
    occurrences = list(countable(sightings, is_abandoned))
    if not occurrences:
        return [], None
    if len(sightings) > quality.MOST_DRAWN and is_drawn_from(occurrences[0].signal):
        conversations = conversations_of(sightings, occurrences)
        if (drawn := drawn_of(conversations.values())) is not None:
            found = told_by([one for one in occurrences if one.session.root in drawn[0]])
            if found is not None:
                for candidate in found:
                    drawn[1].reading = reading_of(candidate)
                    _give_all(candidate, conversations)
                for one in conversations.values():
                    if one.rank is not None:
                        add(drawn[1].tally, one)
                return found, Many(conversations.values(), drawn[1])
    return finished(_candidates(occurrences)), None


def told_by(occurrences: Sequence[SessionSignal]) -> list[Candidate] | None:
    """What the conversations tell that were drawn; None where that is more than one thing.

    It is nothing where what they tell is only a figure.
    """
    candidate = one_thing(occurrences, _candidates)
    return None if candidate is None else finished([candidate])


def _give_all(candidate: Candidate, conversations: Mapping[str, Conversation]) -> None:
    candidate.members = {
        root: one.member
        for root, one in sorted(conversations.items())
        if one.member is not None and one.rank is not None
    }


def _candidates(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    first = occurrences[0].signal
    if first.topic:
        return group_topic(occurrences)
    if is_on_error(first) and is_on_check(first):
        return group_checks(occurrences)
    if is_on_error(first) or first.name == "api_error":
        return group_errors(occurrences)
    if is_report(first):
        return group_reports(occurrences)
    if is_in_words(first):
        return group_said(occurrences)
    if first.name == "user_request":
        return group_requests(occurrences)
    if first.name == "slow_command":
        return _slow(occurrences)
    return _moments(occurrences)


def finished(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Say what candidates are worth, without those that are only figures, sorted by id."""
    kept = [candidate for candidate in candidates if not is_figure(candidate)]
    for candidate in kept:
        candidate.scope = scope_of(candidate)
        candidate.tier, candidate.tier_reason = tier_of(candidate)
    return sorted(kept, key=lambda candidate: candidate.id)


def countable(
    sightings: Iterable[Sighting], is_abandoned: IsAbandoned = lambda _: True
) -> Iterator[SessionSignal]:
    """Yield the signals that count.

    Sessions that the gate drops do not count, nor copies of an event in a later session, nor
    abandoned work that went on elsewhere.
    """
    cited: set[tuple[str, str, int]] = set()
    # The original begins no later than its copies, and ends before them.
    in_order = sorted(sightings, key=lambda sighting: age(sighting.session))
    for session, signals, is_sub_agent in in_order:
        if session.gate is not None:
            continue
        for signal in signals:
            if signal.name in UNGROUPED or (is_sub_agent and signal.name in SPOKEN):
                continue
            if signal.name == "abandoned" and not is_abandoned(session):
                continue
            # Copies of what is said are of one conversation; the same words in another are said
            # again, though an agent that writes neither time nor number gives both one name.
            where = (signal.name, session.root if signal.name in SPOKEN else "")
            own = [name for name in signal.fingerprints if (*where, name) not in cited]
            copies = len(signal.fingerprints) - len(own)
            if copies and not own:
                continue  # a resumed or forked session: the events are another's
            cited.update((*where, name) for name in own)
            yield SessionSignal(session, _without(signal, own, copies) if copies else signal)


def _without(signal: Signal, own: list[int], copies: int) -> Signal:
    import msgspec

    count = max(len(own), signal.count - copies)
    return msgspec.structs.replace(signal, fingerprints=own, count=count)


def _slow(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group the sessions in which a command was unusually slow for its repository."""
    from helix_tui.detect.slow import slow_runs

    slow = [
        occurrence
        for occurrence, is_slow in zip(occurrences, slow_runs(occurrences), strict=True)
        if is_slow
    ]
    return _moments(slow)


def _moments(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group other signals by name, subject and kind of tool."""
    by_key: dict[tuple[str, ...], list[SessionSignal]] = {}
    for occurrence in occurrences:
        signal = occurrence.signal
        by_key.setdefault((signal.name, signal.subject, signal.tool_class), []).append(occurrence)
    return [
        assemble(candidate_id(*key), moment_title(members[0].signal), members, [])
        for key, members in by_key.items()
    ]
