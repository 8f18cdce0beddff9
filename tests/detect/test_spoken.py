"""What people say again: asked for, corrected, or reported; and what only shares a word."""

from __future__ import annotations

from itertools import permutations

import pytest

from helix_tui.detect.group import group
from helix_tui.detect.said_titles import quote_of
from helix_tui.schema.candidate import Candidate, Sighting
from tests.detect.made import DAY, NOW, session
from tests.detect.turns import files, turn


def heard(*turns: tuple[str, str], repos: tuple[str, ...] = (), nouns: str = "") -> list[Candidate]:
    """The candidates of turns, each of a conversation of its own."""
    seen = [
        Sighting(
            session(n, repo=repos[n - 1] if repos else "app"),
            [turn(n, text, kind), *([files(*nouns.split())] if nouns else [])],
        )
        for n, (text, kind) in enumerate(turns, 1)
    ]
    return group(seen, lambda _: True)


def asked(*texts: str, repos: tuple[str, ...] = (), nouns: str = "") -> list[Candidate]:
    """The same of turns that are neither corrections nor reports."""
    return heard(*((text, "none") for text in texts), repos=repos, nouns=nouns)


class TestAsked:
    """The same act with the same thing, or the same two things, in several conversations."""

    def test_two_conversations_in_one_repository_are_enough(self) -> None:
        (found,) = asked("write the design doc", "please write up a design doc for this.")
        assert (found.sort, found.kind, found.signal) == ("instruction", "success", "instruction")
        assert found.title == "user asks in app: “write the design doc”"
        assert (found.tier, len(found.members)) == ("rest", 2)  # all of it on one day

    def test_a_wish_of_one_day_is_of_its_moment_unless_two_lay_it_down(self) -> None:
        def tier_of(*texts: str, days: int) -> str:
            turns = [
                turn(n, text, first_ts=NOW + n * days * DAY, last_ts=NOW + n * days * DAY)
                for n, text in enumerate(texts)
            ]
            seen = [Sighting(session(n), [one]) for n, one in enumerate(turns)]
            (found,) = group(seen, lambda _: True)
            return found.tier

        plain = ("write the design doc", "please write up a design doc for this")
        assert tier_of(*plain, days=0) == "rest"
        assert tier_of(*plain, days=2) == "know"
        ruled = "write the design doc before any code"
        assert tier_of(ruled, plain[1], days=2) == "know"
        assert tier_of(ruled, plain[1], days=0) == "rest"
        assert tier_of(ruled, "always write a design doc", days=0) == "fix"
        # What one lays down, and people come back to, is meant for more.
        assert tier_of(ruled, *plain, days=2) == "fix"

    def test_a_word_at_the_end_that_hangs_on_what_was_said_before_is_left_out(self) -> None:
        texts = ("Yes, then make sure all of the pages have captions as well.", "captions, yes")
        assert quote_of(["caption"], texts) == "make sure all of the pages have captions."

    def test_what_says_when_it_is_due_is_quoted_though_it_is_long(self) -> None:
        rule = (
            "After each change that you make, update the release_log.md file, the pages that tell "
            "how it is set up, and the table"
        )
        found = asked(rule, "keep release_log.md current", "tidy release_log.md up")
        assert any(f"“{rule}”" in one.title for one in found)

    def test_across_repositories_it_takes_three_and_the_same_act(self) -> None:
        texts = [
            "can we add some tests for it",
            "please add tests",
            "add a few tests for the lexer",
        ]
        assert asked(*texts[:2], repos=("app", "site")) == []
        assert len(asked(*texts, repos=("app", "site", "site"))) == 1

    def test_an_act_alone(self) -> None:
        (found,) = asked("yes, commit", "ok. commit, push")
        assert found.subject == "commit"
        assert asked("which commit?", "what does commit mean?") == []

    def test_two_words_in_common_are_no_wish(self) -> None:
        assert asked("there is a comment from reviewbot", "reviewbot has left some comments") == []

    def test_things_that_are_named_together_and_led_to_the_same(self) -> None:
        texts = ("there is a comment from reviewbot", "reviewbot has left some comments")
        turns = [turn(n, text, led_to=["gh pr"]) for n, text in enumerate(texts, 1)]
        seen = [Sighting(session(n), [one]) for n, one in enumerate(turns, 1)]
        (found,) = group(seen, lambda _: True)
        assert len(found.members) == 2
        own = [Sighting(one.session, [*one.signals, files("comment", "reviewbot")]) for one in seen]
        assert group(own, lambda _: True) == []

    def test_things_that_are_ordered_together(self) -> None:
        (found,) = asked("write a note to the audit journal", "log it in the journal of audits")
        assert found.title == "user asks in app: “log it in the journal of audits”"

    def test_a_text_that_two_conversations_begin_alike_is_nobodys_wish(self) -> None:
        body = "Package the current changes into a pull request. Follow these steps in order: " * 3
        assert asked(f"{body} first", f"{body} second") == []

    def test_what_is_quoted_is_not_what_they_say(self) -> None:
        texts = ('rename "active low" to high', 'why is it called "active low" here')
        assert asked(*texts) == []

    def test_two_tasks_may_speak_of_the_same_things(self) -> None:
        firsts = (("the invoice ledger is slow", "first"), ("move the invoice ledger", "first"))
        assert heard(*firsts) == []

    def test_a_task_that_is_given_again_is_a_workflow(self) -> None:
        (found,) = heard(
            ("can you generate a changelog for 1.2?", "first"),
            ("generate the changelog of 1.3", "first"),
        )
        assert found.sort == "workflow"
        assert (
            found.title == "user begins conversations in app with: “generate the changelog of 1.3”"
        )

    def test_one_conversation_that_repeats_itself_is_not_enough(self) -> None:
        repeated = [turn(1, "push the tag"), turn(2, "push the tag")]
        assert group([Sighting(session(1), repeated)], lambda _: True) == []

    def test_a_turn_with_two_wishes_counts_for_both(self) -> None:
        both = "push the release tag, then write the design doc"
        found = asked(both, "push the tag", "please write the design doc")
        assert sorted(len(one.members) for one in found) == [2, 2]

    def test_the_same_words_in_two_repositories_have_two_ids(self) -> None:
        texts = ["log a linear issue"] * 4
        found = asked(*texts, repos=("app", "app", "site", "site"))
        assert len({one.id for one in found}) == len(found)

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_the_order_of_arrival_makes_no_difference(self, order: tuple[int, ...]) -> None:
        texts = ("commit the changes", "commit those changes now", "then commit the changes")
        seen = [Sighting(session(n), [turn(n, text)]) for n, text in enumerate(texts, 1)]
        expected = group(seen, lambda _: True)
        assert len(expected) == 1
        assert group([seen[at] for at in order], lambda _: True) == expected


