"""When the test is made, what comes back, and what the control tells."""

from __future__ import annotations

import pytest

from helix_tui.measure.control import Count, difference, fell
from helix_tui.measure.cusum import alarm
from helix_tui.measure.fisher import fisher
from helix_tui.measure.looks import LEVEL, Looked, can_tell, look, needed
from helix_tui.schema.effect import Baseline

BEFORE = Baseline(0.3, 9, 9, 30, "raw")


def test_there_is_no_look_but_at_ten_twenty_forty_and_eighty() -> None:
    assert look(BEFORE, [False] * 9) == Looked()
    ten = look(BEFORE, [False] * 10)
    assert ten == look(BEFORE, [False] * 10 + [True] * 9)
    assert ten.helped_at is None
    assert look(BEFORE, [False] * 20).helped_at == 20


def test_the_first_look_that_decides_stands() -> None:
    turned = look(BEFORE, [False] * 20 + [True] * 60)
    assert (turned.helped_at, turned.worse_at) == (20, None)
    assert look(BEFORE, [True] * 10 + [False] * 70).worse_at == 10


def test_between_whole_sessions_both_are_weighed() -> None:
    between = look(Baseline(0.31, 9, 10, 30, "shrunk"), [True, False] * 5)
    for found, side in ((between.lower, "less"), (between.higher, "greater")):
        nine, ten = (fisher(did, 30, 5, 10, side) for did in (9, 10))
        assert found == pytest.approx(0.7 * nine + 0.3 * ten)


def test_the_next_verdict_is_said_by_the_looks() -> None:
    assert needed(BEFORE, 0, 0) == 20
    assert needed(BEFORE, 0, 12) == 8
    # One in twenty goes on as two in forty, which is enough.
    assert fisher(9, 30, 1, 20, "less") > LEVEL >= fisher(9, 30, 2, 40, "less")
    assert needed(BEFORE, 1, 20) == 20
    # At the rate of before there will be no change, which is said at the last look.
    assert needed(BEFORE, 3, 10) == 70
    assert needed(BEFORE, 3, 80) is None


def test_what_is_too_rare_can_never_be_told() -> None:
    rare = Baseline(0.05, 1, 1, 20, "raw")
    assert not can_tell(rare)
    assert needed(rare, 0, 10) is None
    assert not can_tell(Baseline(None, 0, 0, 0, "raw"))
    assert look(Baseline(None, 0, 0, 0, "raw"), [False] * 80) == Looked()


def test_alarm_rises_by_hits_and_never_sinks_below_zero() -> None:
    # A hit adds ln 6 = 1.79, a session without takes .31: six are reached with the fourth hit.
    assert alarm([True] * 10, 0.05, 0.3) == 4
    assert alarm([False] * 500 + [True] * 4, 0.05, 0.3) == 504
    assert alarm([True, False, False, False, False, False, False] * 20, 0.05, 0.3) is None
    assert alarm([True] * 10, 0.3, 0.3) is None
    assert alarm([True] * 10, 0.05, 1.0) is None


def test_difference_in_differences_needs_five_events_in_each_cell() -> None:
    cells = (Count(15, 50), Count(5, 50), Count(20, 50), Count(18, 50))
    found = difference(*cells)
    assert found is not None
    assert found.change == pytest.approx(-0.2 + 0.04)
    assert found.low == pytest.approx(-0.16 - 1.959964 * 0.1241290, abs=1e-5)
    assert found.high == pytest.approx(-0.16 + 1.959964 * 0.1241290, abs=1e-5)
    assert difference(cells[0], Count(4, 50), *cells[2:]) is None
    assert difference(cells[0], Count(46, 50), *cells[2:]) is None


def test_whether_a_control_fell() -> None:
    assert fell(Count(18, 60), Count(8, 80))
    assert not fell(Count(5, 12), Count(4, 12))
    assert not fell(Count(0, 0), Count(0, 0))
