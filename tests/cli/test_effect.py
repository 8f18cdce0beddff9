"""`helix effect` as it is typed: words for people, names for scripts, and bad input."""

from __future__ import annotations

import pytest

from tests.agents import story, work
from tests.conftest import Workbench


@pytest.fixture
def small(bench: Workbench) -> Workbench:
    for number in range(1, 5):
        log = story("codex", number, start=number * 9000)
        work(log)
        log.run("jq . a.json", "bash: line 1: jq: command not found", 127)
        log.save(bench.home)
    bench.sweep()
    return bench


def test_nothing_taught_says_what_to_do(small: Workbench) -> None:
    assert "`helix distribute plan`" in small.helix("effect").out
    assert small.helix("effect", "--json").json["patterns"] == []


def test_a_candidate_since_a_time(small: Workbench) -> None:
    ran = small.helix("effect", "command-not-found-jq", "--at", "2026-02-02T07:00:00Z", "--json")
    (row,) = ran.json["patterns"]
    assert (row["how"], row["state"]) == ("given", "too_few")
    assert row["since"] == "2026-02-02T07:00:00.000Z"
    assert (row["before"]["with"], row["after"]["with"]) == (1, 3)
    assert len(row["sessions"]) == 4
    said = small.helix("effect", "command-not-found-jq", "--at", "2026-02-02T07:00:00Z").out
    assert "An opportunity: sessions that used a shell." in said


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("command-not-found-jq",), 2),
        (("nothing-such", "--at", "7d"), 66),
        (("--at", "7d"), 2),
        (("--rule", "AGENTS.md"), 2),
        (("--rule", "/nowhere/AGENTS.md:3"), 66),
    ],
)
def test_bad_input_is_told(small: Workbench, arguments: tuple[str, ...], code: int) -> None:
    ran = small.helix("effect", *arguments, check=False)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("helix: ")
