"""Figures: intervals, goals, and boards as text and as data."""

from __future__ import annotations

import json
import math

import pytest

from score.__main__ import as_json, as_text
from score.boards import loghub_board
from score.figures import Board, Figure, Goal, bootstrap, mean, share, wilson


def test_wilson_of_half() -> None:
    low, high = wilson(50, 100)
    assert low == pytest.approx(0.4038, abs=1e-4)
    assert high == pytest.approx(0.5962, abs=1e-4)


def test_wilson_stays_between_nothing_and_all() -> None:
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == pytest.approx(1)
    assert wilson(0, 0) == (0, 1)
    assert wilson(10, 10)[0] == pytest.approx(0.7225, abs=1e-4)


def test_bootstrap_is_the_same_each_time_and_holds_the_mean() -> None:
    values = [0.8, 0.9, 1.0, 0.7, 1.0]
    low, high = bootstrap(values)
    assert (low, high) == bootstrap(values)
    assert low < sum(values) / 5 < high
    assert bootstrap([1.0, 1.0]) == (1.0, 1.0)


def test_goals_look_both_ways() -> None:
    assert Goal(0.9).holds(0.9)
    assert not Goal(0.9).holds(0.89)
    assert Goal(1, is_least=False).holds(1)
    assert not Goal(1, is_least=False).holds(1.05)


def test_nothing_counted_is_not_judged() -> None:
    figure = share("precision", 0, 0, Goal(0.95))
    assert math.isnan(figure.value)
    assert figure.is_good is None


def test_board_names_what_is_missed() -> None:
    board = Board("a", [mean("found", [1, 1], Goal(0.95)), mean("whole", [0, 1], Goal(0.85))])
    assert [figure.name for figure in board.missed()] == ["whole"]
    text = as_text(board)
    assert "MISSED, goal ≥ 0.85" in text
    assert "ok, goal ≥ 0.95" in text


def test_board_as_data_is_json() -> None:
    board = Board("a", [Figure("x", math.nan), share("y", 1, 2, Goal(0.4))], ["d"], {"more": 1})
    data = json.loads(json.dumps(as_json(board), allow_nan=False))
    assert data["more"] == 1
    assert [row["is_good"] for row in data["figures"]] == [None, True]


def test_loghub_is_the_mean_of_its_systems() -> None:
    row = {"system": "A", "ga": 0.8, "f1": 0.9, "pair_precision": 1.0, "lines_per_second": 30000.0}
    board = loghub_board([row, {**row, "system": "B", "ga": 1.0}])  # type: ignore[typeddict-item, list-item]
    assert board.figures[0].value == pytest.approx(0.9)
    assert not board.missed()
