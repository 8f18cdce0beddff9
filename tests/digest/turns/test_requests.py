"""What people say is a signal, by what it is: a command, a text used again, words of their own."""

from __future__ import annotations

import pytest

from helix_tui.schema.signal import Signal
from helix_tui.text.said import decoded
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


def requests(bench: Workbench, log: Story) -> list[Signal]:
    """What is said in a session and is no mark."""
    return signals_in(bench, log).get("user_request", [])


@pytest.mark.parametrize(
    ("text", "words", "is_order"),
    [
        ("commit the changes", ["commit", "chang"], True),
        ("ok, lets push this branch", ["push", "branch"], True),
        ("please write up the design doc", ["writ", "design", "doc"], True),
        ("the printer has an active low sensor", ["printer", "activ", "low", "sensor"], False),
    ],
)
def test_words_are_known_by_what_they_tell(
    bench: Workbench, told: Story, text: str, words: list[str], is_order: bool
) -> None:
    told.ask(text)
    (first, asked, *_) = requests(bench, told)
    (clause,) = decoded(asked.template)
    assert (first.verb, asked.subject) == ("first", "")
    assert ([*clause.words], clause.is_order) == (words, is_order)


def test_an_answer_asks_for_nothing(bench: Workbench, told: Story) -> None:
    told.ask("2")
    assert [one.verb for one in requests(bench, told)] == ["first", "files"]


def test_the_names_of_files_go_along(bench: Workbench, told: Story) -> None:
    (*_, files) = requests(bench, told)
    assert (files.verb, files.fingerprints) == ("files", [])
    assert files.template


def test_a_text_with_many_parts_is_known_by_how_it_begins(bench: Workbench, told: Story) -> None:
    told.ask("Follow this plan now:\n\n## One\n- a\n- b\n\n## Two\n- c\n\n## Three\n- d\n- e\n- f")
    assert "¶ follow this plan now" in [one.subject for one in requests(bench, told)]


def test_a_slash_command_is_known_by_its_name(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("rename the parser of the tables")
    log.edit()
    log.ask("/ship:check the narrow table")
    found = [one for some in signals_in(bench, log).values() for one in some]
    commands = [one.subject for one in found if one.subject.startswith("/")]
    assert commands == ["/ship:check", "/: ship"]
    assert any("narrow tabl" in one.template for one in found)


def test_a_command_is_of_the_collection_that_the_agent_then_calls(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("rename the parser of the tables")
    log.edit()
    log.ask("/review")
    log.run("git log -1")
    called = {"description": "Look at it", "prompt": "…", "subagent_type": "ship:reviewer"}
    log.use("Task", called, "fine")
    found = [one for some in signals_in(bench, log).values() for one in some]
    (of,) = [one for one in found if one.subject == "/: ship"]
    assert (of.template, of.led_to) == ("/review", ["ship:reviewer"])


def test_a_correction_says_where_the_file_lies_that_it_objects_to(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("rename the parser of the tables")
    log.edit("/work/app/gen/proto/table.pb.go")
    log.say("The parser has its new name.")
    log.ask("no, nothing in gen")
    log.run("git checkout -- gen")
    found = [one for some in signals_in(bench, log).values() for one in some]
    (said,) = [one for one in found if one.name == "user_correction"]
    assert said.lies == ["{generated}", "app", "gen", "proto"]


def test_a_command_that_the_person_ran_stands_before_what_they_ask(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("rename the parser of the tables")
    log.edit()
    log.say("The parser has its new name.")
    log.ask("<bash-input>uv run pytest -q</bash-input>")
    log.ask("please fix these")
    (ran,) = (one for one in requests(bench, log) if one.subject)
    assert (ran.subject, ran.check, ran.step) == ("$ pytest", "test", "uv run pytest")


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("the linting still fails", "lint"),
        ("TestParser_Tables still fails", "test"),
        (
            "it still crashes:\n\nTraceback (most recent call last):\n"
            "  File \"a.py\", line 1\nKeyError: 'x'",
            "",
        ),
        ("it still fails, " + "the host is compared as it stands, " * 7 + "so I tested it", ""),
        ("still broken:\n\n> git push\nfatal: unable to read abc", ""),
        ("that still does not look right", ""),
        ("the redirect still does not work, maybe a step is missing in the build?", ""),
        ("still broken. I suspect you run no tests", ""),
        ("that is still broken, maybe the cache. two tests fail", "test"),
        ("two tests still fail, can we maybe look at them here", "test"),
    ],
)
def test_a_report_says_which_check_is_red(
    bench: Workbench, told: Story, text: str, check: str
) -> None:
    told.ask("rename the table as well")
    told.edit()
    told.say("Done. Everything is renamed.")
    told.ask(text)
    (report,) = signals_in(bench, told)["error_persistence"]
    assert report.check == check


_GREEN, _RED = "===== 3 passed in 0.10s =====", "===== 1 failed, 2 passed in 0.10s ====="


@pytest.mark.parametrize(
    ("ran", "then", "said", "is_excused"),
    [
        ((), "", "Done.", False),
        (("pytest", _GREEN), "", "Done.", True),
        (("pytest", _GREEN), "/work/app/README.md", "Done.", True),
        (("pytest", _GREEN), "/work/app/other.py", "Done.", False),
        (("pytest", _RED), "", "Done.", False),
        (("ruff check .", "All checks passed!"), "", "Done.", False),
        ((), "", "Done. I could not run the tests: the sandbox has no Python.", True),
        ((), "", "Everything is renamed. The tests were not run.", True),
    ],
)
def test_a_report_on_a_check_says_whether_the_agent_had_run_it(
    bench: Workbench, ran: tuple[str, ...], then: str, said: str, is_excused: bool
) -> None:
    log = ClaudeStory()
    log.ask("rename the table as well")
    log.edit()
    if ran:
        log.run(ran[0], ran[1])
    if then:
        log.edit(then)
    log.say(said)
    log.ask("two tests still fail")
    (report,) = signals_in(bench, log)["error_persistence"]
    assert (report.check, report.is_excused) == ("test", is_excused)


def test_a_report_on_a_check_names_how_it_is_run_there(bench: Workbench) -> None:
    log = ClaudeStory()
    log.ask("rename the table as well")
    log.run("uv run pytest -x tests/test_a.py", "===== 3 passed in 0.10s =====")
    log.edit()
    log.say("Done.")
    log.ask("two tests still fail")
    (report,) = signals_in(bench, log)["error_persistence"]
    assert (report.step, report.is_excused) == ("uv run pytest", False)


def test_what_the_agent_does_behind_it_goes_along(bench: Workbench, told: Story) -> None:
    told.ask("now run it and mend the table")
    for _ in range(3):
        told.run("ls")
    told.run("uv run pytest -q")
    found = [one for one in requests(bench, told) if "mend" in one.template or "tabl" in one.text]
    assert found[-1].led_to == ["check:test", "pytest"]
