"""Titles that speak of this branch name it."""

from __future__ import annotations

import pytest

from helix_tui.text.branches import with_branch

ROOM = 80
UPDATE = "Look at the changes in this branch and bring the docs of the store up to date"


@pytest.mark.parametrize(
    ("title", "branch", "named"),
    [
        ("Review this branch", "ann/lanes", "Review branch ann/lanes"),
        ("Review the current branch (+2 more)", "lanes", "Review branch lanes (+2 more)"),
        (
            UPDATE,
            "ann/colours-of-lanes",
            "Look at the changes in colours-of-lanes and bring the docs of the store up…",
        ),
        ("Review this branch", "main", "Review this branch"),
        ("Review this branch", None, "Review this branch"),
        ("Review the branch of the parser", "ann/lanes", "Review the branch of the parser"),
        ("Review this branch", f"ann/{'x' * 64}", f"Review branch {'x' * 64}"),
        ("Review this branch", "x" * 70, f"Review {'x' * 70}"),
        ("Review this branch", "x" * 90, "Review this branch"),
    ],
)
def test_this_branch_is_named(title: str, branch: str | None, named: str) -> None:
    assert with_branch(title, branch, ROOM) == named
    assert len(named) <= ROOM
