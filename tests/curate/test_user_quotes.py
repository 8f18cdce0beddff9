"""What users say, as guidance: whole sentences that say it."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.curate.draft.user_quotes import user_quotes
from helix_tui.schema.candidate import Candidate, Evidence
from tests.curate.candidates import candidate


def quotes(one: Candidate, *texts: str) -> list[str]:
    said = {Evidence(f"s{at}", at, None): f"user: {text}" for at, text in enumerate(texts)}
    return list(user_quotes(one, said))


def asked(subject: str) -> Candidate:
    return candidate("user-request-x-11223344", signal="instruction", subject=subject, title="“x”")


def test_only_the_sentence_that_says_it_is_quoted() -> None:
    text = "While we wait for the build. Add tooltips to every field. And rename the menu."
    assert quotes(asked("tooltips field"), text) == ["Add tooltips to every field."]


def test_a_sentence_that_would_be_cut_is_left_out() -> None:
    assert quotes(asked("tooltips"), "add tooltips " + "to this and that " * 20) == []


def test_what_takes_up_an_offer_is_no_guidance() -> None:
    assert quotes(asked("commit"), "yes, commit", "commit it") == []
    assert quotes(asked("release notes"), "ok, always put it into the release notes") == [
        "always put it into the release notes"
    ]


def test_an_order_of_its_moment_is_no_guidance() -> None:
    assert quotes(asked("main"), "lets get back to main") == []
    assert quotes(asked("todo"), "always add a todo for this") == []
    held = "commit changes as each task is completed"
    assert quotes(asked("commit"), held) == [held]


def test_an_order_is_no_rule_where_another_wants_to_be_part_of_it() -> None:
    told = "respond to each review comment directly"
    assert quotes(asked("respond review"), told) == [told]
    assert quotes(asked("respond review"), told, "let's respond to the review together") == []


def test_a_question_and_news_say_nothing_of_what_to_do() -> None:
    one = candidate("user-correction-x-11223344", signal="user_correction", subject="migration")
    assert quotes(one, "why is the first migration changed, rather than another added?") == []
    assert quotes(one, "we did a migration there and it was a one-off") == []
    assert quotes(one, "never change the first migration") == ["never change the first migration"]


def test_of_a_correction_the_sentence_that_lays_something_down_is_quoted() -> None:
    one = candidate("user-correction-x-11223344", signal="user_correction", subject="migration")
    rule = "write another migration instead"
    assert quotes(one, "look at the migration", rule) == [rule]


def test_remarks_are_no_guidance_though_they_say_no() -> None:
    one = candidate("user-correction-x-11223344", signal="user_correction", subject="migration")
    news = ("the migration did not work and it was the wrong one", "that migration isn't the one")
    assert quotes(one, *news) == []
    late = "we did a migration but that should have been a one-off operation"
    assert quotes(one, late) == []


def test_a_proposal_for_the_work_at_hand_is_no_guidance() -> None:
    one = candidate("user-correction-x-11223344", signal="user_correction", subject="types")
    for name in list(one.members)[2:]:
        del one.members[name]
    assert quotes(one, "I think we should separate the hook types for clarity.") == []
    rule = "we should always keep the types apart"
    assert quotes(one, rule) == [rule]


def test_a_question_after_something_instead_is_no_rule_and_an_order_beside_it_is() -> None:
    one = candidate("user-correction-x-11223344", signal="user_correction", subject="migration")
    asks = "why is the first migration changed, rather than another added?"
    reworked = replace(one, reworked="first.sql")
    assert quotes(reworked, asks) == []
    rule = "never change the first migration, add another instead"
    assert quotes(reworked, asks, rule) == [rule]
