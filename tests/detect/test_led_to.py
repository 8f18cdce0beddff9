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
