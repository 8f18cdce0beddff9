"""A remedy is a difference that holds."""

from __future__ import annotations

from typing import Any

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.group import group
from helix_tui.detect.remedies import leads_of, remedy_of, ways_of
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


def test_of_steps_that_count_together_the_one_that_recurs_is_shown_and_said_to_be_one() -> None:
    steps = [
        overcame(n, f"before: {name}", verb=name, text=f"$ {name} x", passed="$ pytest -q")
        for n, name in enumerate("bbacd", 1)
    ]
    found = remedy_of("cure", steps)
    assert found is not None
    assert (found.verb, found.ran, found.sessions) == ("b", "$ b x", 5)
    assert found.text.startswith("a step before, such as b (`b x`), then the same passed")


def test_a_way_counts_only_where_its_own_run_passed() -> None:
    further = overcame(3, is_further=True, passed="$ short")
    found = remedy_of("cure", [overcame(1), overcame(2), further])
    assert found is not None
    assert (found.sessions, found.of, found.further, found.works) == (
        2,
        3,
        0,
        "$ PYTHONPATH=. pytest -q",
    )
    assert "passed, in 2 of the 3 conversations" in found.text
    assert remedy_of("cure", [overcame(1), further]) is None


def test_what_only_got_past_it_is_told_as_that() -> None:
    found = remedy_of("cure", [overcame(n, is_further=True) for n in (1, 2)])
    assert found is not None
    assert (found.sessions, found.further) == (2, 2)
    assert "got past it, in 2 of the 2 conversations" in found.text
    assert found.text.endswith("(all of them then failed by something else)")


def test_another_program_that_failed_as_well_is_no_way_past_a_missing_one() -> None:
    change = "program rg -> grep"
    known: dict[str, Any] = {"error_class": "command_not_found", "subject": "rg"}
    several = [overcame(n, change, verb="use grep", is_further=True, **known) for n in (1, 2)]
    assert remedy_of("cure", several) is None
    assert leads_of(several[:1]) == []
    assert ways_of(several) == {}


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


def test_changes_that_share_an_edit_are_one_piece_of_advice() -> None:
    out = "run it with escalated permissions"
    one = overcame(1, "+wrapper escalated, +flag -u", verb=f"{out}, add -u")
    two = overcame(2, "+wrapper escalated, -flag --all", verb=f"{out}, leave out --all")
    found = remedy_of("cure", [one, two])
    assert found is not None
    assert (found.verb, found.sessions, found.of) == (out, 2, 2)


def test_that_a_folder_was_left_adds_up_with_nothing() -> None:
    here = "run it where you are"
    several = [
        overcame(1, "folder ~/a -> .", verb=here),
        overcame(2, "folder ~/b -> ., +flag -n", verb=f"{here}, add -n"),
    ]
    assert remedy_of("cure", several) is None


def test_other_programs_in_the_place_of_a_missing_one_add_up() -> None:
    several = [
        overcame(n, f"program rg -> {name}", verb=f"use {name}")
        for n, name in enumerate(("find", "grep"), 1)
    ]
    found = remedy_of("cure", several)
    assert found is not None
    assert (found.verb, found.sessions, found.ways) == (
        "use find",
        2,
        {"use find": 1, "use grep": 1},
    )
    assert leads_of(several[:1])[0].verb == "use find"


def test_another_program_stands_in_for_the_missing_one_not_for_what_wanted_to_start_it() -> None:
    known: dict[str, Any] = {"error_class": "command_not_found", "subject": "tsc-go", "verb": "use"}
    change = "program pnpm run lint -> mise run ci"
    assert leads_of([overcame(1, change, **known)]) == []
    assert leads_of([overcame(1, "program pnpm tsc-go -> npx tsc", **known)])


def test_a_way_that_was_seen_once_is_a_lead_where_it_shows_why() -> None:
    assert [one.verb for one in leads_of([overcame(1)])] == ["set PYTHONPATH"]
    assert leads_of([overcame(1, "before: install", verb="install")]) == []
    assert leads_of([overcame(1, "+flag -v", verb="add -v")]) == []
    assert leads_of([overcame(1, "+flag -v", verb="add -v", error_class="unknown_option")])
    assert leads_of([overcame(1, usual=9, pairs=10), overcame(2, "again", verb="")]) == []
    assert (
        leads_of([overcame(n, f"+env {name}", verb=f"set {name}") for n, name in enumerate("ABC")])
        == []
    )


def test_several_forms_did_not_fail_so_often_in_the_one_that_is_shown() -> None:
    other = overcame(2, failed="$ pytest -q tests/a.py", passed="$ PYTHONPATH=. pytest tests/a.py")
    remedy = remedy_of("cure", [overcame(1), other])
    assert remedy is not None
    assert remedy.text.startswith("forms such as `pytest -q` failed 2 times; set PYTHONPATH: ")


def test_the_plainest_pair_is_the_example() -> None:
    rough = overcame(1, failed="$ pytest -q > o; cat o", passed="$ PYTHONPATH=. pytest")
    plain = overcame(
        2,
        failed="$ pytest -q tests/test_router.py -x",
        passed="$ PYTHONPATH=. pytest -q tests/test_router.py -x",
    )
    remedy = remedy_of("cure", [rough, plain])
    assert remedy is not None
    assert remedy.failed == "$ pytest -q tests/test_router.py -x"


def test_how_somebody_read_a_file_again_is_not_told() -> None:
    again = [
        overcame(
            n,
            "read first",
            verb="read the file again",
            text="$ nl -ba notes.md",
            failed="Edit notes.md",
            passed="Edit notes.md",
        )
        for n in (1, 2)
    ]
    remedy = remedy_of("cure", again)
    assert remedy is not None
    assert remedy.text.startswith("read the file again, then the same passed, in 2 of the 2")
