"""What was taught before the sample is opened: the loop from one end to the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helix_tui.sample import UNTIL
from helix_tui.sample.loop import FILE, LOADING, REPO, TAUGHT, came_in
from helix_tui.schema.effect import Measured
from helix_tui.text.times import iso
from tests.conftest import Workbench

ENDED, WORSE, LATE = (one.candidate for one in TAUGHT)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    bench = Workbench(tmp_path_factory.mktemp("taught"))
    bench.helix("--demo", "--sweep")
    return bench


@pytest.fixture(scope="module")
def measured(demo: Workbench) -> dict[str, Measured]:
    effects = demo.engine().effects
    report = effects.all()
    # Were an id to change with detection, its page would have no sessions: see `sample/loop.py`.
    assert report.unmeasured == []
    return {one.id: effects.one(one.id) for one in report.measured}


def test_one_rule_helped_one_did_not_and_of_one_nobody_knows(
    measured: dict[str, Measured],
) -> None:
    states = {name: one.effect.state for name, one in measured.items()}
    assert states == {ENDED: "helped", WORSE: "worse", LATE: "too_few"}
    helped = measured[ENDED].effect
    assert helped.sentence == (
        "In 22 sessions since it came in: 0 of 22 that could; before: 15 of 27. Helped, p < .001. "
        "Gemini, which did not load it: 2 of 4."
    )
    assert helped.since == int(came_in(TAUGHT[0], UNTIL).timestamp() * 1000)
    assert (helped.exposure.observed, helped.exposure.assumed) == (8, 14)


def test_one_agent_never_loads_the_file_and_another_was_renewed(
    measured: dict[str, Measured],
) -> None:
    for one in (measured[ENDED], measured[WORSE]):
        assert one.effect.control_groups == ["gemini"]
        assert {agent.agent for agent in one.agents} == {*LOADING, "gemini"}
    messages = [warning.message for warning in measured[WORSE].effect.warnings]
    assert messages[0].startswith("Codex itself was 0.142.2 right before and 0.143.0 right after")


def test_what_got_worse_is_the_first_that_is_asked_for(demo: Workbench) -> None:
    first = demo.helix("detect", "--json").json["candidates"][0]
    assert (first["id"], first["tier"]) == (WORSE, "again")
    assert "helix catalog" not in first["tier_reason"]
    assert "the next way to teach it is as a skill" in first["tier_reason"]
    listed = demo.engine().candidates.listing().listed
    preview = demo.engine().verdicts.preview(listed[0].brief.id)
    assert preview.reviewed.verdict == "approved"


def test_catalog_journal_and_ledger_are_as_somebody_left_them(demo: Workbench) -> None:
    listed = demo.helix("catalog", "list", "--json").json["patterns"]
    assert {one["id"] for one in listed} == {ENDED, WORSE, LATE}
    assert demo.helix("catalog", "check").code == 0
    lines = (demo.store / "review" / "journal.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["at"] for line in lines] == [
        iso(int(came_in(one, UNTIL).timestamp() * 1000)) for one in TAUGHT
    ]
    before = (demo.store / "review" / "distributed.jsonl").read_bytes()
    demo.helix("--demo", "--sweep")
    assert (demo.store / "review" / "distributed.jsonl").read_bytes() == before


def test_a_catalog_that_somebody_named_is_not_written_to(bench: Workbench, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[curate]\ncatalog_dir = "{tmp_path / "mine"}"\n')
    bench.helix("--demo", "--sweep", "--config", str(config))
    assert not (tmp_path / "mine").exists()
    assert not (bench.store / "review" / "journal.jsonl").exists()


def test_the_rules_stand_in_a_folder_that_can_be_taught_and_cleared(demo: Workbench) -> None:
    engine = demo.engine()
    contexts = engine.repo_contexts()
    without = {one.agent for one in contexts if one.context is None or not one.context.loaded}
    assert without == {"gemini"}, "it reads GEMINI.md alone"
    loading = {one.agent for one in contexts if one.context and TAUGHT[0].rule in one.context.text}
    assert loading == set(LOADING)
    file = engine.config.distribute.repos[REPO] / FILE
    before = file.read_bytes()
    status = demo.helix("distribute", "status", "--json").json["patterns"]
    states = {target["state"] for one in status for target in one["targets"]}
    assert (len(status), states) == (len(TAUGHT), {"clean"})
    assert demo.helix("distribute", "plan").code == 0
    demo.helix("distribute", "retract", "--yes")
    assert b"helix" not in file.read_bytes()
    assert file.read_bytes().endswith(b"has to pass.\n")
    demo.helix("distribute", "undo", "--yes")
    assert file.read_bytes() == before
