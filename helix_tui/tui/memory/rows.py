"""What the memory screen says: a row for each thing that is remembered or waits, and its page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
# What is of a session, of which only the id is known here.
_BY_SESSION: frozenset[Group] = frozenset({"spool", "agenda", "failure"})
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
        return f"{self.group} {self.title} {self.figures} {self.session}".lower()


def rows_of(overview: MemoryOverview) -> list[MemoryRow]:
    """All that is remembered, group by group, the latest first."""
    return [
        *(
            MemoryRow(
                f"daily {item.day}",
                "daily",
                item.day,
                f"{count(item.entries, 'entry', 'entries')} · {human_bytes(item.size)}",
                path=item.path,
            )
            for item in overview.days
        ),
        *(
            MemoryRow(
                f"knowledge {item.path}",
                "knowledge",
                safe_line(item.title, _NAME),
                count(item.lines, "line"),
                path=item.path,
            )
            for item in overview.articles
        ),
        *map(_notes_row, overview.notes),
        *(_spool_row(number, item) for number, item in enumerate(overview.spool)),
        *map(_agenda_row, overview.waiting),
        *map(_failure_row, overview.failures),
        *(_trouble_row(number, trouble) for number, trouble in enumerate(overview.troubles)),
    ]


def has_no_title(row: MemoryRow) -> bool:
    """Whether a row names its session by the id alone."""
    return bool(row.session) and row.group in _BY_SESSION and row.title == row.session


def by_title(rows: Sequence[MemoryRow], titles: Mapping[str, str]) -> list[MemoryRow]:
    """Rows of sessions under the titles of these, the beginning of the id behind the figures."""
    return [
        row._replace(
            title=safe_line(titles[row.session], _NAME),
            figures=f"{row.figures} · {_short(row.session)}",
        )
        if has_no_title(row) and titles.get(row.session)
        else row
        for row in rows
    ]


def _short(session: str) -> str:
    flavor, colon, native = session.partition(":")
    return safe_line(f"{flavor}{colon}{native[:8]}", _NAME)


def session_rows(session_id: str, memory: SessionMemory) -> list[MemoryRow]:
    """What is remembered of one session."""
    notes = [_notes_row(memory.notes)] if memory.notes else []
    failed = [_failure_row(memory.failure)] if memory.failure else []
    return [*notes, *(_flush_row(session_id, flush) for flush in memory.flushes), *failed]


def beginning_with(rows: Sequence[MemoryRow], group: str) -> list[MemoryRow]:
    """The rows with those of a group before all others."""
    first = [row for row in rows if row.group == group]
    return [*first, *(row for row in rows if row.group != group)]


def groups_of(rows: Iterable[MemoryRow]) -> list[Group]:
    """The groups that are there, in their order."""
    return list(dict.fromkeys(row.group for row in rows))


def _notes_row(notes: NotesFile) -> MemoryRow:
    name = notes.path.rpartition("/")[2]
    session = safe_line(notes.session, _NAME) or safe_line(name, _NAME)
    if not notes.session:
        figures = f"{session} · of no known session"
    else:
        figures = f"{moment(notes.updated_at)} · {compact(notes.context_tokens)} tokens"
        figures += f" · {_short(notes.session)}"
    own_sections = f" · yours: {', '.join(notes.kept)}" if notes.kept else ""
    title = safe_line(notes.title, _NAME) or session
    return MemoryRow(
        f"notes {notes.path}",
        "notes",
        title,
        figures + safe_line(own_sections, _NAME),
        notes.session,
        notes.path,
    )


def _flush_row(session_id: str, flush: FlushNote) -> MemoryRow:
    result = (
        "nothing worth keeping" if flush.is_noop else f"in the log of {safe_line(flush.day, 40)}"
    )
    by = safe_line(flush.by, 40)
    return MemoryRow(
        f"flush {flush.at}",
        "flush",
        moment(flush.at),
        f"{result} · by {by}",
        session_id,
        text=flush.text,
    )


def _spool_row(number: int, spooled: SpoolLine) -> MemoryRow:
    session = f"{spooled.flavor}:{spooled.session}"
    shown, event = safe_line(session, _NAME), safe_line(spooled.event, 40)
    text = _page(
        shown,
        f"{event}, reported by the agent's hook at {moment(spooled.at)} UTC.",
        f"Its log: {safe_line(spooled.path, 500)}",
    )
    hint = (
        "{sweep.start} takes it in and flushes it, {memory.retry} flushes what is known of it now."
    )
    figures = f"{event} · {moment(spooled.at)}"
    return MemoryRow(
        f"spool {number} {session}", "spool", shown, figures, session, text=text, hint=hint
    )


def _agenda_row(waiting: Waiting) -> MemoryRow:
    shown = safe_line(waiting.session, _NAME)
    text = _page(
        shown,
        f"Something happened in it that is not in a daily log yet. A sweep flushes it from "
        f"{moment(waiting.due_at)} UTC on: when it has been quiet for long, or its turn comes.",
    )
    figures = f"from {moment(waiting.due_at)} on"
    return MemoryRow(
        f"agenda {waiting.session}", "agenda", shown, figures, waiting.session, text=text, hint=_NOW
    )


def _failure_row(failure: Failure) -> MemoryRow:
    shown, reason = safe_line(failure.session, _NAME), safe_line(failure.reason, _WORDS)
    again = "waits for you" if failure.is_dead else f"again {moment(failure.next_at)}"
    tried = count(failure.rounds, "try", "tries")
    then = (
        "It is not tried again by itself: it waits for you."
        if failure.is_dead
        else f"A sweep tries it again from {moment(failure.next_at)} UTC on."
    )
    text = _page(
        shown,
        f"could not be flushed: {reason}",
        f"{tried}, the last at {moment(failure.at)} UTC. {then}",
        "What was new of it is kept: nothing is lost.",
    )
    figures = f"{reason} · {tried} · {again}"
    key = f"failure {failure.session}"
    return MemoryRow(
        key,
        "failure",
        shown,
        figures,
        failure.session,
        text=text,
        hint=_NOW,
        is_bad=failure.is_dead,
    )


def _trouble_row(number: int, trouble: str) -> MemoryRow:
    shown = safe_line(trouble, 600)
    text = _page("Not all could be read", shown, "Look at the file and what may be done with it.")
    return MemoryRow(
        f"trouble {number}", "failure", "cannot be read", shown, text=text, is_bad=True
    )


def _page(heading: str, *paragraphs: str) -> str:
    # A space before each: nothing of what a log says begins a block of its own.
    return "\n\n".join((f"# {heading}", *(f" {paragraph}" for paragraph in paragraphs)))


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


def spent_words(overview: MemoryOverview) -> str:
    """What a distilling program read and wrote today, where one is in use."""
    if not overview.spent_today:
        return ""
    of = f" of {compact(overview.token_cap)}" if overview.token_cap else ""
    return f"today {compact(overview.spent_today)}{of} tokens"


def flushed_words(outcome: Flushed) -> str:
    """What became of a flush that did not fail."""
    name = safe_line(outcome.session, 60)
    if outcome.action == "written":
        return f"Flushed {name} into {_file(outcome.daily)}."
    if outcome.action == "noop":
        return f"Nothing in {name} was worth keeping; {_file(outcome.daily)} says so."
    if outcome.action == "nothing_new":
        return f"Nothing new in {name} since it was last flushed."
    if outcome.action == "fell_back":
        why = safe_line(outcome.reason, _WORDS)
        return f"Flushed {name} into {_file(outcome.daily)} without the model: {why}"
    return f"{name} was not flushed now: {safe_line(outcome.reason, _WORDS)}"


def _file(path: str | None) -> str:
    return safe_line((path or "").rpartition("/")[2], 60)


def compiled_words(compiled: Compiled) -> str:
    """What compiling came to."""
    if not compiled.days:
        return "Nothing changed since the daily logs were last compiled."
    created = sum(article.action == "created" for article in compiled.articles)
    more = sum(article.action == "updated" for article in compiled.articles)
    return (
        f"Compiled {count(len(compiled.days), 'daily log')}: {count(created, 'article')} new, "
        f"{more:,} updated."
    )


def count(number: int, noun: str, plural_noun: str = "") -> str:
    """A number with its word."""
    return f"{number:,} {noun if number == 1 else plural_noun or noun + 's'}"
