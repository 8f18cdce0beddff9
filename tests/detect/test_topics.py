"""What corrections are about."""

from __future__ import annotations

import pytest

from helix_tui.detect.group import group
from helix_tui.detect.topics import Statement, stems_of, subjects, topic_of
from helix_tui.schema.candidate import Sighting
from tests.detect.made import said, session


def heard(*texts: str, is_plain: bool = True) -> list[Statement]:
    """Each in a session of its own."""
    return [
        Statement(f"{is_plain}{n}", text, text, "", "", is_plain) for n, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("don't commit, I'll do it myself", "commit"),
        ("please un-commit that", "commit"),
        ("we use pnpm here, not npm", "npm"),
        ("wrong package manager", "npm"),
        ("stop adding comments", "comments"),
        ("too long; one sentence please", "length of answers"),
        ("that is out of scope", "scope"),
        ("no, the other way round", ""),
    ],
)
def test_known_things(text: str, topic: str) -> None:
    assert topic_of(text) == topic


def test_of_two_things_it_is_what_the_agent_had_to_do_with() -> None:
    text = "don't commit the tests"
    assert topic_of(text) == "commit"
    assert topic_of(text, "$ pytest -q") == "tests"
    # The name of a file may hold any word.
    assert topic_of(text, "Edit tests/test_a.py") == "commit"


def test_stems_leave_out_what_everybody_says() -> None:
    assert stems_of("no, please stop using the caches again") == stems_of("the cache")
    assert stems_of("I'll do it, you’ve got 10 'ledgers', they're here and don't isn't we'll") == {
        "ledger",
    }
    assert stems_of("the ledger's index") == stems_of("indexes of ledgers")


class TestSubjects:
    """A known thing, else a word that recurs, else nothing."""

    def test_a_word_of_enough_sessions(self) -> None:
        some = heard("not the ledger", "wrong ledger", "leave the ledger alone", "no way")
        assert subjects(some, 3) == ["ledger", "ledger", "ledger", ""]

    def test_of_too_few_it_is_nothing(self) -> None:
        assert subjects(heard("not the ledger", "wrong ledger"), 3) == ["", ""]

    def test_often_in_one_session_is_once(self) -> None:
        some = [Statement("same", "wrong ledger", "", "", "", True)] * 5
        assert subjects(some, 3) == [""] * 5

    def test_none_is_about_two_things(self) -> None:
        some = heard(*["ledger wrong"] * 4, *["ledger invoice"], *["invoice wrong"] * 3)
        assert subjects(some, 3) == ["ledger"] * 5 + ["invoic"] * 3

    def test_a_reaction_counts_beside_plain_ones_only(self) -> None:
        reaction = heard("why the commit?", is_plain=False)
        assert subjects(reaction * 5, 3) == [""] * 5
        assert subjects([*reaction, *heard("don't commit")], 3) == ["", "commit"]
        plain = heard("don't commit", "no commits please")
        assert subjects([*reaction, *plain], 3) == ["commit"] * 3


def test_a_subject_is_said_as_people_say_it() -> None:
    texts = ["wrong caches", "not the caches", "leave that cache alone"]
    some = [Sighting(session(n), [said(n, text)]) for n, text in enumerate(texts, 1)]
    (found,) = group(some, lambda _: True)
    assert found.subject == "caches"
    assert found.title == "user on caches: “wrong caches”"


def test_a_candidate_is_named_by_what_is_plain() -> None:
    words = [
        ("why a commit?", False),
        ("don't commit, I'll do it myself", True),
        ("no commits!", True),
        ("stop committing", True),
        ("unrelated: the ledger is off", True),
    ]
    some = [
        Sighting(session(n), [said(n, text, is_plain=is_plain)])
        for n, (text, is_plain) in enumerate(words, 1)
    ]
    by_subject = {one.subject: one for one in group(some, lambda _: True)}
    found = by_subject["commit"]
    assert (found.signal, len(found.members)) == ("user_correction", 4)
    assert found.signals == {"user_correction": 3, "user_reaction": 1}
    assert found.title == "user on commit: “no commits!”"


class TestContext:
    """What a correction follows tells what it is about where its words do not."""

    def after(self, anchor: str, *texts: str, start: int = 0) -> list[Statement]:
        return [
            Statement(f"{n}", text, text, "", anchor, True) for n, text in enumerate(texts, start)
        ]

    def test_most_behind_an_action_take_the_rest_along(self) -> None:
        some = self.after("git commit", "don't commit", "no commits please", "leave that to me")
        assert subjects(some, 3) == ["commit"] * 3

    def test_where_none_speaks_it_is_the_action(self) -> None:
        some = self.after("terraform apply", "leave that to me", "not so fast", "why did you")
        assert subjects(some, 3) == ["terraform apply"] * 3

    def test_two_topics_behind_an_action_leave_the_rest_alone(self) -> None:
        some = self.after("edit", "don't commit", "no emojis", "leave that to me")
        assert subjects(some, 3)[-1] == ""
