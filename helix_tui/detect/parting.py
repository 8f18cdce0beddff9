"""Part a cause by what overcame it, where no one remedy holds for all of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.remedies import change_of, conversations_by_change, remedy_of
from helix_tui.schema.quality import RECURRING
from helix_tui.schema.signal import SignalName
from helix_tui.text.shape import action_in

# A repository, and a program that is run there.
Place = tuple[str, str]
# Other signals on an error only add to an occurrence that one of these reports.
FIRST_HAND: tuple[SignalName, ...] = (
    "env_missing",
    "edit_mismatch",
    "permission",
    "tool_error",
    "api_error",
)


def apart(occurrences: Sequence[SessionSignal]) -> list[str]:
    """Return the changes that overcame a cause in several conversations, where none holds for all.

    A change that is made as often where nothing had failed tells nothing apart.
    """
    cured = [occurrence for occurrence in occurrences if occurrence.signal.name == "recovery"]
    found = []
    for change, members in sorted(conversations_by_change(cured).items()):
        same = [occurrence for occurrence in cured if change_of(occurrence) == change]
        if len(members) >= RECURRING and remedy_of("", same) is not None:
            found.append(change)
    return found


def parted(
    occurrences: Sequence[SessionSignal], change: str
) -> tuple[list[SessionSignal], list[SessionSignal]]:
    """Part what one change overcame from the rest; the failures of both add up to all."""
    specific: list[SessionSignal] = []
    overcome: dict[str, set[int]] = {}
    for occurrence in occurrences:
        if occurrence.signal.name == "recovery" and change_of(occurrence) == change:
            specific.append(occurrence)
            overcome.setdefault(occurrence.session.id, set()).update(occurrence.signal.fingerprints)
    rest: list[SessionSignal] = []
    for occurrence in occurrences:
        session, signal = occurrence
        theirs = overcome.get(session.id, set())
        if signal.name == "recovery":
            if change_of(occurrence) != change:
                rest.append(occurrence)
            continue
        left = [each for each in signal.fingerprints if each not in theirs]
        taken = [each for each in signal.fingerprints if each in theirs]
        if taken and signal.name in FIRST_HAND:
            specific.append(_counting(occurrence, taken, len(taken)))
        if left or not taken:
            rest.append(_counting(occurrence, left, max(1, signal.count - len(taken))))
    return specific, rest


def place_of_its_own(occurrences: Sequence[SessionSignal]) -> Place | None:
    """Return the program of a repository in which alone a failure recurs; none where others do."""
    found: dict[Place, set[str]] = {}
    for occurrence in occurrences:
        place = _place_of(occurrence)
        if occurrence.signal.name in FIRST_HAND and all(place):
            found.setdefault(place, set()).add(occurrence.session.root)
    recurring = [place for place, members in found.items() if len(members) >= RECURRING]
    return recurring[0] if len(recurring) == 1 and len(found) > 1 else None


def parted_by_place(
    occurrences: Sequence[SessionSignal], place: Place | None
) -> tuple[list[SessionSignal], list[SessionSignal]]:
    """Part what failed in one program of a repository from the rest."""
    there = [occurrence for occurrence in occurrences if _place_of(occurrence) == place]
    return there, [occurrence for occurrence in occurrences if _place_of(occurrence) != place]


def _place_of(occurrence: SessionSignal) -> Place:
    signal = occurrence.signal
    program = action_in(signal.shape or signal.step).partition(" ")[0]
    return occurrence.session.repo, program


def _counting(occurrence: SessionSignal, fingerprints: list[int], count: int) -> SessionSignal:
    signal = occurrence.signal
    share = count / max(1, signal.count)
    parted = msgspec.structs.replace(
        signal,
        fingerprints=fingerprints,
        count=count,
        chars=round(signal.chars * share),
        ms=round(signal.ms * share),
    )
    return SessionSignal(occurrence.session, parted)