def corrected(*texts: str, tasks: tuple[str, ...] = ()) -> list[Candidate]:
    """The candidates of plain corrections, beside other turns."""
    return heard(*((text, "correction") for text in texts), *((text, "none") for text in tasks))


class TestAnyWork:
    """What any session may be asked for is worth a rule only where people say when it is due."""

    def test_is_of_the_rest(self) -> None:
        (found,) = asked("commit and push", "please commit and push")
        assert (found.tier, found.is_any_work) == ("rest", True)

    def test_unless_two_say_when(self) -> None:
        (found,) = asked(
            "commit the changes as each task is done", "commit your changes before you go on"
        )
        assert found.tier == "fix"


class TestCorrected:
    """Words that corrections share and other turns do not, and what they reject."""

    def test_a_word_of_three_conversations(self) -> None:
        (found,) = corrected("no emojis", "please stop with the emojis", "why all the emoji?")
        assert (found.sort, found.kind, found.tier) == ("correction", "problem", "fix")
        assert found.subject == "emojis"
        assert found.title == "user corrects in app: “no emojis”"

    def test_a_word_of_any_task_says_nothing(self) -> None:
        texts = ("not this parser", "the parser again?", "I said the parser is fine")
        tasks = ("speed up the parser", "the parser fails", "rename parser", "parser docs please")
        assert corrected(*texts, tasks=tasks) == []

    def test_two_words_are_enough_in_one_repository(self) -> None:
        (found,) = corrected("use a separate type here", "we should separate the types")
        assert found.sort == "correction"
        assert corrected("use a separate type here", "this type has no owner") == []

    def test_words_that_are_said_together_are_one_thing(self) -> None:
        texts = ("no english please, german", "not english, german", "english again?", "german!")
        (found,) = corrected(*texts, "german, as I said", "why english?")
        assert len(found.members) == 6

    def test_what_objects_to_the_same_action_follows_the_others(self) -> None:
        texts = (
            "no pushing please",
            "never push on your own",
            "why did you push?",
            "leave that to me",
        )
        turns = [turn(n, text, "correction", shape="git push") for n, text in enumerate(texts, 1)]
        seen = [Sighting(session(n), [one]) for n, one in enumerate(turns, 1)]
        (found,) = group(seen, lambda _: True)
        assert len(found.members) == 4

    def test_what_may_be_a_correction_joins_and_founds_nothing(self) -> None:
        nearly = ("emojis, really?", "nearly")
        plain = (("no emojis", "correction"), ("stop the emojis", "correction"))
        (found,) = heard(nearly, *plain)
        assert found.signals == {"user_correction": 2, "user_reaction": 1}
        assert heard(nearly, nearly, plain[0]) == []
        assert heard(*[nearly] * 5) == []


