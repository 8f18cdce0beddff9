"""Print JSON that scripts rely on, and tables for people."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal

from helix_tui.text.human import fit_widths
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from helix_tui.schema import Problem

_PIPED_WIDTH = 400
_GAP = 2


def print_json(command: str, fields: dict[str, Any]) -> None:
    """Print one object on stdout; ASCII, so that no text in it can steer a terminal."""
    print(json.dumps({"schema": f"helix.{command}/1", **fields}, ensure_ascii=True))


def print_json_stream(
    command: str, fields: dict[str, Any], name: str, items: Iterable[Any]
) -> None:
    """Print one object whose last field is a long list, item by item."""
    remaining = iter(items)
    first = list(islice(remaining, 1))  # an error must come before the first byte
    head = json.dumps({"schema": f"helix.{command}/1", **fields}, ensure_ascii=True)
    sys.stdout.write(f"{head[:-1]}, {json.dumps(name)}: [")
    for number, item in enumerate(chain(first, remaining)):
        sys.stdout.write(("," if number else "") + json.dumps(item, ensure_ascii=True))
    sys.stdout.write("]}\n")


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem as scripts see it; a whole file or folder has no offset."""
    return {"path": problem.path, "offset": problem.offset, "reason": problem.reason}


def discard_output() -> None:
    """Discard further output; the stream stays open until the process ends."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def has_no_reader() -> bool:
    """Whether nobody reads the output any more; another pipe may be the broken one."""
    import select

    poll = select.poll()
    try:
        poll.register(sys.stdout, 0)
    except (OSError, ValueError):  # it is no file
        return False
    return any(flags & (select.POLLERR | select.POLLHUP) for _, flags in poll.poll(0))


def screen_width() -> int:
    """How many characters a line of running text may take."""
    import shutil

    return min(120, shutil.get_terminal_size((100, 24)).columns)


def console() -> Console:
    """Rich on stdout; markup is off, since what is shown may come from a log."""
    from rich.console import Console

    # Piped into another program there is no width to fit, and nothing may be cut.
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    return Console(markup=False, highlight=False, emoji=False, width=width)


def print_rich(made: RenderableType) -> None:
    """Print what Rich lays out; for other programs without the blanks at the end of its lines."""
    screen = console()
    if screen.is_terminal:
        screen.print(made)
        return
    with screen.capture() as captured:
        screen.print(made)
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def print_table(
    columns: Sequence[tuple[str, Literal["left", "right", "flex"]]], rows: Iterable[Sequence[str]]
) -> None:
    """Print a table of (heading, form) columns, every cell through the safe path.

    `left` and `right` columns are never cut; `flex` ones give way where the terminal is narrow.
    Other programs get tabs between cells, whole and without blanks.
    """
    cells = [[safe_line(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        # For programs: nothing is filled up or cut, and a cell never holds a tab.
        names = [heading for heading, _ in columns]
        lines = ("\t".join(cell.rstrip() for cell in row) for row in (names, *cells))
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    from rich.cells import cell_len
    from rich.text import Text

    natural = [
        max([cell_len(heading), *(cell_len(row[number]) for row in cells)])
        for number, (heading, _) in enumerate(columns)
    ]
    screen = console()
    flexible = [number for number, (_, form) in enumerate(columns) if form == "flex"]
    widths = fit_widths(natural, flexible, screen.width - _GAP * (len(columns) - 1))
    forms = [form for _, form in columns]
    head = _table_row([heading for heading, _ in columns], widths, forms, screen.width)
    screen.print(Text(head, style="bold"), no_wrap=True)
    # A table of Rich's would take half a second for a thousand rows.
    lines = (_table_row(row, widths, forms, screen.width) for row in cells)
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _table_row(
    cells: Sequence[str], widths: Sequence[int], forms: Sequence[str], room_in_all: int
) -> str:
    """One line of a table, cut where even the narrowest columns do not fit."""
    from rich.cells import cell_len, set_cell_size

    texts = []
    for cell, width, form in zip(cells, widths, forms, strict=True):
        room = width - cell_len(cell)
        if room < 0:
            texts.append(f"{set_cell_size(cell, width - 1)}…")
        else:
            texts.append(" " * room + cell if form == "right" else cell + " " * room)
    line = (" " * _GAP).join(texts)
    return line if cell_len(line) <= room_in_all else set_cell_size(line, room_in_all)
