"""A remedy is a difference that holds."""

from __future__ import annotations

from typing import Any

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.group import group
from helix_tui.detect.remedies import remedy_of, ways_of
from helix_tui.schema.candidate import Sighting
from helix_tui.schema.signal import Signal
from tests.detect.made import session, signal


def overcame(number: int, change: str = "+env PYTHONPATH", **fields: Any) -> SessionSignal:
    known: dict[str, Any] = {
        "verb": "set PYTHONPATH",
        "change": change,
        "failed": "$ pytest -q",
        "passed": "$ PYTHONPATH=. pytest -q",
    }
    return SessionSignal(session(number), signal("recovery", number, **{**known, **fields}))


def test_both_actions_are_shown_as_they_stand() -> None:
    remedy = remedy_of("cure", [overcame(1), overcame(2)])
    assert remedy is not None
    assert (remedy.failed, remedy.works) == ("$ pytest -q", "$ PYTHONPATH=. pytest -q")
    assert remedy.text == (
        "`pytest -q` failed 2 times; set PYTHONPATH: `PYTHONPATH=. pytest -q` passed, "
        "in 2 of the 2 conversations that got past it"
    )


def test_those_who_overcame_it_nobody_knows_how_count_among_all() -> None:
    silent = [overcame(n, "edit first", verb="") for n in (3, 4, 5)]
    assert remedy_of("cure", [overcame(1), overcame(2), *silent]) is None
    found = remedy_of("cure", [overcame(1), overcame(2), *silent[:2]])
    assert found is not None
    assert (found.of, found.share) == (4, 0.5)


def test_what_is_done_as_often_where_nothing_failed_is_none() -> None:
    usual = [overcame(n, usual=10, pairs=10) for n in (1, 2)]
    assert remedy_of("cure", usual) is None
    rare = remedy_of("cure", [overcame(n, usual=0, pairs=10) for n in (1, 2)])
    assert rare is not None
    assert rare.lift is not None
    assert rare.lift > 1


def test_two_times_in_one_conversation_are_one() -> None:
    assert remedy_of("cure", [overcame(1), overcame(1)]) is None


def test_steps_before_it_count_together_where_one_recurs() -> None:
    steps = [overcame(n, f"before: {name}", verb=name) for n, name in enumerate("aabc", 1)]
    found = remedy_of("cure", [*steps, *(overcame(n, "again", verb="") for n in (8, 9))])
    assert found is not None
    assert (found.verb, found.sessions) == ("a", 4)


def test_ways_are_told_even_where_none_holds() -> None:
    assert ways_of([overcame(1)]) == {"set PYTHONPATH (PYTHONPATH=. pytest -q)": 1}


def path(number: int, change: str = "path -> Use Cases") -> list[Signal]:
    known: dict[str, Any] = {"error_class": "file_not_found"}
    return [
        signal("tool_error", number, **known),
        signal("recovery", number, verb="use the path Use Cases", change=change, **known),
    ]


def test_a_kind_of_failure_is_parted_by_what_overcame_it() -> None:
    heap = [[signal("tool_error", n, error_class="file_not_found")] for n in (3, 4, 5)]
    several = [path(1), path(2), *heap]
    sightings = [Sighting(session(n), some) for n, some in enumerate(several, 1)]
    found = {one.tier: one for one in group(sightings, lambda _: True)}
    assert [*found["fix"].members] == ["claude:0001", "claude:0002"]
    assert [*found["rest"].members] == ["claude:0003", "claude:0004", "claude:0005"]
    assert found["rest"].is_remainder
    assert "what no other candidate explains" in found["rest"].title
