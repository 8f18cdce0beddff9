"""A report as scripts see it: lists of rows, each with `key` and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from helix_tui.cli.commands.sessions import cost_json
from helix_tui.report.tables import day_name, tokens_of
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.schema import Cost
    from helix_tui.schema.report import CostRow, Report


def report_json(report: Report) -> dict[str, Any]:
    """All tables; what is listed is never cut."""
    period = report.period
    return {
        "period": {
            "since": None if period.since_day is None else day_name(period.since_day),
            "until": None if period.until_day is None else day_name(period.until_day),
            "first": None if report.first_day is None else day_name(report.first_day),
            "last": None if report.last_day is None else day_name(report.last_day),
        },
        "repo": period.repo,
        "total": _cost_row(report.total),
        "weeks": [_cost_row(row) for row in report.weeks],
        "repos": [_cost_row(row) for row in report.repos],
        "agents": [_cost_row(row) for row in report.agents],
        "models": [_cost_row(row) for row in report.models],
        "outcomes": [
            {"key": row.key, "sessions": len(row.sessions), "share": row.share, **_cost(row.cost)}
            for row in report.outcomes
        ],
        "checks": [
            {
                "key": row.key,
                "kind": row.kind,
                "sessions": len(row.sessions),
                "runs": row.runs,
                "passed": row.passed,
                "failed": row.failed,
                "unknown": row.unknown,
                "reds": row.reds,
                "greens": row.greens,
                "median_seconds_to_green": row.median_seconds,
                "median_runs_to_green": row.median_runs,
            }
            for row in report.checks
        ],
        "corrections": [
            {
                "key": row.key,
                "by": row.by,
                "sessions": len(row.sessions),
                "calls": row.calls,
                "failures": row.failures,
                "corrections": row.corrections,
                "failures_per_100": row.per_100(row.failures),
                "corrections_per_100": row.per_100(row.corrections),
            }
            for row in report.corrections
        ],
        "waste": [
            {
                "key": row.id,
                "title": row.title,
                "tokens": row.tokens,
                "sessions": len(row.sessions),
                "frequency": row.frequency,
                "tier": row.tier,
                "verdict": row.verdict,
                "excerpt": row.excerpt or None,
            }
            for row in report.waste
        ],
        "sessions": [
            {
                "key": row.key,
                "title": row.title or None,
                "repo": row.repo,
                "flavor": row.flavor,
                "outcome": row.outcome,
                "ended_at": iso(row.last_ts),
                **_cost(row.cost),
            }
            for row in report.sessions
        ],
        "taught": [
            {
                "key": row.id,
                "title": row.title,
                "version": row.version,
                "status": row.status,
                "distribution_ready": row.is_ready,
                "since": row.at,
                "sessions": row.sessions,
            }
            for row in report.taught
        ],
    }


def _cost_row(row: CostRow) -> dict[str, Any]:
    return {
        "key": row.key,
        "sessions": len(row.sessions),
        "share": row.share,
        **_cost(row.cost),
    }


def _cost(cost: Cost) -> dict[str, Any]:
    return {"tokens": tokens_of(cost), **cost_json(cost)}
