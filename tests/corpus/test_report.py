"""The report of a real home: every figure against a count of its own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.truth import report_counter as truth

Json = dict[str, Any]


class Home:
    """A swept home: its report, and what the other commands say of it."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.report = bench.helix("report", "--format", "json").json
        self.sessions = bench.helix("sessions", "--json").json["sessions"]
        self.digests: dict[str, Json] = {}
        for session in self.sessions:
            digest = bench.helix("show", session["id"], "--json").json["digest"]
            if digest is not None:
                self.digests[session["id"]] = digest

    def rows(self, table: str) -> dict[str, Json]:
        return {row["key"]: row for row in self.report[table]}


@pytest.fixture(scope="module")
def home(on_swept_home: OnSweptHome, tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(on_swept_home(Workbench(tmp_path_factory.mktemp("home"))))


class TestEveryFigure:
    """No figure of the page is other than an independent count of it."""

    def test_totals_are_those_of_all_sessions(self, home: Home) -> None:
        total = home.report["total"]
        assert total["sessions"] == len(home.sessions)
        assert total["tokens"] == sum(truth.tokens(one["cost"]) for one in home.sessions)
        priced = sum(one["cost"]["usd_priced"] or 0 for one in home.sessions)
        assert total["usd_priced"] == pytest.approx(priced)

    @pytest.mark.parametrize("by", ["week", "repo", "flavor", "model"])
    def test_costs_are_those_of_usage(self, home: Home, by: str) -> None:
        table = {"week": "weeks", "repo": "repos", "flavor": "agents", "model": "models"}[by]
        usage = home.bench.helix("usage", "--by", by, "--json").json["rows"]
        for row in usage:
            found = home.rows(table)[row["key"]]
            assert {kind: found[kind] for kind in truth.KINDS} == {
                kind: row[kind] for kind in truth.KINDS
            }
            assert found["usd"] == pytest.approx(row["usd"])
        assert sum(row["tokens"] for row in home.report[table]) == home.report["total"]["tokens"]

    @pytest.mark.parametrize("table", ["weeks", "models"])
    def test_claudes_tokens_are_those_of_its_logs(self, home: Home, table: str) -> None:
        by = {"weeks": "week", "models": "model"}[table]
        usage = home.bench.helix("usage", "--by", by, "--flavor", "claude", "--json").json["rows"]
        found = {row["key"]: row["output"] for row in usage if row["output"]}
        assert found == truth.claude_tokens(home.bench.home)[table]

    @pytest.mark.parametrize(("table", "field"), [("repos", "repo"), ("agents", "flavor")])
    def test_sessions_and_tokens_by_key(self, home: Home, table: str, field: str) -> None:
        found = {key: (row["sessions"], row["tokens"]) for key, row in home.rows(table).items()}
        assert found == truth.by_key(home.sessions, field)

    def test_outcomes(self, home: Home) -> None:
        found = {key: row["sessions"] for key, row in home.rows("outcomes").items()}
        assert found == truth.outcomes(home.sessions)

    @pytest.mark.parametrize(("by", "field"), [("agent", "flavor"), ("model", "model")])
    def test_failures_and_corrections(self, home: Home, by: str, field: str) -> None:
        found = {row["key"]: row for row in home.report["corrections"] if row["by"] == by}
        expected = truth.rates(home.sessions, home.digests, field)
        assert found.keys() == expected.keys()
        for key, row in expected.items():
            assert {name: found[key][name] for name in row} == row
            if row["calls"]:
                rate = 100 * row["failures"] / row["calls"]
                assert found[key]["failures_per_100"] == pytest.approx(rate, abs=0.005)

    def test_checks_and_time_to_green(self, home: Home) -> None:
        found, expected = home.rows("checks"), truth.checks(home.digests)
        assert found.keys() == expected.keys()
        for name, row in expected.items():
            figures = {field: found[name][field] for field in ("runs", "failed", "reds", "greens")}
            assert figures == {field: row[field] for field in figures}, name
            assert found[name]["median_seconds_to_green"] == truth.middle(row["waits"]), name

    def test_waste_is_that_of_detect(self, home: Home) -> None:
        listed = home.bench.helix("detect", "--json").json["candidates"]
        problems = {one["id"]: one for one in listed if one["kind"] == "problem"}
        expected = {key: one["cost_impact"] for key, one in problems.items() if one["cost_impact"]}
        assert {key: row["tokens"] for key, row in home.rows("waste").items()} == expected
        tokens = [row["tokens"] for row in home.report["waste"]]
        assert tokens == sorted(tokens, reverse=True)

    def test_the_ten_dearest(self, home: Home) -> None:
        costs = {one["id"]: one["cost"]["usd_priced"] or 0 for one in home.sessions}
        dearest = sorted(costs, key=lambda name: -costs[name])[:10]
        assert [row["key"] for row in home.report["sessions"]] == dearest
        titles = {one["id"]: one["title"] for one in home.sessions}
        assert all(row["title"] == titles[row["key"]] for row in home.report["sessions"])

    def test_a_period_and_a_repository(self, home: Home) -> None:
        filters = ("--since", "2026-02-01", "--until", "2026-02-14", "--repo", "cli")
        report = home.bench.helix("report", *filters, "--json").json
        days = home.bench.helix("usage", "--by", "day", "--repo", "cli", "--json").json["rows"]
        within = [row for row in days if "2026-02-01" <= row["key"] <= "2026-02-14"]
        assert report["total"]["output"] == sum(row["output"] for row in within)
        assert [row["key"] for row in report["repos"]] == ["cli"]
        listed = home.bench.helix("usage", "--by", "session", *filters, "--json").json["rows"]
        assert {row["key"] for row in report["sessions"]} <= {row["key"] for row in listed}


class TestPages:
    """What is sent to others."""

    @pytest.mark.parametrize("form", ["text", "md", "html"])
    def test_every_form_names_the_same(self, home: Home, form: str) -> None:
        page = home.bench.helix("report", "--format", form).out
        total = home.report["total"]
        assert f"{total['sessions']} sessions" in page
        assert f"${total['usd_priced']:,.2f}" in page
