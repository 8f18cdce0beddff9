"""There is advice for all that Helix knows, and it is short, plain and its own."""

from __future__ import annotations

from typing import get_args

import pytest

from helix_tui.curate.draft.advice import Advice, advice_of, advice_table, filled
from helix_tui.schema.signal import SignalName
from helix_tui.text.refuse import refusals
from helix_tui.text.signature.classes import MEANINGS
from tests.curate.candidates import candidate

TABLE = advice_table()
EVERY = [
    (f"{kind} {name}", advice)
    for kind, rows in (
        ("class", TABLE.error_class),
        ("signal", TABLE.signal),
    )
    for name, advice in rows.items()
]
NAMED = "a-name-of-thirty-characters-xx"


def texts(advice: Advice) -> list[str]:
    return [
        advice.title,
        advice.problem,
        advice.applies,
        advice.does_not_apply,
        *advice.guidance,
    ]


def test_every_class_has_advice_and_no_other_has() -> None:
    assert TABLE.error_class.keys() == MEANINGS.keys()


def test_every_signal_has_advice() -> None:
    assert set(get_args(SignalName)) <= TABLE.signal.keys()
    assert TABLE.signal.keys() - set(get_args(SignalName)) == {
        "abandoned_question",
        "workflow_collection",
        "workflow_command",
        "workflow_run",
        "workflow_run_first",
    }


@pytest.mark.parametrize(("name", "advice"), EVERY)
@pytest.mark.parametrize("subject", ["", NAMED])
def test_advice_is_short_and_whole_with_and_without_a_subject(
    name: str, advice: Advice, subject: str
) -> None:
    said = [filled(text, subject, "rate_limited") for text in texts(advice)]
    title, problem, applies, does_not_apply, *guidance = said
    assert 10 <= len(title) <= 110
    assert not title.endswith(".")
    assert 30 <= len(problem) <= 300
    assert 15 <= len(applies) <= 160
    assert 10 <= len(does_not_apply) <= 160
    assert 1 <= len(guidance) <= 4
    assert all(15 <= len(line) <= 180 for line in guidance)
    for text in said:
        assert "{subject" not in text
        assert "{class" not in text
        assert "  " not in text
        assert text.count("`") % 2 == 0
        assert text[0] == "`" or not text[0].islower()
    assert problem.endswith(".")
    assert all(line.endswith((".", ":", "?")) for line in guidance)
    assert refusals("\n".join(said)) == []


@pytest.mark.parametrize(("name", "advice"), EVERY)
def test_when_it_applies_can_end_another_sentence(name: str, advice: Advice) -> None:
    assert advice.applies.startswith("When ")
    assert advice.applies.endswith(".")
    assert ". " not in advice.applies


def test_titles_are_all_different() -> None:
    titles = [filled(advice.title, "") for _, advice in EVERY]
    assert len(set(titles)) == len(titles)


def test_a_subject_stands_as_code_or_is_told_in_other_words() -> None:
    assert filled("Do without {subject|a program}", "rg") == "Do without `rg`"
    assert filled("Do without {subject|a program}", "") == "Do without a program"
    assert filled("A fault{subject: (*)}.", "TS2564") == "A fault (`TS2564`)."
    assert filled("A fault{subject: (*)}.", "") == "A fault."


def test_what_looks_like_a_hole_in_a_subject_stays_as_it_is() -> None:
    assert filled("Use {subject|it}", "{subject|x}") == "Use `{subject|x}`"


@pytest.mark.parametrize(("name", "advice"), EVERY)
def test_each_way_out_that_advice_covers_is_told_by_a_line_of_it(name: str, advice: Advice) -> None:
    assert all(1 <= number <= len(advice.guidance) for number in advice.covers.values())


def test_a_failing_model_gets_advice_of_its_own() -> None:
    refused = candidate(signal="api_error", error_class="connection_refused", subject="docker")
    limited = candidate(signal="api_error", error_class="rate_limited")
    assert advice_of(refused) is TABLE.signal["api_error"]
    assert advice_of(limited) is TABLE.error_class["rate_limited"]


def test_sessions_left_with_a_question_and_with_an_error_are_two_things() -> None:
    asked = advice_of(candidate(signal="abandoned", subject="question"))
    failed = advice_of(candidate(signal="abandoned", subject="error"))
    assert asked.title != failed.title
