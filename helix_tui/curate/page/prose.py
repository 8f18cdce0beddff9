"""The words of a page as they are kept: clean line ends, closed fences, escaped headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The sections that a page has, by the field they hold, in the order in which they are written.
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


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def with_plain_lines(text: str) -> str:
    """The text with line feeds only, and with pictures instead of control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return CONTROL.sub(_picture, text)


def tidy_line(text: str) -> str:
    """The text on one line, its words one space apart."""
    return " ".join(with_plain_lines(text).split())


def tidy_block(text: str) -> str:
    """The text without blank lines at its beginning and blanks at its end."""
    lines = with_plain_lines(text).split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:]).rstrip()


def tidy_prose(text: str) -> str:
    """A tidy block whose last fence is closed, so that it ends where its section ends."""
    text = tidy_block(text)
    fence = ""
    for line in text.split("\n"):
        fence = fence_behind(fence, line)
    return f"{text}\n{fence}" if fence else text


def fence_behind(fence: str, line: str) -> str:
    """The fence that is open behind this line, given that which was open before it."""
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
    """A line that is one of our headings, and how many backslashes keep it from being one."""

    name: str
    escapes: int


def heading_of(line: str, fence: str) -> Heading | None:
    """The heading that a line would be; within a fence only the sections' own are."""
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    name = " ".join(found["name"].split())
    if fence and name.casefold() not in FIELDS:
        return None
    return Heading(name, len(found["escapes"]))


def escaped(text: str) -> Iterator[str]:
    """The lines of a text, with one backslash more before those that look like headings."""
    fence = ""
    for line in text.split("\n"):
        yield f"\\{line}" if heading_of(line, fence) else line
        fence = fence_behind(fence, line)


def fence_for(text: str) -> str:
    """A fence that no line of the text closes."""
    return "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", text))])
