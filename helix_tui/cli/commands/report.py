"""`helix report`: where the work and the waste went, as text, Markdown, HTML or JSON."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    RepoOption,
    SinceDayOption,
    StoreOption,
    TeamOption,
    UntilDayOption,
    VerboseOption,
    load_engine,
    parse_days,
    tell_unknown,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.text.human import bar
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.report.layout import Section
    from helix_tui.schema.report import Report

_BAR_WIDTH = 16


class ReportFormat(StrEnum):
    """How a report is written."""

    text = "text"
    md = "md"
    html = "html"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", help="Report where the work and the waste went; days are UTC.")(_report)


def _report(
    context: typer.Context,
    since: SinceDayOption = None,
    until: UntilDayOption = None,
    repo: RepoOption = None,
    form: Annotated[
        ReportFormat, typer.Option("--format", help="Text, or a page to send.")
    ] = ReportFormat.text,
    has_evidence: Annotated[
        bool,
        typer.Option("--evidence", help="Quote an occurrence of what recurs; titles alone else."),
    ] = False,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema.report import Period

    since_day, until_day = parse_days(since, until)
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    if not is_team:
        tell_unknown(engine, None, repo)
    report = engine.report(Period(since_day, until_day, repo), has_excerpts=has_evidence)
    made_at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    if as_json or form is ReportFormat.json:
        from helix_tui.cli.commands.report_json import report_json

        print_json("report", report_json(report))
    elif form is ReportFormat.html:
        from helix_tui.report.page import html_page

        sys.stdout.write(html_page(report, made_at))
    elif form is ReportFormat.md:
        from helix_tui.report.markdown import markdown

        sys.stdout.write(markdown(report, made_at))
    else:
        _print_text(report)


def _print_text(report: Report) -> None:
    from helix_tui.report.layout import heading, sections, summary

    print(safe_line(heading(report)))
    print(safe_line(summary(report)))
    for section in sections(report):
        print(f"\n{section.title}")
        _print_section(section)


def _print_section(section: Section) -> None:
    if not section.lines:
        print(section.empty)
        return
    columns, rows = list(section.columns), [list(line.cells) for line in section.lines]
    if any(line.part is not None for line in section.lines):
        columns.append(("", "left"))
        for row, line in zip(rows, section.lines, strict=True):
            row.append(bar(line.part or 0.0, _BAR_WIDTH))
    print_table(columns, rows)
    if section.note:
        print(section.note)
