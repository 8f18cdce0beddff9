"""What the memory screen says: a row for each thing that is remembered or waits, and its page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.text.human import compact, human_bytes
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.moment import moment
from helix_tui.tui.kit.page_text import text_lines
from helix_tui.tui.kit.text_pane import Line

if TYPE_CHECKING:
    from helix_tui.schema.memory import (
        Compiled,
        Failure,
        Flushed,
        FlushNote,
        MemoryOverview,
        NotesFile,
        SessionMemory,
        SpoolLine,
        Waiting,
    )

Group = Literal["daily", "knowledge", "notes", "flush", "spool", "agenda", "failure"]
# What is a file, and can be edited.
PAGES: frozenset[Group] = frozenset({"daily", "knowledge", "notes"})
_NAME, _WORDS = 200, 300
_NOW = "{memory.retry} flushes it now, {pane.open} opens its transcript."
# What pages carry for Helix, and where citations lead: nothing for the eye.
_MARK = re.compile(r"[ \t]*<!-- helix[^\n]*?-->")
_BELOW_HEADING = re.compile(r"^(#+ [^\n]*\n)\n+", re.MULTILINE)
_CITED = re.compile(r"\[([^\]\n]+)\]\(\.\./daily/[^)\n]*\)")


class MemoryRow(NamedTuple):
    """One thing of the list; its page is the file at `path`, or `text` where it has none."""

    key: str
    group: Group
    title: str
    figures: str
    session: str = ""
    path: str = ""
    text: str = ""
    # What to press, in our words: the keys in force are put in where it is shown.
    hint: str = ""
    is_bad: bool = False

    @property
    def words(self) -> str:
        """What a filter looks in."""
        return f"{self.group} {self.title} {self.figures} {self.session}".casefold()


def rows_of(found: MemoryOverview) -> list[MemoryRow]:
    """All that is remembered, group by group, the latest first."""
    return [
        *(
            MemoryRow(
                f"daily {one.day}",
                "daily",
                one.day,
                f"{count(one.entries, 'entry', 'entries')} · {human_bytes(one.size)}",
                path=one.path,
            )
            for one in found.days
        ),
        *(
            MemoryRow(
                f"knowledge {one.path}",
                "knowledge",
                safe_line(one.title, _NAME),
                count(one.lines, "line"),
                path=one.path,
            )
            for one in found.articles
        ),
        *map(_notes_row, found.notes),
        *(_spool_row(number, one) for number, one in enumerate(found.spool)),
        *map(_agenda_row, found.waiting),
        *map(_failure_row, found.failures),
        *(_trouble_row(number, said) for number, said in enumerate(found.troubles)),
    ]


def session_rows(session_id: str, found: SessionMemory) -> list[MemoryRow]:
    """What is remembered of one session."""
    notes = [_notes_row(found.notes)] if found.notes else []
    failed = [_failure_row(found.failure)] if found.failure else []
    return [*notes, *(_flush_row(session_id, one) for one in found.flushes), *failed]


def beginning_with(rows: Sequence[MemoryRow], group: str) -> list[MemoryRow]:
    """The rows with those of a group before all others."""
    first = [row for row in rows if row.group == group]
    return [*first, *(row for row in rows if row.group != group)]


def groups_of(rows: Iterable[MemoryRow]) -> list[Group]:
    """The groups that are there, in their order."""
    return list(dict.fromkeys(row.group for row in rows))


def _notes_row(one: NotesFile) -> MemoryRow:
    name = one.path.rpartition("/")[2]
    session = safe_line(one.session, _NAME) or safe_line(name, _NAME)
    if not one.session:
        figures = f"{session} · of no known session"
    else:
        figures = f"{moment(one.updated_at)} · {compact(one.context_tokens)} tokens · {session}"
    kept = f" · yours: {', '.join(one.kept)}" if one.kept else ""
    title = safe_line(one.title, _NAME) or session
    return MemoryRow(
        f"notes {one.path}", "notes", title, figures + safe_line(kept, _NAME), one.session, one.path
    )


def _flush_row(session_id: str, one: FlushNote) -> MemoryRow:
    said = "nothing worth keeping" if one.is_noop else f"in the log of {safe_line(one.day, 40)}"
    by = safe_line(one.by, 40)
    return MemoryRow(
        f"flush {one.at}", "flush", moment(one.at), f"{said} · by {by}", session_id, text=one.text
    )


def _spool_row(number: int, one: SpoolLine) -> MemoryRow:
    session = f"{one.flavor}:{one.session}"
    shown, event = safe_line(session, _NAME), safe_line(one.event, 40)
    text = _page(
        shown,
        f"{event}, reported by the agent's hook at {moment(one.at)} UTC.",
        f"Its log: {safe_line(one.path, 500)}",
    )
    hint = (
        "{sweep.start} takes it in and flushes it, {memory.retry} flushes what is known of it now."
    )
    figures = f"{event} · {moment(one.at)}"
    return MemoryRow(
        f"spool {number} {session}", "spool", shown, figures, session, text=text, hint=hint
    )


def _agenda_row(one: Waiting) -> MemoryRow:
    shown = safe_line(one.session, _NAME)
    text = _page(
        shown,
        f"Something happened in it that is not in a daily log yet. A sweep flushes it from "
        f"{moment(one.due_at)} UTC on: when it has been quiet for long, or its turn comes.",
    )
    figures = f"from {moment(one.due_at)} on"
    return MemoryRow(
        f"agenda {one.session}", "agenda", shown, figures, one.session, text=text, hint=_NOW
    )


def _failure_row(one: Failure) -> MemoryRow:
    shown, reason = safe_line(one.session, _NAME), safe_line(one.reason, _WORDS)
    again = "waits for you" if one.is_dead else f"again {moment(one.next_at)}"
    tried = count(one.rounds, "try", "tries")
    then = (
        "It is not tried again by itself: it waits for you."
        if one.is_dead
        else f"A sweep tries it again from {moment(one.next_at)} UTC on."
    )
    text = _page(
        shown,
        f"could not be flushed: {reason}",
        f"{tried}, the last at {moment(one.at)} UTC. {then}",
        "What was new of it is kept: nothing is lost.",
    )
    figures = f"{tried} · {again} · {reason}"
    key = f"failure {one.session}"
    return MemoryRow(
        key, "failure", shown, figures, one.session, text=text, hint=_NOW, is_bad=one.is_dead
    )


def _trouble_row(number: int, said: str) -> MemoryRow:
    shown = safe_line(said, 600)
    text = _page("Not all could be read", shown, "Look at the file and what may be done with it.")
    return MemoryRow(
        f"trouble {number}", "failure", "cannot be read", shown, text=text, is_bad=True
    )


def _page(heading: str, *paragraphs: str) -> str:
    # A space before each: nothing of what a log says begins a block of its own.
    return "\n\n".join((f"# {heading}", *(f" {one}" for one in paragraphs)))


def page_lines(text: str, width: int) -> list[Line]:
    """A page for the eye: closer together, and without the marks that Helix keeps in it."""
    shown = _BELOW_HEADING.sub(r"\1", _MARK.sub("", text))
    return text_lines(_CITED.sub(r"[\1]", shown), width)


def memory_title(rows: Sequence[MemoryRow], shown: int, spent: str) -> str:
    """How many there are, and what is wrong."""
    parts = [f"{shown:,} of {len(rows):,}"]
    if failed := sum(row.group == "failure" for row in rows):
        parts.append(f"✗ {failed:,} failed")
    if waiting := sum(row.group in ("spool", "agenda") for row in rows):
        parts.append(f"{waiting:,} waiting")
    return " · ".join([*parts, spent] if spent else parts)


def spent_words(found: MemoryOverview) -> str:
    """What a distilling program read and wrote today, where one is in use."""
    if not found.spent_today:
        return ""
    of = f" of {compact(found.token_cap)}" if found.token_cap else ""
    return f"today {compact(found.spent_today)}{of} tokens"


def flushed_words(one: Flushed) -> str:
    """What became of a flush that did not fail."""
    name = safe_line(one.session, 60)
    if one.action == "written":
        return f"Flushed {name} into {_file(one.daily)}."
    if one.action == "noop":
        return f"Nothing in {name} was worth keeping; {_file(one.daily)} says so."
    if one.action == "nothing_new":
        return f"Nothing new in {name} since it was last flushed."
    return f"{name} was not flushed now: {safe_line(one.reason, _WORDS)}"


def _file(path: str | None) -> str:
    return safe_line((path or "").rpartition("/")[2], 60)


def compiled_words(done: Compiled) -> str:
    """What compiling came to."""
    if not done.days:
        return "Nothing changed since the daily logs were last compiled."
    made = sum(one.action == "created" for one in done.articles)
    more = sum(one.action == "updated" for one in done.articles)
    return (
        f"Compiled {count(len(done.days), 'daily log')}: {count(made, 'article')} new, "
        f"{more:,} updated."
    )


def count(number: int, one: str, many: str = "") -> str:
    """A number with its word."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
