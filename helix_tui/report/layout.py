"""What is shown of a report, once for every form: tables of cells, each row with its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal, NamedTuple

from helix_tui.report.tables import UNKNOWN, day_name, tokens_of
from helix_tui.schema import Cost, day_of
from helix_tui.schema.report import CostRow, RateRow, Report
from helix_tui.text.human import compact, duration, human_usd, plural
from helix_tui.text.times import EARLIEST, iso

Form = Literal["left", "right", "flex"]
_MOST = 15
_WEEK = timedelta(days=7)
_FIRST_PLOTTED = day_name(day_of(EARLIEST))


class ReportLine(NamedTuple):
    """One row: its cells, the sessions behind it, and its part of the longest bar."""

    key: str
    cells: tuple[str, ...]
    sessions: Sequence[str]
    part: float | None = None


class Section(NamedTuple):
    """One table of a report: the name that JSON gives it, and what stands over and under it."""

    name: str
    title: str
    columns: tuple[tuple[str, Form], ...]
    lines: list[ReportLine]
    note: str = ""
    empty: str = "Nothing."


class Bar(NamedTuple):
    """One bar of a plot over time."""

    label: str
    value: float
    told: str


def heading(report: Report) -> str:
    """What a report is of: the repository and the days."""
    period = report.period
    where = period.repo or "all repositories"
    if report.first_day is None or report.last_day is None:
        return f"{where}, no session"
    return f"{where}, {day_name(report.first_day)} to {day_name(report.last_day)}"


def summary(report: Report) -> str:
    """The sentence at the top: how much, in how many sessions."""
    cost = report.total.cost
    text = (
        f"{plural(len(report.total.sessions), 'session')}, {compact(tokens_of(cost))} tokens, "
        f"{human_usd(cost)}"
    )
    if cost.unpriced_tokens:
        text += f" ({compact(cost.unpriced_tokens)} tokens have no price)"
    return text


def sections(report: Report, most: int = _MOST) -> list[Section]:
    """All tables, in the order in which they are read; long ones end with what they leave out."""
    return [
        # The latest week first: it is the one that is asked for.
        _costs("weeks", "By week", "week of", report.weeks[::-1][:most], len(report.weeks) - most),
        _costs(
            "repos", "By repository", "repository", report.repos[:most], len(report.repos) - most
        ),
        _costs("agents", "By agent", "agent", report.agents[:most], len(report.agents) - most),
        _costs("models", "By model", "model", report.models[:most], len(report.models) - most),
        _outcomes(report),
        _checks(report, most),
        _rates(report),
        _waste(report, most),
        _dearest(report),
        _taught(report, most),
    ]


def plots(report: Report) -> list[tuple[str, list[Bar]]]:
    """Cost and tokens by week, with every week between the first and the last.

    A clock that was never set makes no plot of fifty years.
    """
    weeks = [row for row in report.weeks if _FIRST_PLOTTED <= row.key != UNKNOWN]
    if len(weeks) < 2:
        return []
    by_week = {row.key: row.cost for row in weeks}
    names = _weeks_between(weeks[0].key, weeks[-1].key)
    costs = [by_week.get(name, Cost()) for name in names]
    money = [Bar(n, c.usd_priced or 0.0, human_usd(c)) for n, c in zip(names, costs, strict=True)]
    tokens = [
        Bar(n, float(tokens_of(c)), compact(tokens_of(c)))
        for n, c in zip(names, costs, strict=True)
    ]
    return [("Cost by week, USD", money), ("Tokens by week", tokens)]


def _weeks_between(first: str, last: str) -> list[str]:
    day, end = date.fromisoformat(first), date.fromisoformat(last)
    names = []
    while day <= end:
        names.append(day.isoformat())
        day += _WEEK
    return names


def _more(count: int, what: str = "more") -> str:
    return f"{count:,} {what}; `helix report --format json` has all." if count > 0 else ""


def _costs(name: str, title: str, key: str, rows: Sequence[CostRow], more: int) -> Section:
    is_priced = any(row.cost.usd_priced for row in rows)
    weights = [(row.cost.usd_priced or 0.0) if is_priced else tokens_of(row.cost) for row in rows]
    top = max(weights, default=0.0)
    lines = [
        ReportLine(
            row.key,
            (
                row.key,
                f"{len(row.sessions):,}",
                compact(tokens_of(row.cost)),
                compact(row.cost.output),
                human_usd(row.cost),
                "-" if row.share is None else f"{row.share:.0%}",
            ),
            row.sessions,
            weight / top if top else 0.0,
        )
        for row, weight in zip(rows, weights, strict=True)
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *((key, "flex"), ("sessions", "right"), ("tokens", "right")),
        *(("output", "right"), ("cost", "right"), ("share", "right")),
    )
    return Section(
        name, title, columns, lines, _more(more, "earlier" if name == "weeks" else "more")
    )


def _outcomes(report: Report) -> Section:
    lines = [
        ReportLine(
            row.key,
            (row.key, f"{len(row.sessions):,}", f"{row.share:.0%}", human_usd(row.cost)),
            row.sessions,
            row.share,
        )
        for row in report.outcomes
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *(("outcome", "flex"), ("sessions", "right")),
        *(("share", "right"), ("cost", "right")),
    )
    return Section("outcomes", "How sessions went", columns, lines)


def _checks(report: Report, most: int) -> Section:
    lines = [
        ReportLine(
            row.key,
            (
                row.key,
                *(f"{row.runs:,}", f"{row.failed:,}", f"{row.reds:,}", f"{row.greens:,}"),
                "-" if row.median_seconds is None else duration(row.median_seconds),
                "-" if row.median_runs is None else f"{row.median_runs:g}",
            ),
            row.sessions,
        )
        for row in report.checks[:most]
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *(("check", "flex"), ("runs", "right"), ("failed", "right"), ("went red", "right")),
        *(("green again", "right"), ("time to green", "right"), ("runs to green", "right")),
    )
    note = "Time and runs from the first failure to the next pass in the same session: the median."
    more = _more(len(report.checks) - most)
    return Section("checks", "Checks", columns, lines, f"{note} {more}".strip())


def _rates(report: Report) -> Section:
    lines = [
        ReportLine(
            row.key,
            (
                row.key,
                row.by,
                f"{row.calls:,}",
                f"{row.failures:,}",
                _per_100(row, row.failures),
                f"{row.corrections:,}",
                _per_100(row, row.corrections),
            ),
            row.sessions,
        )
        for row in report.corrections
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *(("who", "flex"), ("by", "left"), ("calls", "right"), ("failed", "right")),
        *(("per 100", "right"), ("corrected", "right"), ("per 100", "right")),
    )
    note = "By the model that a session ended with; only calls whose results are known."
    return Section("corrections", "Failures and corrections", columns, lines, note)


def _per_100(row: RateRow, count: int) -> str:
    rate = row.per_100(count)
    return "-" if rate is None else f"{rate:.1f}"


def _waste(report: Report, most: int) -> Section:
    top = report.waste[0].tokens if report.waste else 0
    lines = [
        ReportLine(
            row.id,
            (
                row.title + (f" — {row.excerpt}" if row.excerpt else ""),
                *(compact(row.tokens), f"{len(row.sessions):,}", f"{row.frequency:,}", row.verdict),
            ),
            row.sessions,
            row.tokens / top,
        )
        for row in report.waste[:most]
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *(("what recurs", "flex"), ("tokens", "right"), ("sessions", "right")),
        *(("times", "right"), ("verdict", "left")),
    )
    more = _more(len(report.waste) - most)
    return Section("waste", "Where waste goes", columns, lines, more, "Nothing recurs.")


def _dearest(report: Report) -> Section:
    lines = [
        ReportLine(
            row.key,
            (
                row.title or row.key,
                human_usd(row.cost),
                row.repo,
                (iso(row.last_ts) or "-")[:10],
                row.outcome,
                row.flavor,
            ),
            [row.key],
        )
        for row in report.sessions
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *(("session", "flex"), ("cost", "right"), ("repository", "flex")),
        *(("ended", "left"), ("outcome", "left"), ("agent", "left")),
    )
    return Section("sessions", "The dearest sessions", columns, lines)


def _taught(report: Report, most: int) -> Section:
    lines = [
        ReportLine(
            row.id,
            (row.title, row.at[:10], row.version, row.status, f"{row.sessions:,}"),
            (),
        )
        for row in report.taught[-most:]
    ]
    columns: tuple[tuple[str, Form], ...] = (
        *(("pattern", "flex"), ("since", "left"), ("version", "left")),
        *(("status", "left"), ("sessions", "right")),
    )
    more = _more(len(report.taught) - most, "earlier")
    return Section(
        "taught", "What was taught", columns, lines, more, "No pattern was approved in this time."
    )
