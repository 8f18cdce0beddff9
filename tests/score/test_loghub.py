"""The board counts groups as its definitions say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from score.boards import loghub_board
from score.loghub import Figures, board, figures


def test_equal_groups_are_perfect_whatever_they_are_called() -> None:
    assert figures("aabc", "xxyz") == Figures(1, 1, 1)


def test_a_group_counts_only_whole() -> None:
    # `a` is split, `b` is right: a third of the messages, one right group of two true and three.
    assert figures("aab", "xyz") == Figures(1 / 3, 2 * 1 / (2 + 3), 1)


def test_pairs_that_do_not_belong_together_cost_precision() -> None:
    assert figures("aab", "xxx") == Figures(0, 0, 1 / 3)


def test_a_folder_is_scored_by_file(tmp_path: Path) -> None:
    (tmp_path / "One.tsv").write_text("took <*>\ttook 3s\ntook <*>\ttook 4s\nend\tend\n")
    (system,) = board(tmp_path)
    assert (system["system"], system["messages"], system["groups"]) == ("One", 3, 2)
    assert (system["ga"], system["f1"], system["pair_precision"]) == (1, 1, 1)
    assert board(tmp_path / "none") == []


@pytest.mark.shared
@pytest.mark.skipif(not os.environ.get("HELIX_SHARED"), reason="needs the labels")
def test_the_goals_are_met() -> None:
    scores = loghub_board(board()).figures
    for name in ("ga", "f1", "pair_precision"):
        (figure,) = [one for one in scores if one.name == name]
        assert figure.is_good, name
