"""What is typed to narrow a list means the same in every list."""

from __future__ import annotations

import pytest

from helix_tui.text.filter import filter_words, is_fitting


def test_words_look_into_a_field_that_there_is() -> None:
    words = filter_words("Flavor:Codex !repo:api Retry repo: x:y !", {"flavor", "repo"})
    assert words == [
        ("flavor", "codex", False),
        ("repo", "api", True),
        ("", "retry", False),
        ("repo", "", False),
        ("", "x:y", False),
    ]


@pytest.mark.parametrize(
    ("typed", "is_shown"),
    [("", True), ("Two ONE", True), ("one three", False), ("!three", True), ("!two", False)],
)
def test_all_words_are_wanted_and_none_that_is_inverted(typed: str, is_shown: bool) -> None:
    assert is_fitting("one two", typed) is is_shown
