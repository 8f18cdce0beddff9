"""What agents do behind a person's words: it joins what says the same in other words."""

from __future__ import annotations

from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.text.said import clauses_in
from tests.detect.made import session
from tests.detect.turns import files, turn


def corrected(*turns: tuple[str, list[str]], repos: str = "app site app") -> list[Candidate]:
    """The candidates of corrections, each of a conversation, with what the agent did behind it."""
    places = repos.split()
    seen = [
        Sighting(session(n, repo=places[n - 1]), [turn(n, text, "correction", led_to=led_to)])
        for n, (text, led_to) in enumerate(turns, 1)
    ]
    return group(seen, lambda _: True)


class TestRunAtOnce:
    """Corrections behind which agents at once run what they hardly run otherwise."""

    TURNS = (
        ("先に確認してください", ["flutter test"]),
        ("テスト回してないよね？", ["flutter test"]),
        ("did you look at it at all", ["flutter test"]),
    )

    def test_are_one_thing_in_whatever_language(self) -> None:
        (found,) = corrected(*self.TURNS)
        assert len(found.members) == 3
        assert found.sort == "correction"

    def test_but_not_what_is_run_behind_an_edit(self) -> None:
        turns = [(text, ["edit:main.dart", *led_to]) for text, led_to in self.TURNS]
        assert corrected(*turns) == []

    def test_nor_what_only_takes_work_back(self) -> None:
        assert corrected(*((text, ["git checkout"]) for text, _ in self.TURNS)) == []


class TestReworked:
    """Two corrections in one repository that share a word and end in the same file."""

    TURNS = (
        ("why is the first migration changed instead of a further one", ["edit:Full.ts"]),
        ("a fresh install runs each migration, do not repeat the table there", ["edit:Full.ts"]),
    )

    def test_are_one_thing_though_files_are_named_so(self) -> None:
        seen = [
            Sighting(session(n), [turn(n, text, "correction", led_to=led_to), files("migrat")])
            for n, (text, led_to) in enumerate(self.TURNS, 1)
        ]
        (found,) = group(seen, lambda _: True)
        assert len(found.members) == 2

    def test_a_word_that_the_file_is_named_by_tells_nothing_more(self) -> None:
        seen = [
            Sighting(
                session(n),
                [turn(n, text, "correction", led_to=["edit:migrations.ts"]), files("migrat")],
            )
            for n, (text, _) in enumerate(self.TURNS, 1)
        ]
        assert group(seen, lambda _: True) == []


class TestJapanese:
    """What is spoken of stands in kanji and katakana; hiragana holds it together."""

    def test_words_in_katakana_are_whole_and_hiragana_is_none(self) -> None:
        (clause,) = clauses_in("ライブラリは勝手に増やさないで")
        assert clause.words == ("ライブラリ", "勝手")
        assert clause.is_negated


class TestChinese:
    """Particles and pronouns part words."""

    def test_small_words_are_in_no_pair(self) -> None:
        (clause,) = clauses_in("你的测试没有跑")
        assert clause.words == ("测试",)


class TestOneRepositoryAlone:
    """Few corrections share a word, and only those of one repository anything else."""

    def test_the_others_are_not_of_it(self) -> None:
        (found,) = corrected(
            ("wrong, the ledger is closed in the evening", ["edit:Closing.ts"]),
            ("no, that ledger again, it was right before", ["edit:Closing.ts"]),
            ("the old ledger is what I meant", ["edit:intro.md"]),
            repos="app app site",
        )
        assert {member.repo for member in found.members.values()} == {"app"}

    def test_a_noun_that_all_ask_for_does_not_join_repositories(self) -> None:
        turns = [
            ("don't change the first migration, write another", ["edit:Full.ts"]),
            ("write a further migration, do not change that one", ["edit:Full.ts"]),
            ("stop the migration to the old branch", ["git log"]),
        ]
        (found,) = corrected(*turns, repos="app app site")
        assert {member.repo for member in found.members.values()} == {"app"}

    def test_each_of_two_repositories_stands_by_itself(self) -> None:
        turns = [
            ("wrong, the ledger is closed in the evening", ["edit:Closing.ts"]),
            ("no, that ledger again, it was right before", ["edit:Closing.ts"]),
            ("the old ledger is what I meant", ["edit:intro.md"]),
            ("which ledger did you take", ["edit:intro.md"]),
        ]
        found = corrected(*turns, repos="app app site site")
        assert {one.members[name].repo for one in found for name in one.members} == {"app", "site"}
        assert [len(one.members) for one in found] == [2, 2]
        assert len({one.id for one in found}) == 2

    def test_the_same_act_joins_repositories(self) -> None:
        turns: list[tuple[str, list[str]]] = [
            ("don't amend, write a new ledger", []),
            ("write the ledger first", []),
            ("you have to write a ledger for that. write the ledger", []),
        ]
        (found,) = corrected(*turns, repos="app site api")
        assert len(found.members) == 3


class TestGoesOn:
    """What a person objects to at once behind an objection is of the same thing."""

    def test_the_turn_behind_is_of_it_and_a_file_edited_twice_is_worth_knowing(self) -> None:
        first, second = (
            "why is the first migration changed rather than a new one added",
            "a fresh install runs each migration, why repeat the table there",
        )
        rest = "the staging data is gone and I would rather not go through that again"
        for minutes, count in ((1, 3), (3, 2)):
            seen = [
                Sighting(
                    session(1),
                    [
                        turn(1, first, "correction", led_to=["edit:Full.ts"]),
                        turn(60_000 * minutes, rest, "correction"),
                    ],
                ),
                Sighting(session(2), [turn(2, second, "correction", led_to=["edit:Full.ts"])]),
                Sighting(session(3), [turn(3, "not the migration here", "correction")]),
            ]
            found = group(seen, lambda _: True)
            (one,) = (one for one in found if "first migration" in one.title or len(found) == 1)
            turns = sum(member.count for member in one.members.values())
            assert turns - (session(3).id in one.members) == count


def test_two_remarks_behind_which_one_file_was_edited_are_worth_knowing() -> None:
    for led_to, tier in ((["edit:Full.ts"], "know"), (["git commit"], "rest")):
        texts = ("the ledger table goes there", "a ledger table, I said")
        seen = [
            Sighting(session(n), [turn(n, text, "correction", led_to=led_to)])
            for n, text in enumerate(texts, 1)
        ]
        assert [one.tier for one in group(seen, lambda _: True)] == [tier]


def test_files_of_one_name_in_two_folders_are_two() -> None:
    texts = ("the ledger table goes there", "a ledger table, I said")
    for places, tier in (((1, 1), "know"), ((1, 2), "rest")):
        seen = [
            Sighting(
                session(n),
                [turn(n, text, "correction", led_to=["edit:types.go"], edited=[place])],
            )
            for n, (text, place) in enumerate(zip(texts, places, strict=True), 1)
        ]
        assert [one.tier for one in group(seen, lambda _: True)] == [tier]
