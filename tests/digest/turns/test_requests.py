"""What people ask for in passing is a signal; tasks, answers, refusals and pasted text are none."""

from __future__ import annotations

import pytest

from tests.agents import FLAVORS, ClaudeStory, Story, story
from tests.conftest import Workbench
from tests.digest.signals import signals_in


@pytest.fixture(params=FLAVORS)
def told(request: pytest.FixtureRequest) -> Story:
    """A session of each agent in which something was done."""
    made = story(request.param)
    made.ask("rename the parser of the tables")
    made.edit()
    made.say("The parser has its new name.")
    return made


def subjects(bench: Workbench, log: Story) -> list[str]:
    """What is asked for in a session."""
    return [request.subject for request in signals_in(bench, log).get("user_request", [])]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("commit the changes", "commit chang"),
        ("ok, lets push this branch", "push branch"),
        ("please write up the design doc", "writ design"),
    ],
)
def test_a_brief_order_is_known_by_its_verb_and_its_thing(
    bench: Workbench, told: Story, text: str, subject: str
) -> None:
    told.ask(text)
    assert subjects(bench, told) == [subject]


@pytest.mark.parametrize(
    "text",
    [
        "don't commit the changes",
        "continue",
        "yes, go ahead",
        "2",
        "fix the issue",
        "the printer has an active low sensor",
        "commit the changes " + "and mind what the other page says of the tables " * 6,
    ],
)
def test_what_is_no_order_is_none(bench: Workbench, told: Story, text: str) -> None:
    told.ask(text)
    assert subjects(bench, told) == []


def test_what_a_session_begins_with_is_its_task(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("commit the changes")
    log.run("git commit -m x", "ok")
    assert subjects(bench, log) == []


def test_a_command_that_the_person_ran_stands_before_what_they_ask(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("rename the parser of the tables")
    log.edit()
    log.say("The parser has its new name.")
    log.ask("<bash-input>uv run pytest -q</bash-input>")
    log.ask("please fix these")
    assert subjects(bench, log) == ["$ pytest"]
