"""Bounded tables and lists: what a fold has no more room for is summed up, or left out."""

from __future__ import annotations

from typing import TypeVar

from helix_tui.schema import REST, CommandTally, FileTally, Moment, ShapeTally, ToolTally

MOST = {"tools": 100, "commands": 60, "files": 200, "groups": 100, "shapes": 120}
MOST_MOMENTS = 20

Tally = TypeVar("Tally", ToolTally, CommandTally, FileTally, ShapeTally)


def note(moments: list[Moment], moment: Moment) -> None:
    """Adds a moment while there is room."""
    if len(moments) < MOST_MOMENTS:
        moments.append(moment)


def tally(table: dict[str, Tally], name: str, what: str, kind: type[Tally]) -> Tally:
    """The entry of a name, or the common one of all for which the table has no room."""
    found = table.get(name)
    if found is None:
        if len(table) >= MOST[what]:
            name = REST
            found = table.get(REST)
        if found is None:
            found = table[name] = kind()
    return found


T = TypeVar("T")


def put(table: dict[int, T], key: int, value: T, most: int) -> None:
    """Enters a value; the oldest gives way where the table is full."""
    if key not in table and len(table) >= most:
        del table[next(iter(table))]
    table[key] = value


def cut(text: str, limit: int) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
