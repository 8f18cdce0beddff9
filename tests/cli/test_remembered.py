"""What memory took in is told: by a sweep, status and doctor; what was before can be flushed."""

from __future__ import annotations

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.memory.sessions import Flushing, spool, worked


@pytest.fixture
def flushing(bench: Workbench) -> Flushing:
    made = Flushing(bench)
    worked(made.log, "alpha")
    made.log.write(bench.home)
    return made


def given(bench: Workbench) -> list[str]:
    """The options that name the settings of a test."""
    return ["--config", str(bench.config)]


class TestTold:
    def test_a_sweep_says_what_it_remembered(self, flushing: Flushing) -> None:
        spool(flushing, "SessionEnd")
        assert "\nremembered: 1 entry.\n" in flushing.bench.helix("--sweep").out
        assert "remembered" not in flushing.bench.helix("--sweep").out

    def test_what_failed_is_named_with_why_until_it_works(self, flushing: Flushing) -> None:
        flushing.distiller("", daily_token_cap=1)  # fails without a try
        spool(flushing, "SessionEnd")
        bench = flushing.bench
        said = bench.helix("--sweep", *given(bench))
        assert "remembered: 0 entries, 1 failed: " in said.out
        assert "cap of 1 tokens" in said.out
        assert "remembered 0 entries, 1 failed: " in bench.helix("status").out
        (failed,) = bench.helix("status", "--json").json["remembered"]["failed"]
        assert "cap of 1 tokens" in failed["reason"]
        checks = bench.helix("doctor", "--json", check=False).json["checks"]
        (memory,) = [check for check in checks if check["name"] == "memory"]
        assert not memory["ok"]
        assert "cap of 1 tokens" in memory["detail"]
        flushing.settings()
        bench.helix("flush", bench.session().id)
        assert bench.helix("status", "--json").json["remembered"]["failed"] == []


class TestBefore:
    def test_all_takes_what_was_before_once(self, flushing: Flushing) -> None:
        other = ClaudeLog(session="22222222-2222-4222-8222-222222222222")
        worked(other, "beta")
        other.write(flushing.bench.home)
        flushing.bench.sweep()
        said = flushing.bench.helix("flush", "--all")
        assert "[1/2] " in said.out
        assert "remembered: 2 entries." in said.out
        assert flushing.entries() == 2
        assert "remembered: 0 entries." in flushing.bench.helix("flush", "--all").out
        assert flushing.bench.helix("flush", "--since", "1d", "--json").json["flushed"] == []

    def test_a_model_that_cannot_be_asked_stops_it(self, flushing: Flushing) -> None:
        other = ClaudeLog(session="22222222-2222-4222-8222-222222222222")
        worked(other, "beta")
        other.write(flushing.bench.home)
        flushing.bench.sweep()
        flushing.model("", daily_token_cap=10)
        said = flushing.bench.helix("flush", "--all", *given(flushing.bench), check=False)
        assert said.code == 1
        assert "cannot be asked any more" in said.out
        assert flushing.entries() == 1, "the other waits for the model"

    @pytest.mark.parametrize("named", [[], ["--all", "--spooled"], ["x", "--since", "1d"]])
    def test_one_way_to_say_which(self, bench: Workbench, named: list[str]) -> None:
        assert bench.helix("flush", *named, check=False).code == 2


def test_a_resumed_copy_is_not_told_again(flushing: Flushing) -> None:
    bench = flushing.bench
    copy = ClaudeLog("33333333-3333-4333-8333-333333333333", start=flushing.log.second + 100)
    copy.records = [{**record, "sessionId": copy.session} for record in flushing.log.records]
    copy._count = 100
    worked(copy, "beta")
    copy.write(bench.home)
    bench.sweep()
    bench.helix("flush", "--all")
    daily = flushing.daily()
    assert daily.count("the import of beta") >= 1
    assert daily.count("Committed: `fix: the import of alpha`") == 1


class TestHooks:
    def test_install_says_what_will_happen_and_flushes(self, bench: Workbench) -> None:
        (bench.home / ".claude").mkdir(exist_ok=True)
        said = bench.helix("hooks", "install", "claude")
        assert "`helix flush --spooled` in the background" in said.out
        assert "No model is asked" in said.out
        (row,) = bench.helix("hooks", "status", "claude", "--json").json["hooks"]
        assert (row["flushes"], row["current"]) == (True, True)

    def test_no_flush_only_reports(self, bench: Workbench) -> None:
        (bench.home / ".claude").mkdir(exist_ok=True)
        said = bench.helix("hooks", "install", "claude", "--no-flush")
        assert "Nothing is started by it" in said.out
        (row,) = bench.helix("hooks", "status", "claude", "--json").json["hooks"]
        assert (row["flushes"], row["current"]) == (False, True)
