"""A notes file as text: a line of state, then sections; what a person changed stays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from helix_tui.memory.notes.context import ContextMeter
from helix_tui.memory.notes.sections import BOUNDS, NOTHING
from helix_tui.memory.notes.worklog import appended, extended
from helix_tui.text.hashing import hash64
from helix_tui.text.markdown import said_in

WORKLOG = "Worklog"
KEPT = "# Kept from before"
_MASK = (1 << 64) - 1
_STATE = re.compile(r"<!-- helix:notes (\{.*\}) -->\s*")
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<name>\S.*?)[ \t#]*\r?")
# With backticks after it on the same line it is inline code.
_FENCE = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})")
_NO_LETTER = re.compile(r"[^a-z]+")
# Other headings for the same sections.
_NAMES = {
    **{_NO_LETTER.sub("", name.lower()): name for name in BOUNDS},
    "sessiontitle": "Title",
    "taskspecification": "Task",
    "filesandfunctions": "Files",
    "errorscorrections": "Errors and corrections",
    "errors": "Errors and corrections",
    "results": "Key results",
}


class NotesState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an update has to know of the previous one; it is stored in the notes file itself.

    `mark` is the fingerprint of the last event that was looked at; `made` has a hash of what was
    written into each section, by which a person's changes are noticed.
    """

    session: str
    updated_at: int
    events: int
    mark: str
    mark_ts: int | None
    has_calls: bool
    meter: ContextMeter
    left_out: int = 0
    made: dict[str, str] = {}
    # Sections without anything to say, each with the hash of the heading behind which it stands.
    hidden: dict[str, str] = {}
    version: int = 1


class Part(NamedTuple):
    """A heading and the text below it; the first part may have no heading."""

    heading: str
    body: str
    section: str | None


class Page(NamedTuple):
    """A parsed notes file; without a state nothing tells which text is a person's."""

    state: NotesState | None
    parts: list[Part]

    def kept(self) -> list[str]:
        """The sections that a person changed."""
        hashes = self.state.made if self.state else {}
        return [
            part.section
            for part in self.parts
            if part.section and not is_ours(part, hashes.get(part.section))
        ]

    def title(self) -> str:
        """The first line of the section of that name."""
        titles = (part.body.strip() for part in self.parts if part.section == "Title")
        return said_in(next(titles, "").partition("\n")[0])


def default_template() -> str:
    """All sections in their order, empty."""
    return "".join(f"# {name}\n\n" for name in BOUNDS)


def read_page(text: str, session_id: str | None = None) -> Page:
    """Parse a file; a state that is broken or of another session counts as none."""
    state: NotesState | None = None
    rows: list[str] = []
    for row in text.split("\n"):
        match = _STATE.fullmatch(row)
        if match is None:
            rows.append(row)
        elif state is None:
            state = _state(match[1], session_id)
    return Page(state, _parts(rows))


def _state(encoded: str, session_id: str | None) -> NotesState | None:
    try:
        state = msgspec.json.decode(encoded.encode("utf-8", "surrogateescape"), type=NotesState)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    is_ours = state.version == 1 and session_id in (None, state.session)
    return state if is_ours else None


def _parts(rows: Sequence[str]) -> list[Part]:
    parts: list[Part] = []
    heading, fence = "", ""
    body: list[str] = []
    sections: set[str] = set()

    def close() -> None:
        named = _HEADING.fullmatch(heading)
        section = _NAMES.get(_NO_LETTER.sub("", named["name"].lower())) if named else None
        if section in sections:
            section = None  # of two headings of the same name the first is ours
        if section:
            sections.add(section)
        if heading or any(body):
            parts.append(Part(heading, "\n".join(body), section))

    for row in rows:
        match = _FENCE.match(row)
        if match and not fence:
            fence = match[1]
        elif match and match[1].startswith(fence):
            fence = ""
        if not fence and _HEADING.fullmatch(row):
            close()
            heading, body = row, []
        else:
            body.append(row)
    close()
    return parts


def is_ours(part: Part, written_hash: str | None) -> bool:
    """Whether a section holds what Helix wrote there, or nothing at all."""
    text = part.body.strip()
    return not text or _hash(text) == written_hash


def _hash(text: str) -> str:
    return f"{hash64(text.strip().encode('utf-8', 'surrogateescape')) & _MASK:016x}"


def write_page(
    page: Page, state: NotesState, filled: Mapping[str, Sequence[str]], worklog: Sequence[str]
) -> str:
    """The file with its sections brought up to date, except those that a person changed.

    Headings, their order and all other text stay as they are; new lines of the worklog are
    appended, also to a worklog that a person changed.
    """
    old_hashes = page.state.made if page.state else {}
    hashes: dict[str, str] = {}
    hidden: dict[str, str] = {}
    left_out = state.left_out
    rows: list[str] = []
    before = ""
    for part in _with_hidden(page):
        section, text = part.section, part.body
        if section == WORKLOG:
            if is_ours(part, old_hashes.get(section)):
                old = [row for row in part.body.strip().split("\n") if row and row != NOTHING]
                log = extended(old, worklog, left_out)
                left_out = log.left_out
                text = _block(log.lines or [NOTHING])
                hashes[section] = _hash(text)
            elif worklog:
                text = f"{appended(part.body, worklog)}\n"
        elif section and is_ours(part, old_hashes.get(section)):
            text = _block(filled[section])
            hashes[section] = _hash(text)
            # A heading with nothing below it only costs its reader time.
            if list(filled[section]) == [NOTHING] and part.heading == f"# {section}":
                hidden[section] = before
                before = _hash(part.heading)
                continue
        rows += [part.heading, text] if part.heading else [text]
        before = _hash(part.heading)
    hashes = {**old_hashes, **hashes}
    state = msgspec.structs.replace(state, made=hashes, left_out=left_out, hidden=hidden)
    return "\n".join([_state_line(state), *rows]).rstrip("\n") + "\n"


def _with_hidden(page: Page) -> list[Part]:
    """The parts of a page with those that were hidden, where they stood."""
    parts = list(page.parts)
    there = {part.section for part in parts}
    for section, before in (page.state.hidden if page.state else {}).items():
        if section in there or section not in BOUNDS:
            continue  # a person put it there meanwhile
        places = (at for at, part in enumerate(parts) if _hash(part.heading) == before)
        at = next(places, -1)
        parts.insert(at + 1, Part(f"# {section}", "", section))
    return parts


def _block(lines: Sequence[str]) -> str:
    return "\n".join(["", *lines, ""])


def _state_line(state: NotesState) -> str:
    # Escaped so that nothing in it can end the comment.
    encoded = msgspec.json.encode(state).decode().replace(">", "\\u003e").replace("<", "\\u003c")
    return f"<!-- helix:notes {encoded} -->"


def fresh_page(template: str, before: str) -> Page:
    """A new page; the text of a file without a readable state is quoted at its end."""
    parts = read_page(template).parts
    old = "\n".join(row for row in before.split("\n") if not row.startswith("<!-- helix:notes"))
    if old.strip():
        quoted = "\n".join(f"> {row}".rstrip() for row in old.strip("\n").split("\n"))
        parts = [*parts, Part(KEPT, f"\n{quoted}\n", None)]
    return Page(None, [_emptied(part) for part in parts])


def _emptied(part: Part) -> Part:
    return part._replace(body="") if part.section else part