def test_red_checks_behind_finished_work_are_one_report() -> None:
    texts = ("linting is failing now", "two tests are red", "it does not compile")
    kinds = ("lint", "test", "build")
    turns = [
        turn(n, text, "report", check=check)
        for n, (text, check) in enumerate(zip(texts, kinds, strict=True), 1)
    ]
    seen = [Sighting(session(n, repo=f"r{n}"), [one]) for n, one in enumerate(turns, 1)]
    (found,) = group(seen, lambda _: True)
    assert (found.sort, found.tier, found.signal) == ("report", "fix", "error_persistence")
    assert found.title == (
        "work is said to be done, and the user finds lint, tests or the build red: "
        "“two tests are red”"
    )


def test_what_the_agent_had_run_or_said_that_it_had_not_is_no_instance() -> None:
    def tiers(*excused: bool) -> dict[str, tuple[str, int]]:
        turns = [
            turn(n, "two tests are red", "report", check="test", step="pytest", is_excused=one)
            for n, one in enumerate(excused, 1)
        ]
        seen = [Sighting(session(n), [one]) for n, one in enumerate(turns, 1)]
        return {one.subject: (one.tier, len(one.members)) for one in group(seen, lambda _: True)}

    assert tiers(False, False) == {"red check": ("fix", 2)}
    assert tiers(False, True) == {"red check": ("rest", 2)}
    assert tiers(False, False, True, True) == {
        "red check": ("fix", 2),
        "red check tried": ("rest", 2),
    }


def test_a_red_check_that_is_mostly_one_conversations_is_no_row() -> None:
    turns = [turn(n, "CI is red again", "report", check="ci") for n in range(1, 5)]
    seen = [Sighting(session(1), turns[:3]), Sighting(session(2), turns[3:])]
    assert [one.tier for one in group(seen, lambda _: True)] == ["rest"]
    seen = [Sighting(session(1), turns[:2]), Sighting(session(2), turns[2:])]
    (found,) = group(seen, lambda _: True)
    assert (found.tier, found.title) == (
        "fix",
        "work is said to be done in app, and the user finds CI red: “CI is red again”",
    )


