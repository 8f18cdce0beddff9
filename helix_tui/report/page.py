"""A report as one HTML file: plots inside, nothing loaded from elsewhere."""

from __future__ import annotations

from html import escape

from helix_tui.report import plot
from helix_tui.report.layout import Section, heading, plots, sections, summary
from helix_tui.schema.report import Report
from helix_tui.text.safe import safe_line

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --dim: #5f6670;
  --line: #d8dce1; --fill: #2f6f9f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --paper: #16181b; --dim: #9aa2ac; --line: #33383f; --fill: #6fb1de }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem }
p { margin: .3rem 0 } .note { color: var(--dim) }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top }
th { font-weight: 600; color: var(--dim) } .right { text-align: right; white-space: nowrap }
td.bars { width: 18% } svg { fill: var(--fill); stroke: none }
svg text { fill: var(--dim); font-size: 11px } svg line { stroke: var(--line) }
.bar { width: 100%; height: .6rem } .plot { width: 100%; height: auto }
@media print { body { max-width: none; margin: 0 } h2 { break-after: avoid }
  tr { break-inside: avoid } }
"""
# Whatever a title holds, a browser loads and runs nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html_page(report: Report, made_at: str) -> str:
    """The whole page; every text of a log is escaped."""
    title = _text(f"Helix report: {heading(report)}")
    drawn = "".join(
        f"<h2>{escape(name)}</h2>{plot.bars(name, columns)}" for name, columns in plots(report)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="referrer" content="no-referrer">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<p>{_text(summary(report))}</p>"
        f'<p class="note">Made {escape(made_at)}. Days are UTC.</p>\n'
        f"{drawn}\n{''.join(map(_section, sections(report)))}</body></html>\n"
    )


def _section(section: Section) -> str:
    note = f'<p class="note">{_text(section.note)}</p>' if section.note else ""
    title = f'<h2 id="{section.name}">{escape(section.title)}</h2>'
    if not section.lines:
        return f"{title}<p>{escape(section.empty)}</p>\n"
    has_bars = any(line.part is not None for line in section.lines)
    heads = [f"<th{_side(form)}>{escape(name)}</th>" for name, form in section.columns]
    if has_bars:
        heads.insert(1, "<th></th>")
    rows = []
    for line in section.lines:
        cells = [
            f"<td{_side(form)}>{_text(cell)}</td>"
            for cell, (_, form) in zip(line.cells, section.columns, strict=True)
        ]
        if has_bars:
            cells.insert(1, f'<td class="bars">{plot.bar(line.part or 0.0)}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>\n")
    table = (
        f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>\n{''.join(rows)}</tbody></table>"
    )
    return f"{title}{table}{note}\n"


def _side(form: str) -> str:
    return ' class="right"' if form == "right" else ""


def _text(text: str) -> str:
    return escape(safe_line(text))
