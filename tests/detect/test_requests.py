"""What people ask for again: the same order in several conversations, and nothing else."""

from __future__ import annotations

from itertools import permutations

import pytest

from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.schema.signal import Signal
from helix_tui.text.clauses import clauses_of
from tests.detect.made import session, signal


def asked(number: int, text: str) -> Signal:
    """An order of a person, as the digest signals it."""
    (clause, *_) = clauses_of(text)
    subject = " ".join(clause[:2])
    fields = {"subject": subject, "template": " ".join(clause), "text": text, "tool_class": ""}
    return signal("user_request", number, **fields)


def grouped(*texts: str, repos: tuple[str, ...] = ()) -> list[Candidate]:
    """The candidates of orders, each of a conversation of its own."""
    seen = [
        Sighting(session(n, repo=repos[n - 1] if repos else "app"), [asked(n, text)])
        for n, text in enumerate(texts, 1)
    ]
    return group(seen, lambda _: True)


def test_an_order_of_two_conversations_in_one_repository_is_a_candidate() -> None:
    (found,) = grouped("write the design doc", "please write up a design doc.")
    assert (found.sort, found.kind, found.signal) == ("instruction", "success", "instruction")
    assert found.title == "user asks: “write the design doc”"
    assert found.subject == "write design"
    assert (found.tier, len(found.members)) == ("know", 2)


def test_across_repositories_it_takes_three() -> None:
    texts = ["deploy the docs"] * 3
    assert grouped(*texts[:2], repos=("app", "site")) == []
    assert len(grouped(*texts, repos=("app", "site", "site"))) == 1


def test_orders_that_share_only_verb_and_thing_do_not_meet() -> None:
    assert grouped("build parser tokens lexer trees", "build parser benchmark suite runner") == []


def test_one_conversation_that_repeats_itself_is_not_enough() -> None:
    repeated = [asked(1, "push the tag"), asked(2, "push the tag")]
    assert group([Sighting(session(1), repeated)], lambda _: True) == []


def test_sessions_of_one_conversation_are_one() -> None:
    seen = [
        Sighting(session(n, root="claude:0001"), [asked(n, "push the release branch")])
        for n in (1, 2, 3)
    ]
    assert group(seen, lambda _: True) == []


def test_a_command_run_by_hand_before_asking_is_a_workflow() -> None:
    seen = [
        Sighting(session(n), [signal("user_request", n, subject="$ pytest", text=text)])
        for n, text in enumerate(("fix these. All of them.", "please go through what is red"), 1)
    ]
    (found,) = group(seen, lambda _: True)
    assert (found.sort, found.subject) == ("workflow", "pytest")
    assert found.title == "user runs `pytest` by hand, then asks: “fix these.”"


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_arrival_makes_no_difference(order: tuple[int, ...]) -> None:
    texts = ("commit the changes", "commit those changes now", "then commit the changes")
    seen = [Sighting(session(n), [asked(n, text)]) for n, text in enumerate(texts, 1)]
    expected = group(seen, lambda _: True)
    assert len(expected) == 1
    assert group([seen[at] for at in order], lambda _: True) == expected
