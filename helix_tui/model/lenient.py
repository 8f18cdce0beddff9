"""Find the JSON object in an answer, as models are known to print one.

Thoughts, fences, a preamble and what follows are passed over. What is not quite JSON is repaired
where it can mean one thing only: commas before a bracket, and Python's quotes.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from helix_tui.text.valid import valid_json

_DECODER = json.JSONDecoder(strict=False)
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_START = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
# So many braces are tried; an answer has its object among the first of them.
_MOST_TRIED = 60
_MOST_REPAIRED = 32 * 1024

Fits = Callable[[dict[str, Any]], bool]


def without_thoughts(text: str) -> str:
    """The answer without what a model thought before or after it, also where a mark is missing."""
    end = max((mark.end() for mark in _THOUGHT_END.finditer(text)), default=0)
    if text[end:].strip():
        text = text[end:]
    start = _THOUGHT_START.search(text)
    return (text[: start.start()] if start else text).strip()


def object_in(text: str, fits: Fits) -> dict[str, Any] | None:
    """The last object in an answer that fits; None where there is none."""
    fitting = [candidate for candidate in _objects(text) if fits(candidate)]
    if fitting:
        return fitting[-1]
    repaired = _repaired(text)
    return repaired if repaired is not None and fits(repaired) else None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every whole object that is not inside of another, in order."""
    at = text.find("{")
    for _ in range(_MOST_TRIED):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield _valid(value)
        at = text.find("{", end)


def _repaired(text: str) -> dict[str, Any] | None:
    """The object between the first brace and the last, if it can be read in one way only."""
    start, end = text.find("{"), text.rfind("}")
    span = text[start : end + 1] if 0 <= start < end else ""
    if not span or len(span) > _MOST_REPAIRED:
        return None
    try:
        value = json.loads(_without_last_commas(span), strict=False)
    except (ValueError, RecursionError):
        value = _python_literal(span)
    return _valid(value) if isinstance(value, dict) else None


def _without_last_commas(span: str) -> str:
    """The text without commas outside of strings that only a closing bracket follows."""
    kept: list[str] = []
    comma = -1
    at = 0
    while at < len(span):
        sign = span[at]
        end = _string_end(span, at) if sign == '"' else at + 1
        if sign in "}]" and comma >= 0:
            kept[comma] = ""
        if sign == ",":
            comma = len(kept)
        elif not sign.isspace():
            comma = -1
        kept.append(span[at:end])
        at = end
    return "".join(kept)


def _string_end(span: str, at: int) -> int:
    """The place behind a string that begins at a quote."""
    place = at + 1
    while place < len(span) and span[place] != '"':
        place += 2 if span[place] == "\\" else 1
    return min(place + 1, len(span))


def _python_literal(span: str) -> object:
    """A dict as Python prints it; its parser knows where a quote ends, or refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that it does not know
            return ast.literal_eval(span)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _valid(value: dict[Any, Any]) -> dict[str, Any]:
    named = {name: item for name, item in value.items() if isinstance(name, str)}
    made = valid_json(named)
    assert isinstance(made, dict)
    return made
