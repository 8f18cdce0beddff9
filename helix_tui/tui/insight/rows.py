"""What the lines of the insight screen say: sections of a report, fitted to a width."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from helix_tui.report.layout import ReportLine, Section
from helix_tui.text.human import bar, fit_widths
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Toned, fit

_GAP = 2
_LEAST_BAR, _MOST_BAR = 8, 48
# Columns are left out from the right until the first one has so many cells.
_LEAST_NAME = 36


class InsightLine(NamedTuple):
    """One line: a heading, a row with its sessions, a note, or nothing."""

    id: tuple[str, str]
    section: str
    title: str
    cells: tuple[str, ...]
    widths: tuple[int, ...]
    forms: tuple[str, ...]
    part: float | None
    sessions: Sequence[str]
    is_heading: bool = False


def lines_of(sections: Sequence[Section]) -> list[InsightLine]:
    """All sections below each other, a heading before each."""
    lines: list[InsightLine] = []
    for section in sections:
        if lines:
            lines.append(_text_line(section, "", "blank"))
        lines += _section_lines(section)
    return lines


def _section_lines(section: Section) -> list[InsightLine]:
    names = (section.title, *(name for name, _ in section.columns[1:]))
    rows = [tuple(safe_line(cell, 200) for cell in line.cells) for line in section.lines]
    widths = tuple(max(cell_len(row[n]) for row in (names, *rows)) for n in range(len(names)))
    forms = tuple(form for _, form in section.columns)

    def made(kind: str, cells: tuple[str, ...], line: ReportLine | None) -> InsightLine:
        return InsightLine(
            (section.name, kind),
            section.name,
            section.title,
            cells,
            widths,
            forms,
            line.part if line else None,
            line.sessions if line else (),
            line is None,
        )

    found = [made("heading", names, None)]
    found += [
        made(f"{number}:{line.key}", cells, line)
        for number, (cells, line) in enumerate(zip(rows, section.lines, strict=True))
    ]
    note = section.note if section.lines else section.empty
    return [*found, _text_line(section, note, "note")] if note else found


def _text_line(section: Section, text: str, kind: str) -> InsightLine:
    return InsightLine(
        (section.name, kind), section.name, section.title, (text,), (0,), ("flex",), None, ()
    )


def cells_of(line: InsightLine, width: int) -> list[Toned]:
    """A line in the columns of its section, fitted to a width."""
    if len(line.cells) == 1:
        return [(fit(f" {line.cells[0]}", width), "dim")]
    widths, bar_width = fitted(line.widths, line.forms, width - 1)
    tones = ["title" if line.is_heading else "strong", *["dim" if line.is_heading else "plain"] * 9]
    pieces: list[Toned] = [(" ", "plain")]
    for number, room in enumerate(widths):
        cell = line.cells[number]
        text = fit(cell, room) if line.forms[number] != "right" else cell.rjust(room)[-room:]
        pieces.append((text + " " * _GAP, tones[number]))
    if bar_width and line.part is not None:
        pieces.append((bar(line.part, bar_width), "accent"))
    return pieces


@lru_cache(maxsize=64)
def fitted(
    natural: tuple[int, ...], forms: tuple[str, ...], room: int
) -> tuple[tuple[int, ...], int]:
    """Widths of as many columns as leave room for the first, and that of a bar behind them."""
    flexible = [number for number, form in enumerate(forms) if form == "flex"]
    count = len(natural)
    while count > 2:
        fixed = sum(natural[n] for n in range(count) if n not in flexible)
        wanted = min(_LEAST_NAME, natural[0]) + 8 * (len([n for n in flexible if n < count]) - 1)
        if fixed + wanted + _GAP * count <= room:
            break
        count -= 1
    kept = natural[:count]
    left = room - sum(kept) - _GAP * count
    bar_width = min(_MOST_BAR, left) if left >= _LEAST_BAR else 0
    inner = room - _GAP * count - bar_width
    return tuple(fit_widths(kept, [n for n in flexible if n < count], inner)), bar_width
