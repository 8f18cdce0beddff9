"""What sessions cost: priced by their day, told by the agent, or unknown; never guessed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from helix_tui.schema import Cost
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench

MILLION = usage(fresh=100_000, out=1_000_000, read=0, write=0)


def log_of(bench: Workbench, name: str, *replies: dict[str, Any]) -> None:
    log = ClaudeLog(session=name)
    log.prompt()
    for number, reply in enumerate(replies):
        log.reply(message=f"{name}-{number}", **reply)
    log.write(bench.home)


def cost(bench: Workbench, name: str) -> Cost:
    return bench.sessions()[f"claude:{name}"].cost


def configure(bench: Workbench, text: str) -> None:
    bench.config = bench.home / "config.toml"
    bench.config.write_text(text)


class TestPriced:
    """By the table."""

    def test_each_kind_of_token(self, bench: Workbench) -> None:
        tokens = usage(fresh=10_000, out=1_000, read=20_000, write=30_000)
        tokens["cache_creation"] = {"ephemeral_1h_input_tokens": 12_000}
        log_of(bench, "a", {"model": "claude-opus-4-5-20251101", "usage": tokens})
        bench.sweep()
        short, hour = 18_000 * 6.25, 12_000 * 10
        micros = 10_000 * 5 + 1_000 * 25 + 20_000 * 0.5 + short + hour
        assert cost(bench, "a").usd == pytest.approx(micros / 1e6, abs=0)

    def test_long_prompts_cost_more_where_the_vendor_says_so(self, bench: Workbench) -> None:
        for name, read in (("short", 199_990), ("long", 199_991)):
            tokens = usage(fresh=10, out=0, read=read, write=0)
            log_of(bench, name, {"model": "claude-sonnet-4-5", "usage": tokens})
        bench.sweep()
        assert cost(bench, "short").usd == pytest.approx((10 * 3 + 199_990 * 0.3) / 1e6)
        assert cost(bench, "long").usd == pytest.approx((10 * 6 + 199_991 * 0.6) / 1e6)

    def test_a_change_of_price_parts_a_session(self, bench: Workbench) -> None:
        configure(
            bench,
            "[[prices.mine]]\ninput = 0\noutput = 1\n"
            "[[prices.mine]]\nfrom = 2026-03-01\ninput = 0\noutput = 3\n",
        )
        days = ("2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z")
        replies = [{"model": "mine", "usage": MILLION, "timestamp": day} for day in days]
        log_of(bench, "a", *replies)
        bench.sweep()
        assert cost(bench, "a").usd == 4.0
        rows, total = bench.engine().usage("day")
        assert [(row.key, row.cost.usd) for row in rows] == [("2026-02-28", 1), ("2026-03-01", 3)]
        assert (total.cost.usd, total.sessions) == (4.0, 1)

    def test_own_prices_hold_at_once_for_what_is_stored(self, bench: Workbench) -> None:
        log_of(bench, "a", {"model": "mystery", "usage": MILLION})
        bench.sweep()
        assert cost(bench, "a") == Cost(100_000, 1_000_000, unpriced_tokens=1_100_000)
        configure(bench, "[prices.mystery]\ninput = 10\noutput = 2\n")
        assert cost(bench, "a").usd == 3.0
        configure(bench, "[prices.mystery]\ninput = 20\noutput = 2\n")
        assert bench.engine().usage("model")[1].cost.usd == 4.0


class TestRecorded:
    """What the agent itself says goes before every price."""

    def test_it_wins_over_the_table(self, bench: Workbench) -> None:
        log_of(bench, "a", {"usage": MILLION, "costUSD": 0.25}, {"usage": MILLION, "costUSD": 0})
        log_of(bench, "b", {"usage": MILLION, "model": "mystery", "costUSD": 1})
        bench.sweep()
        assert (cost(bench, "a").usd, cost(bench, "b").usd) == (0.25, 1.0)
        assert cost(bench, "b").unpriced_tokens == 0

    @pytest.mark.parametrize("wrong", ["0.25", -1, True, 1e300, {}, None])
    def test_what_is_no_amount_is_not_taken_for_one(self, bench: Workbench, wrong: object) -> None:
        log_of(bench, "a", {"usage": usage(), "costUSD": wrong})
        bench.sweep()
        assert cost(bench, "a").usd == 0.00035

    def test_the_greatest_of_several_records_counts(self, bench: Workbench) -> None:
        log = ClaudeLog(session="a")
        log.prompt()
        for said in (0.1, 0.3, None, 0.2):
            log.reply(message="m", costUSD=said)
        log.write(bench.home)
        bench.sweep()
        assert cost(bench, "a").usd == 0.3

    def test_it_outlives_logs_and_database_pages(self, bench: Workbench) -> None:
        log_of(bench, "a", {"usage": MILLION, "costUSD": 0.25}, {"usage": MILLION})
        bench.sweep()
        before = bench.sessions()
        shutil.rmtree(bench.home / ".claude")
        pack = max((bench.store / "packs").rglob("*.pack"))
        pack.write_bytes(pack.read_bytes()[:-1])
        (bench.home / ".claude" / "projects").mkdir(parents=True)
        bench.engine().repair()
        assert cost(bench, "a") == before["claude:a"].cost


class TestUnknown:
    """No price is null, never zero, and no sum hides it."""

    def test_a_part_without_a_price_leaves_the_whole_unknown(self, bench: Workbench) -> None:
        log_of(bench, "a", {"usage": MILLION}, {"usage": MILLION, "model": "mystery"})
        log_of(bench, "b", {"usage": MILLION})
        bench.sweep()
        assert (cost(bench, "a").usd, cost(bench, "b").usd) == (None, 25.5)
        assert (cost(bench, "a").usd_priced, cost(bench, "a").unpriced_tokens) == (25.5, 1_100_000)
        used = bench.helix("usage", "--by", "model", "--json").json
        assert [(row["key"], row["usd"]) for row in used["rows"]] == [
            ("claude-opus-4-5", 51.0),
            ("mystery", None),
        ]
        assert (used["total"]["usd"], used["total"]["usd_priced"]) == (None, 51.0)
        assert "≥ $51.00" in bench.helix("usage").out
        assert "1,100,000 tokens without a price" in bench.helix("usage").out
        assert "≥ $25.50; 1,100,000 tokens without a price" in bench.helix("show", "a").out

    def test_a_kind_of_token_without_a_price_is_unpriced(self, bench: Workbench) -> None:
        tokens = usage(fresh=100, out=100, read=100, write=7)
        log_of(bench, "a", {"usage": tokens, "model": "gpt-5"})
        bench.sweep()
        assert cost(bench, "a").usd is None
        assert cost(bench, "a").unpriced_tokens == 7

    def test_a_session_without_usage_has_no_cost(self, bench: Workbench) -> None:
        log_of(bench, "a")
        bench.sweep()
        assert cost(bench, "a") == Cost()

    def test_no_tokens_of_an_unknown_model_make_nothing_unknown(self, bench: Workbench) -> None:
        nothing = usage(0, 0, 0, 0)
        log_of(bench, "a", {"usage": MILLION}, {"usage": nothing, "model": "mystery"})
        log_of(bench, "b", {"usage": nothing, "model": "mystery"})
        log_of(bench, "c", {"usage": nothing})
        bench.sweep()
        assert [cost(bench, name).usd for name in "abc"] == [25.5, None, 0.0]
        assert bench.engine().usage("model")[1].cost.usd == 25.5


def test_filters(bench: Workbench, tmp_path: Path) -> None:
    for name, cwd, day in (("a", "/x/app", "2026-02-01"), ("b", "/x/web", "2026-03-01")):
        log = ClaudeLog(session=name, cwd=cwd)
        log.prompt()
        log.reply(usage=MILLION, timestamp=f"{day}T10:00:00.000Z", message=name)
        log.write(bench.home)
    bench.sweep()

    def keys(*arguments: str) -> list[str]:
        shown = bench.helix("usage", "--by", "session", "--json", *arguments).json
        assert shown["total"]["sessions"] == len(shown["rows"])
        return [row["key"] for row in shown["rows"]]

    assert keys() == ["claude:a", "claude:b"]
    assert keys("--repo", "web") == ["claude:b"]
    assert keys("--flavor", "codex") == []
    assert keys("--since", "2026-03-01T23:00:00Z") == ["claude:b"]
    assert keys("--since", "2026-03-02") == []
    assert bench.helix("usage", "--since", "soon", check=False).code == 2


def test_cost_outlives_eviction(bench: Workbench) -> None:
    log_of(bench, "a", {"usage": MILLION})
    bench.sweep()
    before = cost(bench, "a")
    configure(bench, "[retention]\nraw_soft_cap_bytes = 0\nraw_hard_cap_bytes = 0\n")
    bench.engine().retain(is_dry_run=False)
    assert bench.sessions()["claude:a"].raw == "evicted"
    assert cost(bench, "a") == before
