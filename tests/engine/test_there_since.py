"""A program that was missing, and that a later conversation ran."""

from __future__ import annotations

import pytest

from tests.agents import story, work
from tests.conftest import Workbench
from tests.engine.trouble_log import EVERYTHING

DAY = 86_400


def missed(bench: Workbench, number: int, flavor: str = "claude", repo: str = "app") -> None:
    log = story(flavor, number, repo, start=number * DAY)
    log.ask("sum up the state of the outputs")
    work(log)
    log.run("jq .outputs state.json", "bash: jq: command not found", 127)
    log.say("I read it by hand.")
    log.save(bench.home)


def ran(bench: Workbench, number: int, flavor: str = "claude", repo: str = "app") -> None:
    log = story(flavor, number, repo, start=number * DAY)
    log.ask("sum up the state of the outputs")
    work(log)
    log.run("jq .outputs state.json", "{}")
    log.say("There are none.")
    log.save(bench.home)


def tier(bench: Workbench) -> str:
    bench.sweep()
    engine = bench.engine()
    (found,) = (
        one
        for one in engine.candidates.detect(EVERYTHING).ranked
        if one.candidate.error_class == "command_not_found"
    )
    # What is listed says the same as what is detected and what is asked for by name.
    assert engine.candidates.one(found.candidate.id).ranked[0].brief.tier == found.brief.tier
    listed = [one.brief.id for one in engine.candidates.listing().listed]
    assert (found.candidate.id in listed) == (found.brief.tier != "rest")
    return found.candidate.tier


@pytest.fixture
def bench_with_two(bench: Workbench) -> Workbench:
    for number in (1, 2, 3):
        missed(bench, number)
    return bench


def test_it_is_there_by_now(bench_with_two: Workbench) -> None:
    assert tier(bench_with_two) == "know"
    ran(bench_with_two, 4)
    assert tier(bench_with_two) == "rest"
    missed(bench_with_two, 5)
    assert tier(bench_with_two) == "know"


def test_another_agent_or_repository_may_have_what_this_one_lacks(
    bench_with_two: Workbench,
) -> None:
    ran(bench_with_two, 4, "codex")
    ran(bench_with_two, 5, repo="web")
    assert tier(bench_with_two) == "know"
