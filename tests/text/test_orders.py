"""Which clauses ask for something, and which words of theirs tell what of."""

from __future__ import annotations

import pytest

from helix_tui.text.said import clauses_in
from helix_tui.text.standing import asks_for_instead, is_standing, proposes


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


@pytest.mark.parametrize(
    ("text", "is_wish"),
    [
        ("why is the schema changed, rather than a migration added?", True),
        ("warum wird das Schema geändert, statt eine Migration anzulegen?", True),
        ("为什么改旧的迁移而不是新建一个？", True),
        ("why not use the helper?", True),
        ("why didn't you run the tests?", True),
        ("warum nutzt du nicht den Helfer?", True),
        ("为什么不用现有的函数？", True),
        ("why is the schema changed?", False),
        ("is it slower instead?", False),
        ("it is not done, I wonder why", False),
    ],
)
def test_who_asks_why_something_else_was_not_done_says_what_is_wanted(
    text: str, is_wish: bool
) -> None:
    assert asks_for_instead(text) is is_wish
