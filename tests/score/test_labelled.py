"""The board of labelled failures, from what the labels' scorer prints."""

from __future__ import annotations

from score.labelled import board_of


def test_causes_and_remedies_are_counted_and_misses_named() -> None:
    found = {
        "causes in 2 or more, with those below the floor": {
            "good": 4,
            "merged": 1,
            "good share": 1,
        },
        "remedies, with those below the floor": {"right": 3, "wrong": 1, "none given": 2},
        "cause table, with those below the floor": ["  2 good  a [x]", "  3 merged  b [y]"],
    }
    board = board_of(found)
    values = {figure.name: figure.value for figure in board.figures}
    assert values == {
        "causes good": 0.8,
        "remedies right": 0.75,
        "remedies wrong": 1,
        "remedies not given": 2,
    }
    assert board.details == ["3 merged  b [y]"]
    assert [figure.name for figure in board.missed()] == ["remedies right", "remedies wrong"]
