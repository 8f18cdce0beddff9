"""The quality gate: which sessions count, and which rule drops the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from helix_tui.config import load
from helix_tui.detect.quality import GATES, count_sessions, gate_of
from helix_tui.schema.quality import Quality
from tests.agents import ClaudeStory, story, work
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.detect.made import gated

KNOBS = Quality()


@pytest.mark.parametrize(
    ("fields", "gate"),
    [
        ({}, None),
        ({"repo": None}, "no_repo"),
        ({"repo": ""}, "no_repo"),
        ({"profile": {"prompts": 0}}, "no_prompt"),
        ({"events": 7}, "few_events"),
        ({"events": 8}, None),
        ({"profile": {"useful_calls": 2}}, "few_tool_calls"),
        ({"profile": {"useful_calls": 3}}, None),
        ({"profile": {"useful_calls": 0, "marks": 1}}, None),
        ({"profile": {"tasks": 0}}, "trivial_prompt"),
        ({"profile": {"tasks": 0, "useful_calls": 20}}, None),
        ({"profile": {"prompts": 1, "interruptions": 1, "useful_calls": 5}}, "interrupted_start"),
        ({"profile": {"prompts": 1, "interruptions": 1, "useful_calls": 6}}, None),
        ({"profile": {"prompts": 2, "interruptions": 1, "useful_calls": 5}}, None),
    ],
)
def test_each_rule(fields: dict[str, Any], gate: str | None) -> None:
    assert gate_of(gated(**fields), KNOBS) == gate


def test_every_rule_says_what_it_means() -> None:
    dropped = [
        gated(repo=None),
        gated(profile={"prompts": 0}),
        gated(events=1),
        gated(profile={"useful_calls": 0}),
        gated(profile={"tasks": 0}),
        gated(profile={"prompts": 1, "interruptions": 1, "useful_calls": 5}),
    ]
    assert [gate_of(one, KNOBS) for one in dropped] == list(GATES)


@pytest.mark.parametrize(
    ("knobs", "fields"),
    [
        (Quality(min_events=1), {"events": 1}),
        (Quality(min_tool_calls=0), {"profile": {"useful_calls": 0}}),
        (Quality(require_repo=False), {"repo": None}),
        (Quality(require_task=False), {"profile": {"tasks": 0, "prompts": 0}}),
    ],
)
def test_each_knob_opens_its_rule(knobs: Quality, fields: dict[str, Any]) -> None:
    assert gate_of(gated(**fields), KNOBS) is not None
    assert gate_of(gated(**fields), knobs) is None


def test_knobs_come_from_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        "[detect]\nmin_sessions = 5\n[detect.quality]\nmin_events = 1\nmin_tool_calls = 0\n"
        "require_repo = false\nrequire_task = false\n"
    )
    detect = load(file, tmp_path / "store", {"HOME": str(tmp_path)}).detect
    assert (detect.min_sessions, detect.quality) == (5, Quality(1, 0, False, False))


class TestChildren:
    """Sub-agents count under the session that began them."""

    def test_a_child_counts_as_its_root_and_is_not_asked(self) -> None:
        rows = [gated("a"), gated("b", "a", events=1), gated("c", "b", repo=None)]
        counted = {one.id: one for one in count_sessions(rows, KNOBS).values()}
        assert {one.root for one in counted.values()} == {"a"}
        assert {one.gate for one in counted.values()} == {None}
        assert counted["c"].repo == "app"

    def test_a_dropped_root_drops_its_children(self) -> None:
        rows = [gated("a", events=1), gated("b", "a")]
        counted = count_sessions(rows, KNOBS)
        assert {one.gate for one in counted.values()} == {"few_events"}

    def test_an_orphan_stands_for_itself(self) -> None:
        rows = [gated("b", "gone"), gated("c", "b"), gated("d", "gone too", events=1)]
        counted = {one.id: one for one in count_sessions(rows, KNOBS).values()}
        assert (counted["b"].root, counted["c"].root) == ("b", "b")
        assert (counted["b"].gate, counted["d"].gate) == (None, "few_events")

    @pytest.mark.parametrize(("one", "two"), [("a", "b"), ("b", "a")])
    def test_a_ring_has_one_root(self, one: str, two: str) -> None:
        rows = [gated(one, two), gated(two, one)]
        assert {found.root for found in count_sessions(rows, KNOBS).values()} == {"a"}


class TestSwept:
    """What a sweep makes of real logs."""

    def test_sessions_say_which_rule_drops_them(self, bench: Workbench) -> None:
        good, tiny = ClaudeStory(), ClaudeStory(session="tiny")
        work(good)
        tiny.ask("hello")
        tiny.say("Hi!")
        good.save(bench.home)
        tiny.save(bench.home)
        bench.sweep()
        gates = {name: one.gate for name, one in bench.sessions().items()}
        assert gates == {f"claude:{good.session}": None, "claude:tiny": "few_events"}
        (dropped,), _ = bench.engine().candidates.dropped()
        assert (dropped.id, dropped.gate, dropped.reason) == (
            "claude:tiny",
            "few_events",
            GATES["few_events"],
        )

    @pytest.mark.parametrize("asked", ["hi", "ping", "say ok", "are you there?", "test", "2+2"])
    def test_a_smoke_test_is_no_work(self, bench: Workbench, asked: str) -> None:
        log = story("codex")
        log.ask(asked)
        for number in range(6):
            log.run(f"ls {number}", "ok")
        log.save(bench.home)
        bench.sweep()
        assert bench.session().gate == "trivial_prompt"

    def test_a_stub_of_which_only_a_child_is_known(self, bench: Workbench) -> None:
        agent = ClaudeLog(agent="abc")
        agent.prompt("look around in the parser")
        for number in range(6):
            agent.step(f"ls {number}")
        agent.write(bench.home)
        bench.sweep()
        assert bench.session().gate is None

    def test_another_setting_counts_at_once(self, bench: Workbench, tmp_path: Path) -> None:
        log = ClaudeStory()
        log.ask("have a look at the parser")
        log.run("jq . a.json", "bash: line 1: jq: command not found", 127)
        log.save(bench.home)
        bench.sweep()
        assert bench.session().gate == "few_events"
        bench.config = tmp_path / "config.toml"
        bench.config.write_text(
            "[detect]\nmin_sessions = 1\n[detect.quality]\nmin_events = 1\nmin_tool_calls = 1\n"
        )
        shown = bench.helix("detect", "--json", "--config", str(bench.config)).json["candidates"]
        assert [one["subject"] for one in shown] == ["jq"]
        assert bench.session().gate is None
