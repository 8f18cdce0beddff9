"""A program that was missing, and that a later conversation ran."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from helix_tui.store.detection.triggers import sessions_by_trigger
from helix_tui.text.triggers import run
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
def missed_in_three(bench: Workbench) -> Workbench:
    for number in (1, 2, 3):
        missed(bench, number)
    return bench


def test_it_is_there_by_now(missed_in_three: Workbench) -> None:
    assert tier(missed_in_three) == "know"
    ran(missed_in_three, 4)
    assert tier(missed_in_three) == "rest"
    missed(missed_in_three, 5)
    assert tier(missed_in_three) == "know"


def test_another_agent_or_repository_may_have_what_this_one_lacks(
    missed_in_three: Workbench,
) -> None:
    ran(missed_in_three, 4, "codex")
    ran(missed_in_three, 5, repo="web")
    assert tier(missed_in_three) == "know"


def made(bench: Workbench, number: int, output: str, code: int = 0, times: int = 1) -> None:
    log = story("codex", number, "app", start=number * DAY)
    log.ask("make the next feature")
    work(log)
    for _ in range(times):
        log.run("./scripts/make-feature.sh next", output, code)
    log.say("That is all.")
    log.save(bench.home)


def feature(bench: Workbench) -> tuple[str, str]:
    bench.sweep()
    ranked = bench.engine().candidates.detect(EVERYTHING).ranked
    (found,) = (one.candidate for one in ranked if one.candidate.shape.startswith("make-feature"))
    return found.tier, found.tier_reason


@pytest.mark.parametrize("later", [(1, 1), (2,)])
def test_a_script_that_passes_unchanged_again_and_again_is_mended(
    bench: Workbench, later: tuple[int, ...]
) -> None:
    red = "./scripts/make-feature.sh: line 7: bad number of the branch"
    for number in (1, 2):
        made(bench, number, red, 1)
    assert feature(bench)[0] == "know"
    for number, times in enumerate(later, 3):
        assert feature(bench)[0] == "know"
        made(bench, number, "branch 004 is there", times=times)
    tier, reason = feature(bench)
    assert tier == "rest"
    assert reason.startswith("passed unchanged since ")
    made(bench, 9, red, 1)
    assert feature(bench)[0] == "know"


def test_many_programs_are_looked_for_at_once(missed_in_three: Workbench) -> None:
    ran(missed_in_three, 4)
    missed_in_three.sweep()
    names = {run(f"tool{number}") for number in range(20)} | {run("jq")}
    with closing(sqlite3.connect(missed_in_three.store / "store.db")) as connection:
        at_once = sessions_by_trigger(connection, names)
        alone = sessions_by_trigger(connection, [run("jq")])
    assert len(alone[run("jq")]) == 4
    assert at_once[run("jq")] == alone[run("jq")]
    assert not any(found for name, found in at_once.items() if name != run("jq"))
