"""An entry of a daily log: a heading with what it is about, then the sections with content.

Words of a log are quoted as code, so that none of them is Markdown or an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from helix_tui.memory.distill.prose import shortened
from helix_tui.schema.memory import Distilled, Piece
from helix_tui.text.markdown import code_span, said_in

# What an entry begins with, below its heading, has no heading of its own.
_LEAD = "context"
SECTIONS = {
    "key_exchanges": "What was done",
    "lessons": "Worth knowing",
    "decisions": "Decided",
    "actions": "Open",
}
NO_REPOSITORY = "no repository"
_NAME_LENGTH = 60
_TITLE_LENGTH = 100
_SHORT_ID = 8
# What says that it is the id of a session: `ses_21fd32c6`.
_KIND = re.compile(r"[a-z]{2,10}_(?=\w{8})")
# Such ids of one minute share their first signs.
_BY_TIME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-")
_OF_TIME = 13
_PART = re.compile(r"(?P<whole>[0-9a-f-]{32,36})\.(?P<own>\S{1,8})")
_HEADING = re.compile(
    r"^## (?P<time>\d\d:\d\d) · (?P<flavor>[^·\n]*) · (?P<repo>[^·\n]*) · (?P<id>[^\s<:]*).*"
    r"<!-- helix (?P<mark>[0-9a-f]{16}) -->\s*$"
)
# Earlier titles of sections.
_OLD_SECTIONS = {
    "Context": _LEAD,
    "Key exchanges": "key_exchanges",
    "Decisions made": "decisions",
    "Lessons learned": "lessons",
    "What was seen": "lessons",
    "Action items": "actions",
}


class DailyEntry(NamedTuple):
    """An entry as read from a log: its heading's fields, and its lines by section."""

    mark: str
    time: str
    flavor: str
    repo: str
    short_id: str
    lines: dict[str, list[str]]
    text: str


def write_entry(piece: Piece, distilled: Distilled | None, at: datetime, mark: str) -> str:
    """The Markdown of an entry; where nothing was worth keeping, its heading says so."""
    heading = " · ".join(
        (
            f"## {at:%H:%M}",
            re.sub(r"[^A-Za-z0-9.-]", "-", piece.flavor),
            _name(piece.repo) if piece.repo else NO_REPOSITORY,
            short_id(piece),
        )
    )
    if distilled is None:
        return f"{heading}: nothing worth keeping {marked(mark)}\n"
    if piece.title:
        heading = f"{heading}: {code_span(shortened(piece.title, _TITLE_LENGTH))}"
    rows = [f"{heading} {marked(mark)}"]
    if distilled.context:
        rows += ["", *(f"- {line}" for line in distilled.context)]
    for field, title in SECTIONS.items():
        lines: list[str] = getattr(distilled, field)
        if lines:
            rows += ["", f"### {title}", "", *(f"- {line}" for line in lines)]
    return "\n".join(rows) + "\n"


def short_id(piece: Piece) -> str:
    """The first characters of a session's own id, as a heading may hold them."""
    return short_id_of(piece.native_id)


def short_id_of(native_id: str) -> str:
    """The beginning of an id that tells it from others.

    The word that all begin with does not count, and of ids that begin with the time more does.
    """
    if part := _PART.match(native_id):
        # A sub-agent has the id of the session that it worked for, and one of its own.
        return f"{short_id_of(part['whole'])}.{re.sub(r'[^A-Za-z0-9_-]', '-', part['own'])}"
    kind = _KIND.match(native_id)
    most = _OF_TIME if _BY_TIME.match(native_id) else _SHORT_ID
    return re.sub(r"[^A-Za-z0-9._-]", "-", native_id[: (kind.end() if kind else 0) + most])


def marked(mark: str) -> str:
    """The comment that identifies an entry."""
    return f"<!-- helix {mark} -->"


def _name(text: str) -> str:
    return code_span(shortened(text.replace("·", "-").strip(), _NAME_LENGTH))


def read_entries(content: str) -> Iterator[DailyEntry]:
    """The entries of a daily log, whatever else a person wrote between them."""
    current: re.Match[str] | None = None
    rows: list[str] = []
    for row in content.split("\n"):
        heading = _HEADING.match(row)
        # A heading of the person's own ends an entry as well.
        if heading or re.match(r"#{1,2}\s", row):
            if current:
                yield _entry(current, rows)
            current, rows = heading, []
        elif current:
            rows.append(row)
    if current:
        yield _entry(current, rows)


def _entry(heading: re.Match[str], rows: list[str]) -> DailyEntry:
    fields = {title: field for field, title in SECTIONS.items()} | _OLD_SECTIONS
    lines: dict[str, list[str]] = {}
    section: str | None = _LEAD
    for row in rows:
        if row.startswith("### "):
            section = fields.get(row[4:].strip())
        elif section and row.startswith("- ") and row[2:].strip():
            lines.setdefault(section, []).append(row[2:].strip())
    return DailyEntry(
        heading["mark"],
        heading["time"],
        heading["flavor"].strip(),
        said_in(heading["repo"].strip()),
        heading["id"],
        lines,
        "\n".join([heading[0], *rows]).rstrip(),
    )