def test_an_order_of_the_moment_makes_no_rule_of_one_correction() -> None:
    rule = "before you change anything, pull in the latest"
    for other, kind, tier in (
        ("pull in the latest and try that again please", "none", "rest"),
        ("pull in the latest and try that again please", "correction", "rest"),
        ("no, pull in the latest first", "correction", "fix"),
    ):
        found = heard((rule, "correction"), (other, kind))
        assert {one.tier for one in found} == {tier}


def test_a_pipeline_that_is_red_is_a_report_of_its_own() -> None:
    turns = [
        turn(1, "two tests are red", "report", check="test"),
        turn(2, "linting is failing now", "report", check="lint"),
        turn(3, "the CI badge says failing", "report", check="ci"),
        turn(4, "e2e tests still fail", "report", check="test", shape="git push"),
        turn(5, "types are broken", "report", check="types"),
    ]
    seen = [Sighting(session(n, repo=f"r{n}"), [one]) for n, one in enumerate(turns, 1)]
    found = {one.subject: len(one.members) for one in group(seen, lambda _: True)}
    assert found == {"red check": 3, "red pipeline": 2}


def test_corrections_behind_which_agents_do_the_same_are_about_the_same() -> None:
    texts = ("why is the lockfile in here", "you regenerated the lockfile??", "lockfile again")
    for led_to, count in (([], 0), (["git checkout"], 1)):
        turns = [turn(n, text, "correction", led_to=led_to) for n, text in enumerate(texts, 1)]
        seen = [Sighting(session(n, repo=f"r{n}"), [one]) for n, one in enumerate(turns, 1)]
        assert len(group(seen, lambda _: True)) == count


def test_two_corrections_in_one_repository_behind_which_the_agent_ran_what_they_name() -> None:
    texts = ("we use uv here", "uv, please")
    for led_to, count in ((["pip install"], 0), (["uv add"], 1)):
        turns = [turn(n, text, "correction", led_to=led_to) for n, text in enumerate(texts, 1)]
        seen = [Sighting(session(n), [one]) for n, one in enumerate(turns, 1)]
        assert len(group(seen, lambda _: True)) == count


def test_what_is_said_of_a_thing_is_quoted_with_the_order_behind_it() -> None:
    text = "there is a comment from reviewbot. address it if it applies"
    turns = [turn(n, text, led_to=["gh pr"]) for n in (1, 2)]
    seen = [Sighting(session(n), [one]) for n, one in enumerate(turns, 1)]
    assert any(f"“{text}”" in one.title for one in group(seen, lambda _: True))


def test_the_same_words_in_two_conversations_of_an_agent_without_ids_are_said_twice() -> None:
    seen = [
        Sighting(session(n, flavor="grok"), [turn(7, "log a linear issue for it")]) for n in (1, 2)
    ]
    assert [len(one.members) for one in group(seen, lambda _: True)] == [2]


def test_a_word_that_three_repositories_share_by_chance_is_no_finding() -> None:
    texts = ("don't align that left", "anything left", "it scrolls left to right again")
    turns = [turn(n, text, "correction") for n, text in enumerate(texts, 1)]
    seen = [Sighting(session(n, repo=f"r{n}"), [one]) for n, one in enumerate(turns, 1)]
    assert group(seen, lambda _: True) == []


def test_small_words_of_any_language_make_no_one_thing_of_corrections() -> None:
    said = ("nej, ikke sådan her", "ikke det der", "det er ikke nok")
    tasks = ("det skal ikke tage tid", "skift farven, ikke teksten", "det må ikke gå i stå")
    more = ("ikke i dag", "lad det være, ikke andet", "ikke før i morgen")
    assert corrected(*said, tasks=(*tasks, *more)) == []


def test_what_is_laid_down_counts_beside_corrections() -> None:
    (found,) = heard(
        ("always tsc first", "instruction"),
        ("you never ran tsc", "instruction"),
        ("run tsc!", "correction"),
        repos=("app", "web", "api"),
    )
    assert (found.sort, found.signal) == ("instruction", "instruction")
