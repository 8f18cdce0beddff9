"""What hooks reported is flushed by the next sweep, once, and what is forgotten is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.engine.sweep.after_sweep import has_memory_work
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.memory.sessions import Flushing, spool, worked

HOUR = 3600 * 1000


@pytest.fixture
def flushing(bench: Workbench) -> Flushing:
    return Flushing(bench)


class TestSpooled:
    """Hooks only report; sweeps and `flush --spooled` do the work."""

    def test_flush_spooled_sweeps_first_and_empties_the_spool(self, flushing: Flushing) -> None:
        worked(flushing.log, "alpha")
        flushing.log.write(flushing.bench.home)
        spool(flushing, "SessionEnd")
        spool(flushing, "PreCompact")
        (row,) = flushing.bench.helix("flush", "--spooled", "--json").json["flushed"]
        assert row["action"] == "written"
        assert Path(row["daily"]).is_file()
        assert not (flushing.bench.store / "spool.jsonl").exists()
        assert flushing.bench.helix("flush", "--spooled", "--json").json["flushed"] == []
        assert flushing.entries() == 1

    def test_a_sweep_flushes_behind_its_report(self, flushing: Flushing) -> None:
        worked(flushing.log, "alpha")
        flushing.log.write(flushing.bench.home)
        spool(flushing, "SessionEnd")
        flushing.bench.helix("--sweep")
        assert flushing.entries() == 1
        assert not (flushing.bench.store / "spool.jsonl").exists()
        assert (flushing.bench.store / "memory/knowledge/app.md").is_file()
        assert not has_memory_work(flushing.bench.engine().config), "the next one loads nothing"

    def test_what_is_reported_while_a_sweep_runs_waits_for_the_next(
        self, flushing: Flushing
    ) -> None:
        flushing.work("alpha")
        spool(flushing, "SessionEnd", at=2_000)
        assert flushing.memory.take_spool(before_ms=1_999) == []
        assert len(flushing.memory.take_spool(before_ms=2_000)) == 1

    def test_the_end_of_a_turn_asks_for_nothing_until_it_is_quiet(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        now = int(flushing.clock.now.timestamp() * 1000)
        spool(flushing, "Stop", at=now)
        flushing.memory.take_spool(now)
        assert list(flushing.memory.flush_due(lambda: False)) == []
        flushing.clock.advance(minutes=61)
        assert [one.action for one in flushing.memory.flush_due(lambda: False)] == ["written"]

    def test_an_end_that_was_reported_is_not_put_off_by_a_turn(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        now = int(flushing.clock.now.timestamp() * 1000)
        spool(flushing, "SessionEnd", at=now - 10)
        spool(flushing, "Stop", at=now - 5)
        flushing.memory.take_spool(now)
        assert [one.action for one in flushing.memory.flush_due(lambda: False)] == ["written"]

    def test_a_session_that_never_was_is_passed_over(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        spool(flushing, "SessionEnd", at=5, session="no-such-session")
        spool(flushing, "SessionEnd", at=6)
        flushing.memory.take_spool(10)
        assert [one.action for one in flushing.memory.flush_due(lambda: False)] == ["written"]
        assert list(flushing.memory.flush_due(lambda: False)) == []

    def test_a_sub_agent_is_not_flushed_by_itself(self, flushing: Flushing) -> None:
        agent = ClaudeLog(agent="abc")
        worked(agent, "inner")
        agent.write(flushing.bench.home)
        flushing.work("alpha")
        spool(flushing, "SessionEnd", at=6, session=f"{flushing.log.session}.abc")
        flushing.memory.take_spool(10)
        assert list(flushing.memory.flush_due(lambda: False)) == []
        assert flushing.memory.overview().spool == []

    def test_a_sub_agent_whose_session_is_not_there_is_flushed(self, bench: Workbench) -> None:
        flushing = Flushing(bench)
        flushing.log = ClaudeLog(agent="abc")
        flushing.work("alpha")
        (session,) = bench.sessions().values()
        flushed = list(flushing.memory.flush_each([session], lambda: False))
        assert [one.action for one in flushed] == ["written"]
        assert "· 11111111.abc" in flushing.daily()

    def test_a_sub_agent_that_did_nothing_leaves_no_line(self, bench: Workbench) -> None:
        flushing = Flushing(bench)
        agent = ClaudeLog(agent="abc")
        agent.prompt("Warmup")
        agent.reply("Ready.")
        agent.write(bench.home)
        bench.sweep()
        assert list(flushing.memory.flush_each([bench.session()], lambda: False)) == []

    def test_neither_session_nor_spooled_is_wrong_usage(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        assert flushing.bench.helix("flush", check=False).code == 2
        assert flushing.bench.helix("flush", "1111", "--spooled", check=False).code == 2
        assert flushing.bench.helix("flush", "no-such", check=False).code == 66

    def test_a_failure_ends_with_1_and_is_told(self, flushing: Flushing) -> None:
        flushing.distiller("sys.exit('out of luck')")
        flushing.work("alpha")
        flushing.bench.variables["HELIX_CONFIG"] = str(flushing.bench.config)
        ran = flushing.bench.helix("flush", "1111", check=False)
        assert ran.code == 1
        assert "out of luck" in ran.err


class TestForget:
    """What a person wants forgotten is in no file of memory."""

    def test_nothing_of_the_session_is_left(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        flushing.memory.compile()
        flushing.bench.helix("notes", flushing.log.session, "--now")
        daily = flushing.bench.store / "memory/daily/2026-02-02.md"
        daily.write_text(daily.read_text() + "\n## mine\n\nstays\n")
        flushing.bench.helix("forget", flushing.log.session)
        for path in (flushing.bench.store / "memory").rglob("*"):
            if path.is_file():
                text = path.read_text(errors="replace")
                assert "alpha" not in text, path
                assert flushing.log.session not in text + path.name, path
        assert "## mine\n\nstays" in daily.read_text()


def test_secrets_planted_in_sessions_are_in_no_file_of_memory(
    flushing: Flushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helix_tui.memory.distill.distill.FIRST_WAIT_SECONDS", 0.0)
    keys = ["sk-ant-" + "a1B2" * 10, "ghp_" + "a1B2c3D4e5" * 4, "AKIA" + "Q7" * 8]
    log = flushing.log
    for number, key in enumerate(keys):
        log.prompt(f"please use the key {key} for the upload of part {number} of the importer")
        log.step(f"upload --key {key}", f"Exit code 1\nError: bad key {key}", is_error=True)
        log.step(f"upload --key={key} --again", f"ok {key}")
        log.step(f'git commit -m "feat: use {key} here"')
        log.reply(f"The problem was that {key} was not known. Next step: rotate {key} soon.")
    flushing.work("alpha")
    flushing.flush()
    flushing.memory.compile()
    flushing.bench.helix("notes", log.session, "--now")
    flushing.distiller("sys.exit(1)")
    log.prompt(f"and once more with {keys[0]} in a piece that fails to be distilled")
    flushing.clock.advance(minutes=5)
    flushing.work("beta")
    assert flushing.flush().action == "failed"
    files = [path for path in (flushing.bench.store / "memory").rglob("*") if path.is_file()]
    assert len(files) >= 5
    for path in files:
        content = path.read_bytes()
        assert not [key for key in keys if key.encode() in content], path
