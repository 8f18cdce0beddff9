"""The sentences, list items and lines of code of instructions, each with its line."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"\s{0,12}(`{3,}|~{3,})")
_ITEM = re.compile(r"\s{0,40}(?:[-*+•]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_RULE_LINE = re.compile(r"\s*(?:[-*_=]\s*){3,}$|\s*\|?[\s:|-]+\|[\s:|-]*$")
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?:\s+|(?<=[。！？]))(?=[^\s.!?a-z])")
_PROMPT = re.compile(r"\s*(?:[$%>❯]\s+)?")
# A list item of one thought stays whole; a longer one is parted.
_LONGEST_ITEM = 400
_LONGEST = 1_000
_MOST_UNITS = 5_000
_SHORTEST = 4
_LONGEST_HEADING = 120


class Unit(NamedTuple):
    """One thing that instructions say, and the line where it begins, counted from one.

    `within` is what it stands below: its heading, and the items of the list that it is part of.
    """

    line: int
    text: str
    is_code: bool = False
    within: str = ""


def units_of(text: str) -> list[Unit]:
    """What a text says, one thing after the other."""
    units: list[Unit] = []
    block: list[str] = []
    begin, is_item, fence, within = 1, False, "", ""
    heading = ""
    items: list[tuple[int, str]] = []

    def close() -> None:
        if block:
            units.extend(one._replace(within=within) for one in _parted(begin, block, is_item))
            block.clear()

    for number, line in enumerate(text.split("\n"), 1):
        if len(units) >= _MOST_UNITS:
            break
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            elif (code := line[_end(_PROMPT, line) :].strip()) and code[0] != "#":
                units.append(Unit(number, code[:_LONGEST], True, _within(heading, items)))
            continue
        is_item_start = _ITEM.match(line) is not None
        is_apart = mark or _HEADING.match(line) or _RULE_LINE.match(line) or not line.strip()
        if is_apart or is_item_start or line.lstrip().startswith("|"):
            close()
        if mark:
            fence = mark[1]
        elif match := _HEADING.match(line):
            heading = line[match.end() :].strip()[:_LONGEST_HEADING]
            items.clear()
        if is_apart:
            continue
        if not block:
            begin, is_item = number, is_item_start
            if is_item or not line[:1].isspace():
                depth = len(line) - len(line.lstrip())
                items[:] = [one for one in items if one[0] < depth]
            within = _within(heading, items)
            if is_item:
                items.append((depth, line[_end(_ITEM, line) :].strip()[:_LONGEST_HEADING]))
        block.append(line[_end(_ITEM, line) :] if is_item_start else line.strip())
    close()
    return [unit for unit in units if len(unit.text) >= _SHORTEST]


def _within(heading: str, items: list[tuple[int, str]]) -> str:
    return " / ".join(text for text in (heading, *(text for _, text in items)) if text)


def _end(pattern: re.Pattern[str], line: str) -> int:
    match = pattern.match(line)
    return match.end() if match else 0


def _parted(begin: int, block: list[str], is_item: bool) -> list[Unit]:
    """A paragraph by its sentences, an item whole unless it is long."""
    whole = "\n".join(block)
    if is_item and len(whole) <= _LONGEST_ITEM:
        return [Unit(begin, whole.replace("\n", " ").strip())]
    units, at = [], 0
    for match in [*_SENTENCE.finditer(whole), None]:
        end = match.start() if match else len(whole)
        piece = whole[at:end]
        line = begin + whole.count("\n", 0, at + len(piece) - len(piece.lstrip()))
        units.append(Unit(line, piece.replace("\n", " ").strip()[:_LONGEST]))
        at = match.end() if match else end
    return units
