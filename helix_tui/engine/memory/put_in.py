"""What an edit put into a file, where that is short enough to be told: a line or two."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable

_OLD = ("old_string", "oldString", "old_str", "oldText")
_NEW = ("new_string", "newString", "new_str", "newText")
_MOST_LINES = 2
_MOST_OF_LINE = 110
_MOST_EXAMINED = 60_000
_PATCH = "*** Begin Patch"
_LEAST_CHANGED = 4
# A line so short is told as a whole.
_MOST_SHOWN_WHOLE = 60
_Lines = tuple[list[str], list[str]]
_SAYING = re.compile(r"\w.*\w")


def put_in(given: str) -> str:
    """The one or two lines that an edit adds; nothing where it adds more, or only takes away."""
    if len(given) > _MOST_EXAMINED:
        return ""
    taken, fresh = _of_patch(given) if _PATCH in given else _of_call(given)
    if len(taken) == len(fresh) == 1:
        fresh = [_changed(taken[0], fresh[0])]
    lines = list(dict.fromkeys(" ".join(line.split()) for line in fresh if _SAYING.search(line)))
    is_short = all(len(line) <= _MOST_OF_LINE for line in lines)
    return " ⏎ ".join(lines) if is_short and len(lines) <= _MOST_LINES else ""


def _changed(old: str, new: str) -> str:
    """What of a line is new, by whole words; the line, where nothing but signs is."""
    words, before = new.split(" "), old.split(" ")
    start = 0
    while start < min(len(words), len(before)) and words[start] == before[start]:
        start += 1
    end = 0
    least = min(len(words), len(before)) - start
    while end < least and words[-1 - end] == before[-1 - end]:
        end += 1
    middle = " ".join(words[start : len(words) - end])
    return middle if len(middle) >= _LEAST_CHANGED and len(new) > _MOST_SHOWN_WHOLE else new


def _of_call(given: str) -> _Lines:
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        return [], []
    if not isinstance(value, dict):
        return [], []
    edits = value.get("edits")
    taken: list[str] = []
    added: list[str] = []
    for pair in edits if isinstance(edits, list) else [value]:
        old = _first(pair, _OLD) if isinstance(pair, dict) else None
        new = _first(pair, _NEW) if isinstance(pair, dict) else None
        if not old or new is None:
            return [], []  # a file that is written whole
        known = Counter(line.strip() for line in old.split("\n"))
        fresh = Counter(line.strip() for line in new.split("\n"))
        taken += _worded((known - fresh).elements())
        added += _worded((fresh - known).elements())
    return taken, added


def _of_patch(given: str) -> _Lines:
    if "*** Add File" in given:
        return [], []
    rows = given.replace("\\n", "\n").split("\n")
    known = Counter(row[1:].strip() for row in rows if row[:1] == "-" and row[:3] != "---")
    fresh = Counter(row[1:].strip() for row in rows if row[:1] == "+" and row[:3] != "+++")
    return _worded((known - fresh).elements()), _worded((fresh - known).elements())


def _worded(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if _SAYING.search(line)]


def _first(pair: dict[str, object], names: tuple[str, ...]) -> str | None:
    return next((text for name in names if isinstance(text := pair.get(name), str)), None)
