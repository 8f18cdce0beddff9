"""Read the YAML at the head of a page: plain values and the lines they stand on.

Only the core schema of YAML 1.2 is read, so that `no` is a word and `2026-05-31` a text; tags,
anchors and aliases are mistakes. PyYAML is loaded with the first page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from helix_tui.curate.page.mistakes import Mistake

Path = tuple[str | int, ...]

_DEEPEST = 24
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_TOO_LARGE = "this number is too large; quote it to keep it as a text"
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class FrontMatter:
    """The values of a front matter, the line of each by its path, and the mistakes.

    `is_whole` says that the YAML could be read to its end.
    """

    def __init__(self, text: str, first_line: int) -> None:
        self.values: dict[str, Any] = {}
        self.lines: dict[Path, int] = {(): first_line}
        self.mistakes: list[Mistake] = []
        self.is_whole = True
        self._first_line = first_line
        self._read(text)

    def line(self, path: Path) -> int:
        """Return the line of a value, or of the value that would contain it."""
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]

    def _read(self, text: str) -> None:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self._document(yaml.parse(text, Loader=loader))
        except _TooDeepError as deep:
            self._broken(deep.line, f"this is nested more than {_DEEPEST} deep")
        except yaml.MarkedYAMLError as wrong:
            mark = wrong.problem_mark or wrong.context_mark
            self._broken(mark.line if mark else 0, f"this is no YAML: {wrong.problem}")
        except yaml.reader.ReaderError as wrong:
            at = text.find(chr(wrong.character)) if isinstance(wrong.character, int) else 0
            line = text.count("\n", 0, max(at, 0))
            self._broken(line, f"this is no YAML: {wrong.reason}")

    def _wrong(self, yaml_line: int, reason: str) -> None:
        self.mistakes.append(Mistake(self._first_line + yaml_line, reason))

    def _broken(self, yaml_line: int, reason: str) -> None:
        self.is_whole = False
        self._wrong(yaml_line, reason)

    def _document(self, events: Iterator[Any]) -> None:
        from yaml import DocumentEndEvent, DocumentStartEvent, MappingStartEvent, StreamStartEvent

        for event in events:
            starts_on = event.start_mark.line
            if isinstance(event, StreamStartEvent | DocumentEndEvent):
                continue
            if not isinstance(event, DocumentStartEvent):
                break
            if self.values:
                self._wrong(starts_on, "only one YAML document is read")
                break
            first = next(events)
            starts_on = first.start_mark.line
            if isinstance(first, MappingStartEvent):
                self.values = self._value(first, events, ())
            else:
                self._value(first, events, ())
                self._broken(starts_on, "fields are to stand here, like `id: …`")

    def _value(self, event: Any, events: Iterator[Any], path: Path) -> Any:
        from yaml import AliasEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent

        line = event.start_mark.line
        self.lines.setdefault(path, self._first_line + line)
        if isinstance(event, AliasEvent) or event.anchor is not None:
            self._wrong(line, "anchors and aliases (`&`, `*`) are not read; quote a text")
        elif event.tag is not None:
            self._wrong(line, "tags (`!`) are not read; quote a text")
        if len(path) > _DEEPEST:
            raise _TooDeepError(line)
        if isinstance(event, SequenceStartEvent):
            return [
                self._value(item, events, (*path, number))
                for number, item in enumerate(_until_end(events))
            ]
        if isinstance(event, MappingStartEvent):
            return self._mapping(events, path)
        return self._scalar(event) if isinstance(event, ScalarEvent) else None

    def _mapping(self, events: Iterator[Any], path: Path) -> dict[str, Any]:
        from yaml import ScalarEvent

        values: dict[str, Any] = {}
        for event in _until_end(events):
            key = event.value if isinstance(event, ScalarEvent) else "?"
            line = event.start_mark.line
            if not isinstance(event, ScalarEvent):
                self._value(event, events, (*path, key))
                self._wrong(line, "the name of a field is to be a text")
            elif key in values:
                self._wrong(line, f"`{key}` is here twice")
            elif event.anchor is not None or event.tag is not None:
                self._wrong(line, "anchors and tags (`&`, `!`) are not read; quote a text")
            self.lines.setdefault((*path, key), self._first_line + line)
            value = self._value(next(events), events, (*path, key))
            values.setdefault(key, value)
        return values

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if not event.implicit[0] or event.style not in (None, ""):
            return text
        try:
            return core_value(text)
        except ValueError as large:
            self._wrong(event.start_mark.line, str(large))
            return None


class _TooDeepError(Exception):
    def __init__(self, line: int) -> None:
        self.line = line


def _until_end(events: Iterator[Any]) -> Iterator[Any]:
    from yaml import MappingEndEvent, SequenceEndEvent

    for event in events:
        if isinstance(event, MappingEndEvent | SequenceEndEvent):
            return
        yield event


def core_value(text: str) -> bool | int | float | str | None:
    """Resolve a plain YAML 1.2 scalar: null, a boolean, a number, or the text itself."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        number = int(text, 0 if text[:2] in ("0o", "0x") else 10) if len(text) < 30 else 2**63
        if -(2**63) <= number < 2**63:
            return number
        raise ValueError(_TOO_LARGE)
    if _FLOAT.fullmatch(text):
        if math.isfinite(fraction := float(text)):
            return fraction
        raise ValueError(_TOO_LARGE)
    return text
