"""What the lines of the insight screen say: sections of a report, fitted to a width."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from helix_tui.report.layout import ReportLine, Section
from helix_tui.text.human import bar, fit_widths
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Toned, fit, title_width

_GAP = 2
_LEAST_BAR, _MOST_BAR = 8, 48
# Columns are left out from the right until the first one has so many cells.
_LEAST_NAME = 36
# So many are left, and so wide are those that may be cut, where names would be cut otherwise.
_LEAST_COLUMNS, _LEAST_CUT = 4, 12


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
    # How wide the first column must be so that few of its names are cut.
    named: int = 0


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
    named = title_width(row[0] for row in rows)

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
            named,
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
    widths, bar_width = fitted(line.widths, line.forms, width - 1, line.named)
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
    natural: tuple[int, ...], forms: tuple[str, ...], room: int, named: int = 0
) -> tuple[tuple[int, ...], int]:
    """Widths of as many columns as leave room for the names, and that of a bar behind them."""
    flexible = [number for number, form in enumerate(forms) if form == "flex"]

    def left(count: int) -> int:
        """What so many columns leave to the first, where others that may be cut are cut."""
        fixed = sum(natural[n] for n in range(1, count) if n not in flexible)
        cut = sum(min(natural[n], _LEAST_CUT) for n in flexible if 0 < n < count)
        return room - fixed - cut - _GAP * count

    # Few names are cut where that costs no more than the last columns; else no more than needed.
    enough = min(named or _LEAST_NAME, natural[0])
    counts = list(range(len(natural), min(_LEAST_COLUMNS, len(natural)) - 1, -1))
    count = next((n for n in counts if left(n) >= enough), 0)
    first = min(natural[0], left(count)) if count else 0
    if not count:
        least = min(_LEAST_NAME, natural[0])
        count = next((n for n in range(len(natural), 2, -1) if left(n) >= least), 2)
    kept = (first or natural[0], *natural[1:count])
    spare = room - sum(kept) - _GAP * count
    bar_width = min(_MOST_BAR, spare) if spare >= _LEAST_BAR else 0
    inner = room - _GAP * count - bar_width
    giving = [n for n in flexible if n < count and not (first and n == 0)]
    return tuple(fit_widths(kept, giving, inner)), bar_width
