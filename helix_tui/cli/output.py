"""Prints: JSON that scripts rely on, and tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from rich.console import Console

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def print_json(command: str, fields: dict[str, Any]) -> None:
    """One object on stdout; ASCII, so that no text in it can steer a terminal."""
    print(json.dumps({"schema": f"helix.{command}/1", **fields}, ensure_ascii=True))


def print_json_stream(command: str, fields: dict[str, Any], name: str, items: Iterable[Any]) -> None:
    """One object whose last field is a long list, written as it comes."""
    head = json.dumps({"schema": f"helix.{command}/1", **fields}, ensure_ascii=True)
    sys.stdout.write(f"{head[:-1]}, {json.dumps(name)}: [")
    for number, item in enumerate(items):
        sys.stdout.write(("," if number else "") + json.dumps(item, ensure_ascii=True))
    sys.stdout.write("]}\n")


def console() -> Console:
    """Rich on stdout; markup is off, since what is shown may come from a log."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def print_table(
    columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]], title: str = ""
) -> None:
    """A table of (heading, justification) columns; every cell goes through the safe path."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, title=title or None, title_justify="left", pad_edge=False)
    for heading, justify in columns:
        is_number = justify == "right"
        table.add_column(
            heading, justify="right" if is_number else "left", no_wrap=True, overflow="ellipsis"
        )
    for row in rows:
        table.add_row(*(Text(safe_line(cell)) for cell in row))
    console().print(table)


def human_bytes(count: int) -> str:
    """A size as people read it."""
    size = float(count)
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1024
    raise AssertionError("unreachable: the last unit takes every size")


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
