"""Check the fields of a page against those of a pattern, and keep unknown fields apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields

from helix_tui.curate.page.mistakes import Mistake
from helix_tui.curate.page.pattern import Hint, Pattern
from helix_tui.curate.page.prose import HEADINGS

Path = tuple[str | int, ...]
# Fields that stand below the front matter, or only hold unknown ones.
IN_THE_PAGE = frozenset({"title", "sections", "extra", *HEADINGS})


class CheckedFields(NamedTuple):
    """The known fields that are right, the unknown fields, and the mistakes."""

    known: dict[str, Any]
    extra: dict[str, Any]
    mistakes: list[Mistake]


def check_fields(values: dict[str, Any], line_of: Callable[[Path], int]) -> CheckedFields:
    """Return every field that is right, and a mistake for each that is wrong or missing."""
    mistakes: list[Mistake] = []

    def wrong(path: Path, reason: str) -> None:
        mistakes.append(Mistake(line_of(path), reason))

    known, extra = _struct_fields(Pattern, values, (), wrong)
    return CheckedFields(known, extra, mistakes)


_Wrong = Callable[[Path, str], None]
_PLAIN = (str, int, bool)


@cache
def _by_name(kind: type[msgspec.Struct]) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in fields(kind)}


def _struct_fields(
    kind: type[msgspec.Struct], values: dict[str, Any], path: Path, wrong: _Wrong
) -> tuple[dict[str, Any], dict[str, Any]]:
    known: dict[str, Any] = {}
    by_name = {name: field for name, field in _by_name(kind).items() if name != "extra"}
    extra = {name: value for name, value in values.items() if name not in by_name}
    for name, field in by_name.items():
        field_path = (*path, name)
        if name not in values and field.required:
            wrong(field_path, f"{_named(field_path)} is missing")
        elif name in values and (values[name] is not None or field.required):
            known[name], inner = _value(field.type, values[name], field_path, wrong)
            if inner:
                extra[name] = inner
    return known, extra


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


class _Kind(NamedTuple):
    """What a type is without its annotation: itself, what it is made of, whether it has fields."""

    bare: Any
    origin: Any
    args: tuple[Any, ...]
    is_struct: bool


@cache
def _kind_of(kind: Any) -> _Kind:
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return _Kind(bare, get_origin(bare), get_args(bare), _is_struct(bare))


def _value(kind: Any, value: Any, path: Path, wrong: _Wrong) -> tuple[Any, dict[str, Any]]:
    """Check a value; return it, and the unknown fields within it."""
    bare, origin, args, is_struct = _kind_of(kind)
    inner: dict[str, Any] = {}
    if is_struct:
        if not isinstance(value, dict):
            wrong(path, f"{_named(path)} is to have fields of its own")
            return value, {}
        return _struct_fields(bare, value, path, wrong)
    mistakes: list[Path] = []

    def wrong_inside(inner_path: Path, reason: str) -> None:
        mistakes.append(inner_path)
        wrong(inner_path, reason)

    if origin is dict and isinstance(value, dict):
        name_kind, item_kind = args
        values: dict[str, Any] = {}
        for name, item in value.items():
            _check(name_kind, name, (*path, name), wrong_inside)
            values[name], unknown = _value(item_kind, item, (*path, name), wrong_inside)
            if unknown:
                inner[name] = unknown
        value = values
    elif origin is list and isinstance(value, list):
        value = [
            _value(args[0], item, (*path, number), wrong_inside)[0]
            for number, item in enumerate(value)
        ]
    if not mistakes:
        _check(kind, value, path, wrong)
    return value, inner


def _check(kind: Any, value: Any, path: Path, wrong: _Wrong) -> None:
    if kind in _PLAIN and type(value) is kind:
        return  # as most are, without a look at what the type is made of
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as refused:
        wanted = _wanted(kind)
        wrong(path, f"{_named(path)} is to be {wanted}" if wanted else f"{_named(path)}: {refused}")


def _wanted(kind: Any) -> str:
    """Describe in words what a value should be."""
    if get_origin(kind) is Annotated:
        return next((meta.description for meta in get_args(kind)[1:] if meta.description), "")
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(filter(None, map(_wanted, get_args(kind))))
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    names = {bool: "true or false", list: "a list", dict: "fields of its own", str: "a text"}
    return names.get(get_origin(kind) or kind, "")


def _named(path: Path) -> str:
    if path[0] == "title":
        return "the title (`# …`)"
    if path[0] == "sections":
        return f"`## {path[-1]}`"
    if path[0] in HEADINGS:
        heading = f"`## {HEADINGS[str(path[0])]}`"
        return " of ".join([*(f"`{part}`" for part in path[2:]), heading])
    return f"`{'.'.join(str(part) for part in path)}`"


def with_extra(values: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """Put unknown values back where they stood, after the known ones."""
    merged = dict(values)
    for name, value in extra.items():
        if name not in merged:
            merged[name] = value
        elif isinstance(merged[name], dict) and isinstance(value, dict):
            merged[name] = with_extra(merged[name], value)
    return merged


def tidy_extra(extra: dict[str, Any], rendering: dict[str, Hint]) -> dict[str, Any]:
    """Drop from the unknown fields those that are known, and hints of agents without one."""
    return _unknown(Pattern, extra, rendering)


def _unknown(
    kind: type[msgspec.Struct], extra: dict[str, Any], rendering: dict[str, Hint]
) -> dict[str, Any]:
    by_name = _by_name(kind)
    tidied: dict[str, Any] = {}
    for name, value in extra.items():
        if name not in by_name:
            tidied[name] = value
            continue
        inner: dict[str, Any] = {}
        if isinstance(value, dict) and name == "rendering" and kind is Pattern:
            for flavor, unknown in value.items():
                if flavor in rendering and isinstance(unknown, dict):
                    inner[flavor] = _unknown(Hint, unknown, {})
            inner = {flavor: unknown for flavor, unknown in inner.items() if unknown}
        elif isinstance(value, dict) and _is_struct(by_name[name].type):
            inner = _unknown(by_name[name].type, value, {})
        if inner:
            tidied[name] = inner
    return tidied
