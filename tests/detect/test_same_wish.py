"""Whether two orders that name a thing are one wish, and what a row of them costs."""

from __future__ import annotations

from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate, Sighting
from tests.detect.made import DAY, NOW, session
from tests.detect.turns import turn


def asked(*texts: str, kind: str = "none", chars: int = 0) -> list[Candidate]:
    """The candidates of turns, each of a conversation and a day of its own."""
    seen = []
    for n, text in enumerate(texts, 1):
        at = NOW + n * DAY
        said = turn(n, text, kind, first_ts=at, last_ts=at, chars=chars)
        seen.append(Sighting(session(n), [said]))
    return group(seen, lambda _: True)


def test_a_file_made_once_and_kept_up_elsewhere_is_no_wish_of_two() -> None:
    (found,) = asked(
        "Can you collect all steps and place them in a docs/run_book.md file?",
        "update run_book.md and the notes",
    )
    assert (found.tier, found.subject) == ("rest", "run_book.md")
    assert found.tier_reason == "people name the same file, and each orders something else of it"


def test_the_same_act_on_the_same_file_is() -> None:
    found = asked("always update run_book.md", "keep run_book.md current before a release")
    assert any(one.tier == "fix" for one in found)


def test_a_word_that_two_other_acts_are_about_is_no_thing() -> None:
    assert asked("keep the exporters separate", "implement the fonts as a separate part") == []


def test_what_is_due_behind_each_thing_of_one_task_is_not_quoted_as_a_rule() -> None:
    rows = asked(
        "After each sensor is wired, write a changelog entry",
        "write a changelog entry once a task is done",
    )
    assert [one.title.partition(": ")[2] for one in rows] == [
        "“write a changelog entry once a task is done”"
    ]


def test_what_a_turn_cost_is_shared_by_the_rows_that_hold_it() -> None:
    both = "always write a changelog entry. Please run the smoke suite before a release."
    rows = asked(both, "write a changelog entry", "run the smoke suite", chars=100)
    costs = sorted(sum(one.chars for one in row.members.values()) for row in rows)
    assert costs == [150, 150]


def test_an_order_behind_an_objection_that_led_to_nothing_says_what_it_is_for() -> None:
    edit = ["edit:schema.rb"]
    first = turn(1, "Why is schema.rb changed by hand?", "correction", first_ts=NOW)
    order = turn(2, "revert schema.rb and add a migration instead", first_ts=NOW, led_to=edit)
    other = turn(3, "no, the migration has that column", "correction", led_to=edit)
    seen = [Sighting(session(1), [first, order]), Sighting(session(2), [other])]
    (found,) = group(seen, lambda _: True)
    assert (found.sort, found.tier, found.reworked) == ("correction", "fix", "schema.rb")
    assert "“revert schema.rb and add a migration instead”" in found.title


def test_a_question_after_what_should_have_been_done_instead_says_it() -> None:
    edit = ["edit:schema.rb"]
    asks = "Why is the first migration changed, rather than adding one?"
    why = turn(1, asks, "correction", led_to=edit)
    other = turn(2, "but the migration has that column", "correction", led_to=edit)
    seen = [Sighting(session(n), [one]) for n, one in enumerate((why, other), 1)]
    (found,) = group(seen, lambda _: True)
    assert (found.tier, found.title) == ("fix", f"user corrects in app: “{asks}”")
