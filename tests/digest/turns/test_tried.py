"""Whether an agent had run a check, and whether it said that it had not."""

from __future__ import annotations

import pytest

from helix_tui.digest.turns.tried import excuse_in, was_tried


@pytest.mark.parametrize(
    "reply",
    [
        "All is renamed. I could not run the tests: the sandbox has no network.",
        "I couldn't run `make lint` here.",
        "I didn't run the full suite, only what I touched.",
        "Tests not run.",
        "The build was not executed.",
        "The change is untested.",
        "I was unable to compile it on this machine.",
    ],
)
def test_a_reply_that_says_what_was_not_run(reply: str) -> None:
    assert excuse_in(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "All tests pass.",
        "The closure can't see what the test holds.",
        "Users can't build their own client with it.",
        "These lines can't be tested through normal use.",
        "The linter ran without finding anything.",
        "It can't start because a check of the branch failed.",
    ],
)
def test_a_reply_that_says_nothing_of_the_kind(reply: str) -> None:
    assert not excuse_in(reply)


def test_what_cannot_be_run_here_is_told_from_what_was_not() -> None:
    assert excuse_in("I couldn't run the tests here.") == "cannot"
    assert excuse_in("I have not run the tests yet.") == "did not"


def test_a_run_shows_its_own_kind_and_what_stops_it() -> None:
    assert was_tried("test", ["test"])
    assert not was_tried("test", ["lint", "types"])
    assert was_tried("build", ["test"])
    assert was_tried("types", ["build"])
    assert was_tried("lint", ["check"])
    assert not was_tried("ci", ["check", "test"])
    assert not was_tried("test", [])
