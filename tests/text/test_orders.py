"""Which clauses ask for something, and which words of theirs tell what of."""

from __future__ import annotations

import pytest

from helix_tui.text.said import clauses_in
from helix_tui.text.standing import is_standing, proposes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Say in a comment why the lock is held", ["say", "comment", "lock", "held"]),
        ("and mention the ticket in the commit", ["mention", "ticket", "commit"]),
        ("please explain the retry", ["explain", "retry"]),
    ],
)
def test_to_say_something_is_an_order(text: str, words: list[str]) -> None:
    (clause,) = clauses_in(text)
    assert ([*clause.words], clause.is_order) == (words, True)


@pytest.mark.parametrize("text", ["they say the lock is held", "what does the comment say"])
def test_who_says_something_is_asked_for_nothing(text: str) -> None:
    assert not any(clause.is_order for clause in clauses_in(text))


def test_what_only_negates_is_no_word() -> None:
    (clause,) = clauses_in("не трогай gen")
    assert clause.is_negated
    assert "не" not in clause.words


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("I think we should split the types", False),
        ("should we split the types", False),
        ("we should always split the types", True),
        ("tests should be in src", True),
    ],
)
def test_a_proposal_lays_nothing_down(text: str, holds: bool) -> None:
    assert is_standing(text) is holds
    assert proposes(text) is ("we" in text and not holds)
