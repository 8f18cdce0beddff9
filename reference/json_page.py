"""The page of what `--json` prints: the fields that commands really print on the bundled sample."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reference.json_runs import printed
from reference.markdown import page, table

_NOTES = Path(__file__).parent / "json_notes.toml"
_INTRO = """
With `--json` a command prints one object on stdout and nothing else there: `{"schema":
"helix.<command>/1", …}`, where `<command>` is the first word (`helix catalog list` prints
`helix.catalog/1`). `signature` prints one such object a line. It is ASCII throughout, so that no
text in it can steer a terminal. Fields are only ever added. Times are ISO 8601 in UTC.

These are the fields and types that each command prints on the bundled sample. `[]` stands for each
item of a list, `*` for each name of a map; a list that is empty there has no items here, and `null
here` is a field that has another value elsewhere. The forms `detect --why` and `--dropped`, `undo
--list` and the subcommands have tables of their own.
"""
Shape = dict[str, set[str]]


def json_page() -> str:
    """Every field of every command, with its type and what it means."""
    notes = tomllib.loads(_NOTES.read_text())
    shapes: dict[str, Shape] = {}
    for command, objects in printed().items():
        shape: Shape = {}
        for found in objects:
            _collect(found, "", shape, notes["maps"])
        shapes[command] = shape
    for command, fields in notes["same"].items():
        for field, other in fields.items():
            _leave_out(shapes, command, field, *other)
    unknown = _unknown(notes["fields"], shapes)
    assert not unknown, f"notes on fields that nobody prints: {unknown}"
    parts = [_section(name, shape, notes["fields"]) for name, shape in shapes.items()]
    return page("JSON", "what commands print on the bundled sample", _INTRO, *parts)


def _section(name: str, shape: Shape, notes: Mapping[str, Mapping[str, str]]) -> str:
    own = notes.get(name, {})
    rows = [
        (f"`{field}`", _types(shape[field]), own.get(field, ""))
        for field in _in_order(shape)
        if field != "schema"
    ]
    return f"## helix {name}\n\n{table(('field', 'type', 'meaning'), rows)}"


def _types(types: set[str]) -> str:
    return "null here" if types == {"null"} else " or ".join(sorted(types))


def _in_order(shape: Shape) -> list[str]:
    """The fields as they are printed, each before those below it, whichever run showed it first."""
    seen = {field: number for number, field in enumerate(shape)}

    def place(field: str) -> list[int]:
        ends = [found.start() for found in re.finditer(r"[.\[]", field)]
        return [seen[field[:end]] for end in ends if field[:end] in seen] + [seen[field]]

    return sorted(shape, key=place)


def _leave_out(
    shapes: dict[str, Shape], command: str, field: str, other: str, other_field: str
) -> None:
    """Takes out the fields below one that has the form of another command's."""
    shape = shapes[command]
    below = [name for name in shape if name.startswith((f"{field}.", f"{field}["))]
    for name in below:
        twin = other_field + name.removeprefix(field)
        assert twin in shapes[other], f"{command}: {name} is not in {other} as {twin}"
        del shape[name]


def _unknown(notes: Mapping[str, Mapping[str, str]], shapes: Mapping[str, Shape]) -> list[str]:
    return [
        f"{command}: {field}"
        for command, fields in notes.items()
        for field in fields
        if field not in shapes.get(command, {})
    ]


def _collect(value: Any, path: str, shape: Shape, maps: list[str]) -> None:
    """Adds the fields below a value, in the order in which they are printed."""
    if path:
        shape.setdefault(path, set()).add(_type_of(value))
    if isinstance(value, list):
        for item in value:
            _collect_item(item, f"{path}[]", shape, maps)
    elif isinstance(value, dict):
        is_map = path.rsplit(".", 1)[-1] in maps
        for name, item in value.items():
            inner = "*" if is_map else name
            _collect(item, f"{path}.{inner}" if path else inner, shape, maps)


def _collect_item(item: Any, path: str, shape: Shape, maps: list[str]) -> None:
    if isinstance(item, dict):
        for name, inner in item.items():
            _collect(inner, f"{path}.{name}", shape, maps)
    else:
        _collect(item, path, shape, maps)


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "boolean", int: "number", float: "number", str: "text", list: "list"}
    return names.get(type(value), "object")
