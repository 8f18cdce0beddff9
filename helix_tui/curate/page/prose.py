"""Tidy the texts of a page: line ends, closed fences, escaped headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The sections of a page by field, in the order in which they are written.
HEADINGS = {
    "problem": "Problem",
    "applies": "When it applies",
    "does_not_apply": "When it does not",
    "guidance": "What to do",
    "why": "Why we believe it",
    "excerpts": "Excerpts",
}
FIELDS = {heading.casefold(): field for field, heading in HEADINGS.items()}

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}(?!.*`)|~{3,})")
_HEADING = re.compile(r"(?P<escapes>\\*)##[ \t]+(?P<name>\S.*)")


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def with_plain_lines(text: str) -> str:
    """Normalize line ends, and replace control characters by visible ones."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return CONTROL.sub(_picture, text)


def tidy_line(text: str) -> str:
    """Join the text into one line, with one space between words."""
    return " ".join(with_plain_lines(text).split())


def tidy_block(text: str) -> str:
    """Strip blank lines from the beginning and blanks from the end."""
    lines = with_plain_lines(text).split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:]).rstrip()


def tidy_prose(text: str) -> str:
    """Tidy a block and close its last fence, so that it ends with its section."""
    text = tidy_block(text)
    fence = ""
    for line in text.split("\n"):
        fence = fence_behind(fence, line)
    return f"{text}\n{fence}" if fence else text


def fence_behind(fence: str, line: str) -> str:
    """Return the fence that is open after this line, given the one open before it."""
    if not fence:
        opening = _OPENING.match(line)
        return opening["fence"] if opening else ""
    bare = line.strip(" \t")
    is_closing = (
        len(bare) >= len(fence)
        and not bare.strip(fence[0])
        and len(line) - len(line.lstrip(" ")) <= 3
        and not line.startswith("\t")
    )
    return "" if is_closing else fence


class Heading(NamedTuple):
    """A line that looks like one of our headings, and the backslashes that escape it."""

    name: str
    escapes: int


def heading_of(line: str, fence: str) -> Heading | None:
    """Return the heading that a line is; within a fence only those of our sections count."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    name = " ".join(match["name"].split())
    if fence and name.casefold() not in FIELDS:
        return None
    return Heading(name, len(match["escapes"]))


def escaped(text: str) -> Iterator[str]:
    """Yield the lines of a text, with one more backslash before those that look like headings."""
    fence = ""
    for line in text.split("\n"):
        yield f"\\{line}" if heading_of(line, fence) else line
        fence = fence_behind(fence, line)


def fence_for(text: str) -> str:
    """Return a fence that no line of the text closes."""
    return "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", text))])
