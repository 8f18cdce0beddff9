"""Find and edit the one block of rules in a file; no byte outside of it ever changes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

BEGIN = "<!-- helix:begin: `helix distribute` keeps the lines down to helix:end -->"
END = "<!-- helix:end -->"
_BEGINS, _ENDS = b"<!-- helix:begin", b"<!-- helix:end"
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})([^\r\n]*)")
_ITEM = re.compile(r"[-*+] +(.*)")
_CONFLICT = re.compile(rb"^(?:<{7} |>{7} )", re.MULTILINE)


class BlockError(Exception):
    """A file whose marks are not zero or exactly one pair in order, each on a line of its own."""


class Entry(NamedTuple):
    """One rule of a block, or a line that is none; `raw` are its lines as they stand."""

    text: str
    raw: tuple[str, ...]


class Block(NamedTuple):
    """Where a block begins and ends, in bytes, and what stands in it."""

    start: int
    end: int
    entries: tuple[Entry, ...]
    has_break: bool


def find_block(data: bytes) -> Block | None:
    """The block of a file; marks in a code fence are somebody's example."""
    if _BEGINS not in data and _ENDS not in data:
        return None
    begins: list[tuple[int, int, int]] = []
    ends: list[tuple[int, int, int]] = []
    for number, start, line in _lines_outside_of_fences(data):
        bare = line.strip()
        place = (number, start, start + len(line))
        for mark, exact, found in ((_BEGINS, BEGIN, begins), (_ENDS, END, ends)):
            if bare.startswith(mark):
                if line.rstrip() != exact.encode():
                    raise BlockError(f"line {number:,} is not exactly the mark {exact!r}")
                found.append(place)
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1:
        raise BlockError(
            f"it has {len(begins)} begin marks and {len(ends)} end marks instead of one of each"
        )
    (first, start, inner), (last, inner_end, end) = begins[0], ends[0]
    if last < first:
        raise BlockError(f"its end mark (line {last:,}) is before its begin mark (line {first:,})")
    lines = data[inner:inner_end].decode("utf-8").split("\n")[:-1]
    return Block(
        start, end, tuple(_entries(line.rstrip("\r") for line in lines)), data[:end].endswith(b"\n")
    )


def _lines_outside_of_fences(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Each line with its number and offset, but for those in code fences."""
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    fence: bytes | None = None
    for number, line in enumerate(data[start:].split(b"\n"), 1):
        whole = line + b"\n" if start + len(line) < len(data) else line
        match = _FENCE.match(line)
        if fence is not None:
            is_closing = match and match[1].startswith(fence) and not match[2].strip()
            fence = None if is_closing else fence
        elif match and not (match[1].startswith(b"`") and b"`" in match[2]):
            fence = match[1]
        else:
            yield number, start, whole
        start += len(whole)


def is_fence_open(data: bytes) -> bool:
    """Whether a code fence is open at the end: what is added there would be code."""
    probe = b"\n\0\n" if not data.endswith(b"\n") else b"\0\n"
    return not any(line.startswith(b"\0") for _, _, line in _lines_outside_of_fences(data + probe))


def has_conflict(data: bytes) -> bool:
    """Whether git left the marks of a conflict in it."""
    return _CONFLICT.search(data) is not None


def _entries(lines: Iterator[str]) -> Iterator[Entry]:
    text = ""
    raw: list[str] = []
    for line in lines:
        item = _ITEM.match(line)
        if raw and not item and line.startswith("  ") and line.strip():
            text, raw = f"{text}\n{line.strip()}", [*raw, line]
            continue
        if raw:
            yield Entry(text, tuple(raw))
        text, raw = "", []
        if item:
            text, raw = item[1].rstrip(), [line]
        elif line.strip():
            yield Entry(line.strip(), (line,))
    if raw:
        yield Entry(text, tuple(raw))


def entry_of(text: str) -> Entry:
    """A rule as it is written: one item of a list, its second line indented."""
    first, *rest = text.split("\n")
    return Entry(text, (f"- {first}", *(f"  {line}" for line in rest)))


class Edited(NamedTuple):
    """A file with its block edited: where, what stood there, and what does now."""

    data: bytes
    offset: int
    old: str
    new: str
    glue: str


def with_entries(data: bytes, entries: Sequence[Entry], glue: str, *, keeps: bool) -> Edited:
    """Make a file's block hold these entries; without any the block goes.

    `glue` is what was put before the block when it was added; it goes with a block that is the last
    of the file. With `keeps` the entries are a person's own: the marks go and these stay.
    """
    block = find_block(data)
    end_of_line = _end_of_line(data[block.start : block.end] if block else data)
    lines = [line for entry in entries for line in entry.raw]
    if block is None:
        if not lines or keeps:
            return Edited(data, len(data), "", "", glue)
        glue = _glue(data, end_of_line)
        new = glue + end_of_line.join([BEGIN, *lines, END, ""])
        return _spliced(data, len(data), len(data), new, glue)
    start, end = block.start, block.end
    tail = [""] if block.has_break else []
    if lines and not keeps:
        return _spliced(data, start, end, end_of_line.join([BEGIN, *lines, END, *tail]), glue)
    if lines:
        return _spliced(data, start, end, end_of_line.join([*lines, *tail]), "")
    is_last = end == len(data)
    if is_last and glue and data[:start].endswith(glue.encode()):
        start -= len(glue.encode())
    return _spliced(data, start, end, "", "")


def _spliced(data: bytes, start: int, end: int, new: str, glue: str) -> Edited:
    made = data[:start] + new.encode() + data[end:]
    return Edited(made, start, data[start:end].decode("utf-8"), new, glue)


def _glue(data: bytes, end_of_line: str) -> str:
    bare = data.removeprefix(codecs.BOM_UTF8)
    if not bare:
        return ""
    if not bare.endswith(b"\n"):
        return end_of_line * 2
    is_blank = bare in (b"\n", b"\r\n") or bare.endswith((b"\n\n", b"\n\r\n"))
    return "" if is_blank else end_of_line


def _end_of_line(data: bytes) -> str:
    """How the lines of a text mostly end."""
    return "\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else "\n"
