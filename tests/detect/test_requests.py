"""What people use again in the same form: commands, texts, what they run before they ask."""

from __future__ import annotations

import pytest

from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate, Sighting
from tests.detect.made import session, signal


def used(subject: str, *texts: str, repos: tuple[str, ...] = ()) -> list[Candidate]:
    """The candidates of one subject, each use in a conversation of its own."""
    seen = [
        Sighting(
            session(n, repo=repos[n - 1] if repos else "app"),
            [signal("user_request", n, tool_class="", subject=subject, text=text)],
        )
        for n, text in enumerate(texts, 1)
    ]
    return group(seen, lambda _: True)


@pytest.mark.parametrize(
    ("subject", "text", "title", "tier"),
    [
        ("/ship:check", "/ship:check", "user runs `/ship:check` in app again and again", "rest"),
        (
            "$ pytest",
            "fix these. All.",
            "user runs `pytest` by hand in app, then asks: “fix these.”",
            "rest",
        ),
        (
            "¶ follow this plan",
            "Follow this plan:",
            "user hands over the same text in app again: “Follow this plan:”",
            "rest",
        ),
    ],
)
def test_what_two_conversations_use_is_a_workflow(
    subject: str, text: str, title: str, tier: str
) -> None:
    (found,) = used(subject, text, text)
    assert (found.sort, found.kind, found.tier) == ("workflow", "success", tier)
    assert found.title == title
    assert used(subject, text) == []


def test_across_repositories_it_takes_three() -> None:
    assert used("/ship", "/ship", "/ship", repos=("app", "site")) == []
    assert len(used("/ship", *["/ship"] * 3, repos=("app", "site", "site"))) == 1


def test_sessions_of_one_conversation_are_one() -> None:
    seen = [
        Sighting(session(n, root="claude:0001"), [signal("user_request", n, subject="/ship")])
        for n in (1, 2, 3)
    ]
    assert group(seen, lambda _: True) == []


def test_what_an_agent_tells_its_sub_agents_is_nobodys_wish() -> None:
    seen = [
        Sighting(session(n), [signal("user_request", n, subject="/ship")], True) for n in (1, 2)
    ]
    assert group(seen, lambda _: True) == []


def of_collection(*commands: tuple[int, str]) -> list[Candidate]:
    """The candidates of commands of one collection, each with the number of its conversation."""
    seen = [
        Sighting(
            session(n),
            [signal("user_request", at, subject="/: ship", template=command, text=command)],
        )
        for at, (n, command) in enumerate(commands, 1)
    ]
    return group(seen, lambda _: True)


def test_commands_of_one_collection_are_told_together() -> None:
    (found,) = of_collection((1, "/ship:check"), (2, "/ship:plan"), (2, "/review"))
    assert found.title == (
        "user works with the commands of `ship` in app: `/review`, `/ship:check`, `/ship:plan`"
    )
    assert (found.sort, found.tier, len(found.members)) == ("workflow", "rest", 2)


def test_a_command_that_recurs_is_told_by_itself_and_not_with_its_collection() -> None:
    again = ((1, "/ship:check"), (2, "/ship:check"))
    assert of_collection(*again, (1, "/ship:plan")) == []
    (found,) = of_collection(*again, (1, "/ship:plan"), (3, "/ship:cut"))
    assert "check" not in found.title


def test_one_conversation_of_a_collection_is_nothing() -> None:
    assert of_collection((1, "/ship:check"), (1, "/ship:plan")) == []


def test_a_check_that_people_run_by_hand_is_one_that_agents_can_run() -> None:
    ran = {"subject": "$ pytest", "check": "test", "step": "uv run pytest"}
    seen = [
        Sighting(
            session(n), [signal("user_request", n, tool_class="", text="please fix these", **ran)]
        )
        for n in (1, 2)
    ]
    (found,) = group(seen, lambda _: True)
    assert (found.tier, found.check, found.shape) == ("fix", "test", "uv run pytest")
    assert found.title == "user runs `uv run pytest` by hand in app, then asks: “please fix these”"


def by_hand(*steps: str, is_first: bool = False) -> list[Candidate]:
    """The candidates of checks that people ran, each in a conversation of its own."""
    seen = [
        Sighting(
            session(n),
            [
                signal(
                    "user_request", n, tool_class="", subject="$ pytest", text="fix these",
                    check="test", step=step, shape="uv run pytest", is_excused=is_first,
                )
            ],
        )
        for n, step in enumerate(steps, 1)
    ]  # fmt: skip
    return group(seen, lambda _: True)


def test_two_suites_of_one_runner_are_two() -> None:
    web, rest = "uv run pytest -m browser", 'uv run pytest -m "not browser"'
    assert by_hand(web, rest) == []
    (found,) = by_hand(web, rest, web)
    assert (found.subject, found.shape, len(found.members)) == (web, "uv run pytest", 2)


def test_a_check_by_hand_is_for_the_agent_to_run_where_it_had_handed_something_over() -> None:
    assert [one.tier for one in by_hand("mypy app", "mypy app")] == ["fix"]
    assert [one.tier for one in by_hand("mypy app", "mypy app", is_first=True)] == ["rest"]


def test_texts_that_share_only_how_they_begin_are_not_called_the_same() -> None:
    (found,) = used(
        "¶ do as planned",
        "Do as planned: cache the rates for an hour, and drop the timer that fetched them",
        "Do as planned: tenants become workspaces in every view, with redirects",
    )
    assert found.title == "user hands over texts in app that begin alike: “Do as planned:”"
