"""Every table of a report, from made sessions."""

from __future__ import annotations

import pytest

from helix_tui.report.greens import Green, greens_of
from helix_tui.report.tables import report_of, week_name
from helix_tui.schema import UNDATED
from helix_tui.schema.report import Period, Report, TaughtPattern
from tests.report.made import MONDAY, gathered, run, session, spent, unpriced, wasting


class TestCosts:
    """Tokens and cost by week, repository, agent and model."""

    def test_weeks_begin_on_mondays(self) -> None:
        days = [week_name(MONDAY + offset) for offset in (-1, 0, 6, 7)]
        assert days == ["2025-11-10", "2025-11-17", "2025-11-17", "2025-11-24"]
        assert week_name(UNDATED) == "unknown"

    def test_a_session_is_of_every_week_in_which_it_spent(self) -> None:
        report = report_of(
            gathered([session("a", MONDAY + 7)], [spent("a", 1), spent("a", 2, MONDAY + 7)])
        )
        assert [(row.key, row.cost.usd, row.sessions) for row in report.weeks] == [
            ("2025-11-17", 1.0, ["a"]),
            ("2025-11-24", 2.0, ["a"]),
        ]
        assert report.total.sessions == ["a"]

    def test_a_session_without_usage_is_of_the_week_it_ended_in(self) -> None:
        (week,) = report_of(gathered([session("a")], [])).weeks
        assert (week.key, week.sessions, week.cost.usd) == ("2025-11-17", ["a"], None)

    def test_the_dearest_come_first_with_their_share(self) -> None:
        sessions = [session("a", repo="api"), session("b", repo="web")]
        rows = report_of(gathered(sessions, [spent("a", 1), spent("b", 3)])).repos
        assert [(row.key, row.share) for row in rows] == [("web", 0.75), ("api", 0.25)]

    def test_what_has_no_price_makes_no_total_wrong(self) -> None:
        report = report_of(gathered([session("a")], [spent("a", 1), unpriced("a")]))
        assert report.total.cost.usd is None
        assert (report.total.cost.usd_priced, report.total.cost.unpriced_tokens) == (1.0, 100)

    def test_models_are_those_of_messages(self) -> None:
        rows = [spent("a", 1, model="opus"), spent("a", 2, model="haiku")]
        models = report_of(gathered([session("a")], rows)).models
        assert [(row.key, row.sessions) for row in models] == [("haiku", ["a"]), ("opus", ["a"])]

    def test_every_table_comes_to_the_same(self) -> None:
        sessions = [session("a"), session("b", repo="web", flavor="codex", outcome="failed")]
        rows = [spent("a", 1), spent("b", 2.5, MONDAY + 3, "gpt"), spent("b", 4, MONDAY + 30)]
        report = report_of(gathered(sessions, rows))
        for table in (report.weeks, report.repos, report.agents, report.models, report.outcomes):
            assert sum(row.cost.usd or 0 for row in table) == pytest.approx(7.5)


class TestPeriod:
    """Only some days, only one repository."""

    def made(self, since: int | None, until: int | None) -> Report:
        sessions = [session("a", MONDAY), session("b", MONDAY + 7)]
        rows = [spent("a", 1), spent("b", 2, MONDAY + 6), spent("b", 4, MONDAY + 7)]
        return report_of(gathered(sessions, rows, Period(since, until)))

    def test_both_days_count(self) -> None:
        report = self.made(MONDAY, MONDAY + 6)
        assert (report.total.cost.usd, report.total.sessions) == (3.0, ["a", "b"])

    def test_tokens_are_those_of_its_days_alone(self) -> None:
        report = self.made(MONDAY + 7, None)
        assert (report.total.cost.usd, report.total.sessions) == (4.0, ["b"])
        assert [row.key for row in report.sessions] == ["b"]

    def test_patterns_are_of_the_day_they_were_approved(self) -> None:
        taught = [
            TaughtPattern(name, name, "1.0.0", "approved", True, at, 3, ("api",))
            for name, at in (("early", "2025-11-16T10:00:00Z"), ("late", "2025-11-17"))
        ]
        report = report_of(gathered([], [], Period(MONDAY, None), taught=taught))
        assert [row.id for row in report.taught] == ["late"]
        report = report_of(gathered([], [], Period(None, None, "web"), taught=taught))
        assert report.taught == []

    def test_nothing_is_a_report_too(self) -> None:
        report = report_of(gathered([], []))
        assert (report.weeks, report.sessions, report.first_day) == ([], [], None)


class TestRates:
    """Failures and corrections among a hundred calls."""

    def test_by_agent_and_by_model_with_their_counts(self) -> None:
        sessions = [
            session("a", calls=150, failures=3, corrections=6),
            session("b", calls=50, failures=1, corrections=0, model="haiku"),
        ]
        agent, *models = report_of(gathered(sessions, [])).corrections
        assert (agent.key, agent.by, agent.calls, agent.failures) == ("claude", "agent", 200, 4)
        assert (agent.per_100(agent.failures), agent.per_100(agent.corrections)) == (2.0, 3.0)
        assert [row.key for row in models] == ["opus", "haiku"]

    def test_calls_of_which_nothing_is_known_are_no_calls_without_failure(self) -> None:
        sessions = [session("a", calls=10, failures=5), session("b", calls=90, failures=None)]
        assert report_of(gathered(sessions, [])).corrections[0].calls == 10


class TestGreens:
    """How long checks stayed red."""

    def test_from_the_first_failure_to_the_next_pass(self) -> None:
        runs = [run("failed", 10), run("failed", 20), run("passed", 40), run("passed", 50)]
        assert greens_of(runs) == (1, [Green(30.0, 2)])

    def test_each_time_it_went_red(self) -> None:
        runs = [run("passed", 0), run("failed", 5), run("passed", 6), run("failed", 9)]
        assert greens_of(runs) == (2, [Green(1.0, 1)])

    def test_what_is_not_known_decides_nothing(self) -> None:
        runs = [run("unknown", 0), run("failed", 5), run("unknown", 7), run("passed", 9)]
        assert greens_of(runs) == (1, [Green(4.0, 2)])

    def test_without_times_it_is_green_again_all_the_same(self) -> None:
        assert greens_of([run("failed", None), run("passed", 9)]) == (1, [Green(None, 1)])

    def test_checks_of_two_sessions_do_not_mend_each_other(self) -> None:
        sessions = [session("a", runs=(run("failed", 1),)), session("b", runs=(run("passed", 9),))]
        (row,) = report_of(gathered(sessions, [])).checks
        assert (row.runs, row.reds, row.greens, row.median_seconds) == (2, 1, 0, None)
        assert row.sessions == ["a", "b"]


class TestWasteAndDearest:
    """Where tokens went that need not have gone."""

    def test_by_tokens(self) -> None:
        waste = [wasting("few", 10, "a"), wasting("many", 99, "a"), wasting("none", 0, "a")]
        report = report_of(gathered([session("a")], [], waste=waste))
        assert [row.id for row in report.waste] == ["many", "few"]

    def test_ten_sessions_by_title(self) -> None:
        names = [f"s{number:02}" for number in range(12)]
        rows = [spent(name, number + 1) for number, name in enumerate(names)]
        report = report_of(gathered([session(name) for name in names], rows))
        assert [row.key for row in report.sessions] == names[:1:-1]
        assert report.sessions[0].title == "title of s11"
