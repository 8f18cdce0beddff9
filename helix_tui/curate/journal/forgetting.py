"""Takes what pages and the journal quote of sessions out of their texts; whatever else stays."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec

from helix_tui.curate.page.prose import FIELDS, fence_behind, heading_of

_CITED = re.compile(r"###[ \t]+(?P<session>\S+)(?:[ \t].*)?")
_VERSION = re.compile(r"^(?P<key>version:[ \t]*)\S+", re.MULTILINE)
_SUM = "sum"


def count_excerpts(text: str, sessions: Collection[str]) -> int:
    """How many excerpts of these sessions a page has."""
    return sum(piece.session in sessions for piece in _pieces(text))


def without_excerpts(text: str, sessions: Collection[str]) -> str:
    """A page without the excerpts of these sessions; a section that is left empty goes as well."""
    pieces = _pieces(text)
    kept = [piece for piece in pieces if piece.session not in sessions]
    if len(kept) == len(pieces):
        return text
    said = [
        piece
        for piece, behind in zip(kept, [*kept[1:], None], strict=True)
        if not piece.is_bare_heading or (behind is not None and behind.session)
    ]
    lines = [line for piece in said for line in piece.lines]
    # A text ends as it did: what was taken off its end had the last line break.
    end = text[len(text.rstrip("\n")) :]
    return "\n".join(lines).rstrip("\n") + end


def with_version(text: str, version: str) -> str:
    """A page that states another version."""
    return _VERSION.sub(lambda found: f"{found['key']}{version}", text, count=1)


def without_excerpts_before(history: str, sessions: Collection[str]) -> str:
    """A history without these excerpts; what is no version of a page stays as it is."""
    return "\n".join(_masked_version(row, sessions) for row in history.split("\n"))


def masked(line: bytes, sessions: Collection[str]) -> bytes | None:
    """A line of the journal without these excerpts; None where it has none.

    Fields that this version does not know stay as they are.
    """
    said: dict[str, Any] = msgspec.json.decode(line)
    is_changed = False
    for write in said.get("writes", ()):
        for field, take_out in (("text", without_excerpts), ("history", without_excerpts_before)):
            if write.get(field) and (kept := take_out(write[field], sessions)) != write[field]:
                write[field] = kept
                is_changed = True
    said.pop(_SUM, None)
    return msgspec.json.encode(said) if is_changed else None


def _masked_version(row: str, sessions: Collection[str]) -> str:
    try:
        said = msgspec.json.decode(row)
    except msgspec.DecodeError:
        return row
    if not isinstance(said, dict) or not isinstance(said.get("text"), str):
        return row
    kept = without_excerpts(said["text"], sessions)
    return row if kept == said["text"] else msgspec.json.encode({**said, "text": kept}).decode()


class _PageLines(NamedTuple):
    """Some lines of a page, with the blank ones before them: an excerpt, their heading, or others.

    An excerpt has a session.
    """

    lines: list[str]
    session: str = ""
    is_heading: bool = False

    @property
    def is_bare_heading(self) -> bool:
        """Whether nothing but a heading is left of the section."""
        return self.is_heading and sum(bool(line.strip()) for line in self.lines) == 1


def _pieces(text: str) -> list[_PageLines]:
    pieces = [_PageLines([])]
    fence, is_excerpts = "", False
    for line in text.split("\n"):
        heading = heading_of(line, fence)
        cited = _CITED.fullmatch(line) if is_excerpts and not fence else None
        if heading and not heading.escapes:
            is_excerpts = FIELDS.get(heading.name.casefold()) == "excerpts"
            fence = ""
            pieces.append(_begun(pieces[-1], is_heading=is_excerpts))
        elif cited:
            pieces.append(_begun(pieces[-1], session=cited["session"]))
        pieces[-1].lines.append(line)
        fence = "" if heading and not heading.escapes else fence_behind(fence, line)
    return pieces


def _begun(before: _PageLines, session: str = "", *, is_heading: bool = False) -> _PageLines:
    """A piece that begins with the blank lines at the end of the one before."""
    blanks: list[str] = []
    while before.lines and not before.lines[-1].strip():
        blanks.append(before.lines.pop())
    return _PageLines(blanks, session, is_heading)
