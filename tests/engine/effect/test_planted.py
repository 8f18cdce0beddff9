"""Homes in which it is known what helped: the right state for each pattern and agent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from helix_tui.cli.commands.detect_json import candidates_json
from helix_tui.cli.commands.effect_json import measured_json
from helix_tui.engine.guard.firings import keep_firings
from helix_tui.hook import HANDED_OUT
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.handed import note_handed
from helix_tui.schema.board import Listed
from helix_tui.schema.effect import EffectFilter, Measured
from helix_tui.schema.memory import SpoolLine
from helix_tui.schema.recall import HandedOut
from tests.conftest import Workbench
from tests.engine.effect.planted import (
    CAME_IN,
    PUSH,
    RG,
    Planted,
    distribute,
    planted,
    settle_in,
    tell,
)

HOUR = 3600


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """The planted home, swept at once."""
    folder = tmp_path_factory.mktemp("planted")
    bench = Workbench(folder)
    with pytest.MonkeyPatch.context() as patch:
        settle_in(bench, folder, patch)
        for one in planted():
            tell(one, folder).save(bench.home)
        bench.sweep()
        yield bench


def measured(bench: Workbench, store: Path | None = None) -> dict[str, Measured]:
    effects = bench.engine(store).effects
    return {one.id: effects.one(one.id) for one in effects.all().measured}


def states(one: Measured) -> dict[str, str]:
    return {agent.agent: agent.state for agent in one.agents}


def test_each_pattern_and_agent_has_the_right_state(home: Workbench) -> None:
    found = measured(home)
    assert states(found[RG]) == {"claude": "helped", "codex": "helped", "grok": "no_change"}
    assert states(found[PUSH]) == {"claude": "helped", "codex": "not_seen", "grok": "helped"}
    assert found[PUSH].effect.state == "helped"
    # By its log, since Codex records what it loaded; the others by the ledger.
    exposure = {agent.agent: agent.exposure for agent in found[RG].agents}
    assert (exposure["codex"].observed, exposure["claude"].assumed) == (22, 22)


def test_the_other_repository_and_who_never_loaded_it_are_the_control(home: Workbench) -> None:
    found = measured(home)
    effect = found[RG].effect
    assert effect.control_groups == ["claude in depot", "codex in depot", "grok in depot"]
    assert effect.control is not None
    assert (effect.control.did, effect.control.opportunities) == (36, 66)
    assert "codex in depot" in found[PUSH].effect.control_groups, "it is beyond Codex's cap"
    proofs = {
        one.proof for one in found[PUSH].sessions if (one.agent, one.repo) == ("codex", "depot")
    }
    assert all(proof.startswith("record ") for proof in proofs)


def test_every_point_leads_to_its_sessions(home: Workbench) -> None:
    one = measured(home)[RG]
    assert one.opportunity == "sessions that ran `ack`, `ag`, `egrep`, `grep` or `rg`"
    assert [moment.kind for moment in one.moments] == ["in"]
    named = {row.session: row for row in one.sessions}
    for point in one.points:
        assert len(point.sessions) == point.opportunities
        assert sum(named[name].did for name in point.sessions) == point.did
        assert point.low <= point.rate <= point.high
    counted = sum(point.opportunities for point in one.points)
    assert counted == len(one.sessions), "nothing is left out here"


def test_any_order_of_arrival_and_evicted_bytes_make_no_difference(
    home: Workbench, tmp_path: Path
) -> None:
    folder = home.config.parent if home.config else tmp_path
    other = Workbench(tmp_path)
    assert home.config is not None
    other.config = tmp_path / "config.toml"
    caps = "[retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\nraw_max_age_days = 1\n"
    text = home.config.read_text().replace('"catalog"', f'"{folder}/catalog"')
    other.config.write_text(text.replace('"review/', f'"{folder}/review/') + caps)
    for agent in ("claude", "codex", "grok"):
        (other.home / f".{agent}").mkdir()
    rows: list[Planted] = list(planted())
    for some in (rows[1::2][::-1], rows[::2]):
        for one in some:
            tell(one, folder).save(other.home)
        other.sweep()
    assert {one.raw for one in other.sessions().values()} == {"evicted"}
    for name in (".claude", ".codex", ".grok"):
        shutil.rmtree(other.home / name)
    assert as_json(measured(other)) == as_json(measured(home))


def as_json(found: dict[str, Measured]) -> str:
    return json.dumps([measured_json(one) for one in found.values()], indent=1)


def test_filters_leave_sessions_out(home: Workbench) -> None:
    effects = home.engine().effects
    codex = effects.one(PUSH, EffectFilter(agent="codex"))
    assert codex.effect.state == "not_seen"
    assert codex.step is not None
    assert codex.step.kind == "load"
    shop = effects.one(RG, EffectFilter(repo="shop"))
    assert shop.effect.control is None
    assert {row.repo for row in shop.sessions} == {"shop"}


def with_own_review(home: Workbench, tmp_path: Path) -> Workbench:
    """The same store with a journal, a ledger and a catalog of its own."""
    assert home.config is not None
    folder = home.config.parent
    other = Workbench(folder)
    other.config = tmp_path / "config.toml"
    other.config.write_text(home.config.read_text())
    for name in ("review", "catalog"):
        shutil.copytree(folder / name, tmp_path / name)
    return other


def test_what_did_not_help_is_on_the_review_list_again(
    home: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = with_own_review(home, tmp_path)

    def listed() -> dict[str, Listed]:
        return {one.brief.id: one for one in bench.engine().candidates.listing().listed}

    # The pages of the catalog are adopted before the sessions that tell.
    early = "helix_tui.engine.review.transaction.now_text"
    with monkeypatch.context() as patch:
        patch.setattr(early, lambda: "2026-02-03T00:00:00.000Z")
        bench.engine().verdicts.discuss(PUSH)
    rows = listed()
    assert (rows[RG].verdict, rows[RG].is_asked, rows[RG].brief.tier) == ("approved", True, "again")
    assert rows[RG].changed == "taught, and it has come back"
    assert rows[PUSH].brief.tier == "fix", "it helped"
    bench.engine().verdicts.snooze(RG, "2099-01-01")
    assert not listed()[RG].is_asked, "a person decided"
    bench.engine().verdicts.undo()
    assert listed()[RG].is_asked
    found = bench.engine().candidates.one(RG)
    (row,) = candidates_json(found)
    assert row["tier"] == "again"
    assert "the next way to teach it" in row["tier_reason"]
    assert (row["opportunities"], row["rates"]["grok"]["opportunities"]) == (370, 162)


def test_taken_out_and_put_back_is_an_experiment(
    home: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = with_own_review(home, tmp_path)
    distribute(other, monkeypatch, CAME_IN + 10 * HOUR, patterns=(PUSH,), is_retract=True)
    distribute(other, monkeypatch, CAME_IN + 20 * HOUR, patterns=(PUSH,))
    one = measured(other)[PUSH]
    assert [moment.kind for moment in one.moments] == ["in", "out", "again"]
    assert [period.is_in for period in one.periods] == [False, True, False, True]
    assert one.experiment is not None
    assert one.experiment.with_rule.did == 0
    assert one.experiment.without_rule.opportunities == 10
    assert one.effect.sessions == 34, "those in between do not count"
    assert one.effect.since == measured(home)[PUSH].effect.since


def test_a_session_that_a_guard_stopped_had_tried(home: Workbench, tmp_path: Path) -> None:
    before = measured(home)[RG]
    later = [one for one in before.sessions if one.part == "after" and one.agent == "claude"]
    store = tmp_path / "store"
    shutil.copytree(home.store, store)
    native = later[0].session.partition(":")[2]
    fired = SpoolLine("claude", native, "", "Guard", later[0].at, RG, "1.0.0", "deny")
    keep_firings(store, [fired, fired])
    keep_firings(store, [fired])
    after = measured(home, store)[RG]
    assert (before.fired, after.fired) == (0, 1)
    assert after.effect.after.did == before.effect.after.did + 1
    assert after.effect.before == before.effect.before


def hand(bench: Workbench, **fields: Any) -> None:
    """What recall leaves in its book."""
    row = HandedOut(patterns=[RG], **{"flavor": "grok", "repo": "depot", "cwd": "/x", **fields})
    said = msgspec.json.encode(row).decode()
    line = SpoolLine(row.flavor, row.session, "", HANDED_OUT, row.at, handed=said)
    note_handed(MemoryPlaces(bench.store), [line])


@pytest.mark.parametrize("by", ["hook", "mcp", "rules"])
def test_who_was_handed_a_pattern_saw_it(home: Workbench, tmp_path: Path, by: str) -> None:
    before = measured(home)[RG]
    control = [
        one for one in before.sessions if one.part == "control_after" and one.agent == "grok"
    ]
    other = Workbench(tmp_path)
    other.config = home.config
    shutil.copytree(home.store, other.store)
    last = control[-1]
    if by == "hook":
        hand(other, by="hook", at=last.at, session=last.session.partition(":")[2])
    elif by == "mcp":
        # Its session is not known, but nobody else was at work there.
        hand(other, by="mcp", at=last.at + 1, tool="recall")
    else:
        hand(other, by="rules", at=last.at)
    after = measured(other)[RG]
    (found,) = [one for one in after.sessions if one.session == last.session]
    assert found.part == "after"
    assert found.exposure == ("assumed_yes" if by == "rules" else "observed_yes")
    assert found.proof.startswith(("handed to it", "in the rules file"))
    assert after.effect.sessions == before.effect.sessions + 1
    # The others of that agent there did not see it, though one of them did.
    assert after.effect.exposure.unseen == before.effect.exposure.unseen + len(control) - 1


def test_what_was_handed_out_to_nobody_known_counts_for_nobody(
    home: Workbench, tmp_path: Path
) -> None:
    other = Workbench(tmp_path)
    other.config = home.config
    shutil.copytree(home.store, other.store)
    hand(other, by="mcp", at=1, tool="recall")
    hand(other, by="hook", at=1, session="of-nobody")
    hand(other, by="rules", at=1, repo="elsewhere")
    assert as_json(measured(other)) == as_json(measured(home))
