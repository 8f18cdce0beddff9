"""Build typed records from objects that the typed decoders refuse, field by field."""

from __future__ import annotations

import json
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.salvage import FoundObject, JsonObject
from helix_tui.text.valid import valid, valid_json

T = TypeVar("T", bound=msgspec.Struct)


def read_alone(item: FoundObject, kind: type[T]) -> T:
    """A record from a line that was refused as a whole; by itself it may be valid."""
    try:
        return msgspec.json.decode(item.text, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        value = valid_json(item.value)
        return lenient(value if isinstance(value, dict) else {}, kind)


def any_json(line: bytes) -> object:
    """The value of a line, with valid texts; an unreadable line as text."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return valid_json(json.loads(line))
    except (ValueError, RecursionError):
        return valid(line.decode("utf-8", "replace"))


def lenient(raw: JsonObject, kind: type[T]) -> T:
    """The record without fields of unexpected form."""
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        value = _fitting(raw.get(field.encode_name), field.type)
        if value is not None:
            fields[field.name] = value
    return kind(**fields)


def _fitting(value: object, expected: Any) -> Any:
    """The value converted to a type, as much of it as fits, or None."""
    if value is None:
        return None
    if expected is msgspec.Raw:
        return msgspec.Raw(compact_json(value).encode())
    try:
        return msgspec.convert(value, expected, strict=False)
    except (msgspec.ValidationError, RecursionError):
        pass
    choices = get_args(expected) if get_origin(expected) in (Union, UnionType) else (expected,)
    for choice in choices:
        if isinstance(value, dict) and isinstance(choice, type) and _is_struct(choice):
            return lenient(value, choice)
        if isinstance(value, list) and get_origin(choice) is list:
            (kind,) = get_args(choice)
            items = (_fitting(item, kind) for item in value)
            return [item for item in items if item is not None]
    return None


def _is_struct(choice: type) -> bool:
    return issubclass(choice, msgspec.Struct)
