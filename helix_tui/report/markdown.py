"""A report as Markdown, for a wiki, an issue or a mail."""

from __future__ import annotations

import re

from helix_tui.report.layout import Section, heading, sections, summary
from helix_tui.schema.report import Report
from helix_tui.text.human import bar
from helix_tui.text.safe import safe_line

_WIDTH = 12
# What would be read as markup in a cell.
_MARKUP = re.compile(r"([\\|`*_<>\[\]#~])")


def markdown(report: Report, made_at: str) -> str:
    """The whole report; nothing of a log is read as markup."""
    lines = [f"# Helix report: {_cell(heading(report))}", "", _cell(summary(report)), ""]
    lines += [f"Made {made_at}. Days are UTC.", ""]
    for section in sections(report):
        lines += _section(section)
    return "\n".join(lines)


def _section(section: Section) -> list[str]:
    lines = [f"## {section.title}", ""]
    if not section.lines:
        return [*lines, section.empty, ""]
    has_bars = any(line.part is not None for line in section.lines)
    names = [name for name, _ in section.columns]
    rules = ["---:" if form == "right" else "---" for _, form in section.columns]
    rows = [list(map(_cell, line.cells)) for line in section.lines]
    if has_bars:
        names.append("")
        rules.append("---")
        for row, line in zip(rows, section.lines, strict=True):
            row.append(bar(line.part or 0.0, _WIDTH).rstrip())
    lines += [f"| {' | '.join(row)} |" for row in (names, rules, *rows)]
    return [*lines, "", *([_cell(section.note), ""] if section.note else [])]


def _cell(text: str) -> str:
    return _MARKUP.sub(r"\\\1", safe_line(text))
