"""Find what keeps a page or a history from being written or overwritten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from helix_tui.curate.page.front_matter import FrontMatter
from helix_tui.curate.page.mistakes import BadFileError, Mistake
from helix_tui.curate.page.page import known_page
from helix_tui.curate.page.versions import read_history
from helix_tui.text.refuse import Refusal, refusals

_PAGES_KEPT = 256
_LINES_KEPT = 4096
_HEAD = re.compile(r"\ufeff?---[ \t]*\n(?P<head>(?:.*\n)*?)---[ \t]*(?:\n|\Z)")


def front_matter_of(text: str) -> str:
    """Return the YAML of a page, which begins on its second line; empty where there is none."""
    match = _HEAD.match(text.replace("\r\n", "\n"))
    return match["head"] if match else ""


def page_refusals(text: str) -> list[Refusal]:
    """List the lines of a page with a secret or a hidden character, YAML escapes included."""
    return list(_refused_in_page(text))


@lru_cache(_PAGES_KEPT)
def _refused_in_page(text: str) -> tuple[Refusal, ...]:
    """The same; a page that is written is looked at again before it is replaced."""
    refused = set(refusals(text))
    head = front_matter_of(text)
    if "\\" in head:
        front = FrontMatter(head, 2)
        for path, value in _strings(front.values):
            refused |= {Refusal(front.line(path), reason) for _, reason in refusals(value)}
    return tuple(sorted(refused))


def history_refusals(text: str) -> list[Refusal]:
    """List the lines of a history whose texts hold a secret or a hidden character."""
    lines = enumerate(text.split("\n"), 1)
    return sorted({Refusal(number, reason) for number, line in lines for reason in _reasons(line)})


@lru_cache(_LINES_KEPT)
def _reasons(line: str) -> frozenset[str]:
    """Why a line of a history is refused; a history grows by a line, and the others stay."""
    try:
        values = [value for _, value in _strings(msgspec.json.decode(line or "null"))]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        values = [line]
    return frozenset(reason for value in values for _, reason in refusals(value))


def page_faults(text: str, name: str) -> list[Mistake]:
    """List why a page that a person left is neither adopted nor replaced."""
    try:
        known_page(text, name)
    except BadFileError as bad:
        return bad.mistakes
    return [Mistake(*refusal) for refusal in page_refusals(text)]


def history_faults(text: str, name: str) -> list[Mistake]:
    """List why a history that a person left is neither adopted nor replaced."""
    try:
        read_history(text, name)
    except BadFileError as bad:
        return bad.mistakes
    return [Mistake(*refusal) for refusal in history_refusals(text)]


def _strings(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), key
            yield from _strings(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _strings(inner, (*path, number))
