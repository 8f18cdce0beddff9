"""Edits of a JSON text that leave every other character of it unchanged."""

from __future__ import annotations

import json
from json import JSONDecoder
from typing import NamedTuple

_SPACE = " \t\n\r"
_UNIT = "  "


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


# Numbers are not converted: however long or odd, they stay text.
_decoder = JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)


class JsonMember(NamedTuple):
    """A member of an object or an item of a list: the positions of its key, value and end."""

    key: str
    start: int
    value: int
    end: int


def parse(text: str) -> object:
    """The value of a text, with every number as text; raise ValueError where it is not JSON."""
    return _decoder.decode(text)


def start_of(text: str) -> int:
    """Where the value of a text begins."""
    return _skip(text, 0)


def members(text: str, at: int) -> list[JsonMember]:
    """The members of the object or list that begins at `at`, in order; the text must be valid."""
    result: list[JsonMember] = []
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        start, key = at, ""
        if is_object:
            key, at = _decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _decoder.raw_decode(text, at)
        result.append(JsonMember(key, start, at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return result


def last_member(text: str, at: int, key: str) -> JsonMember | None:
    """The member with this key; the last one where there are several, as that one counts."""
    return next((member for member in reversed(members(text, at)) if member.key == key), None)


def append(text: str, at: int, value: object, key: str | None = None) -> str:
    """The text with one more item or member after the others, formatted like them."""
    existing = members(text, at)
    name = "" if key is None else f"{json.dumps(key)}: "
    if existing:
        last = existing[-1]
        lead = text[_before_space(text, last.start) : last.start]
        indent = _indent(lead) if "\n" in lead else None
        added = f",{lead}{name}{_rendered(value, text, indent)}"
        return text[: last.end] + added + text[last.end :]
    end = _skip(text, at + 1)
    inner = text[at + 1 : end]
    if _is_on_one_line(text):
        return f"{text[: at + 1]}{name}{_rendered(value, text, None)}{text[at + 1 :]}"
    outer = _indent_of_line(text, at)
    indent = outer + _unit(text)
    added = f"{_newline(text)}{indent}{name}{_rendered(value, text, indent)}"
    if "\n" not in inner:
        added += _newline(text) + outer
    return text[: at + 1] + added + text[at + 1 :]


def remove(text: str, at: int, index: int) -> str:
    """The text without an item or a member, and without its comma."""
    existing = members(text, at)
    if len(existing) == 1:
        start, end = at + 1, _skip(text, existing[0].end)
    elif index == len(existing) - 1:
        start, end = existing[index - 1].end, existing[index].end
    else:
        start, end = existing[index].start, existing[index + 1].start
    return text[:start] + text[end:]


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _before_space(text: str, at: int) -> int:
    while at and text[at - 1] in _SPACE:
        at -= 1
    return at


def _indent(lead: str) -> str:
    return lead[lead.rfind("\n") + 1 :]


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: _skip(line, 0)]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """The indentation of the first member of a text."""
    at = start_of(text)
    existing = members(text, at)
    lead = text[at + 1 : existing[0].start] if existing else ""
    return (_indent(lead) if "\n" in lead else "") or _UNIT


def _is_on_one_line(text: str) -> bool:
    existing = members(text, start_of(text))
    return bool(existing) and "\n" not in text.strip(_SPACE)


def _rendered(value: object, text: str, indent: str | None) -> str:
    if indent is None:
        return json.dumps(value)
    lines = json.dumps(value, indent=_unit(text)).split("\n")
    return f"{_newline(text)}{indent}".join(lines)
