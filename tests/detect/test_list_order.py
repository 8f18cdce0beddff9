"""The orders that a list may be in."""

from __future__ import annotations

from typing import Any

import pytest

from helix_tui.detect.list_order import place_in
from helix_tui.detect.rank import brief_of
from helix_tui.schema.candidate import Brief, Order
from tests.detect.made import NOW, candidate


def brief(name: str, tier: Any, flavors: list[str], last: int = 0) -> Brief:
    made = candidate(name, len(flavors), tier=tier, each={"last_ts": NOW + last})
    for member, flavor in zip(made.members.values(), flavors, strict=True):
        member.flavor = flavor
    return brief_of(made)


ROWS = {
    "firm know": (brief("firm know", "know", ["a", "a", "b", "b"]), 1.0),
    "cross fix": (brief("cross fix", "fix", ["a", "b"], 5), 2.0),
    "single fix": (brief("single fix", "fix", ["a", "a", "a"]), 9.0),
    "single rest": (brief("single rest", "rest", ["a", "a"], 9), 5.0),
}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("band", ["firm know", "cross fix", "single fix", "single rest"]),
        ("tier", ["cross fix", "single fix", "firm know", "single rest"]),
        ("score", ["single fix", "single rest", "cross fix", "firm know"]),
        ("sessions", ["firm know", "single fix", "single rest", "cross fix"]),
        ("recent", ["single rest", "cross fix", "single fix", "firm know"]),
    ],
)
def test_each_order(order: Order, expected: list[str]) -> None:
    assert sorted(ROWS, key=lambda name: place_in(order, *ROWS[name])) == expected
