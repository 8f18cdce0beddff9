"""The worlds in which measuring is tried: small ones here, two thousand by `make score`."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from score.effect import board, false_verdicts, said_helped
from score.worlds import POPULATIONS, calls, pick

ALIKE = next(one for one in POPULATIONS if one.name == "alike")


def test_selection_deceives_without_the_correction_and_not_with_it() -> None:
    worlds = 300
    assert said_helped(false_verdicts(ALIKE, worlds, False)) > 0.1 * worlds
    corrected = false_verdicts(ALIKE, worlds, True)
    assert said_helped(corrected) <= 0.03 * worlds
    assert corrected["worse"] <= 0.03 * worlds


def test_the_worst_is_picked_and_looks_worse_than_it_is() -> None:
    worlds = [pick(Random(seed), ALIKE) for seed in range(50)]
    for one in worlds:
        assert sum(one.before) / 30 == max(peer.did / peer.could for peer in one.peers)
        assert min(peer.did for peer in one.peers) >= 2
    seen = sum(sum(one.before) / 30 for one in worlds) / 50
    true = sum(one.rate for one in worlds) / 50
    assert seen > true + 0.1


def test_a_planted_rate_is_the_one_that_is_picked() -> None:
    planted = replace(ALIKE, planted=0.3)
    assert {pick(Random(seed), planted).rate for seed in range(20)} == {0.3}


def test_calls_of_a_session_hang_together() -> None:
    made = calls(Random(1), 0.3, 2000)
    bad, of = (sum(column) for column in zip(*made, strict=True))
    assert bad / of == pytest.approx(0.3, abs=0.03)
    assert sum(0 < wrong < number for wrong, number in made) < 0.3 * len(made)


def test_the_board_asks_every_question_and_says_the_same_each_time() -> None:
    figures = board(worlds=12).figures
    assert [(one.name, one.value) for one in figures] == [
        (one.name, one.value) for one in board(worlds=12).figures
    ]
    assert len({one.name for one in figures}) == len(figures) > 30
    assert len([one for one in figures if one.goal is not None]) > 20
