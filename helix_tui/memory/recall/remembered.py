"""Entries and lines of knowledge as recall reads them; files that did not change are read once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from helix_tui.errors import HelixError
from helix_tui.files.regular import read_regular_text
from helix_tui.memory.distill.standing import founded
from helix_tui.memory.flush.daily import daily_logs
from helix_tui.memory.flush.entry import (
    NO_REPOSITORY,
    DailyEntry,
    read_entries,
    short_id_of,
)
from helix_tui.memory.knowledge.article import cited_lines
from helix_tui.memory.knowledge.compile import articles, title_of
from helix_tui.memory.knowledge.session_facts import SessionFacts, facts_of, title_of_entry
from helix_tui.memory.places import MemoryPlaces

T = TypeVar("T")
_CITED = re.compile(r"\[(?P<day>[\d-]{10}) (?P<time>[\d:]{5}) (?P<id>[^\]]*)\]")
_SHORT_ID = 8


class RememberedEntry(NamedTuple):
    """An entry of a daily log."""

    day: str
    entry: DailyEntry
    title: str


class Citation(NamedTuple):
    """The entry that a line of knowledge comes from."""

    day: str
    time: str
    short_id: str


class KnownLine(NamedTuple):
    """A line of an article: its repository, section, words and entries, the latest last."""

    repo: str
    section: str
    text: str
    cited: tuple[Citation, ...]
    path: Path


class Remembered:
    """What memory holds of one store; `troubles` names what could not be read."""

    def __init__(self, places: MemoryPlaces) -> None:
        self._places = places
        self._files: dict[Path, tuple[tuple[int, int], object]] = {}
        self.troubles: list[str] = []

    def entries(self, since_day: str = "") -> Iterator[RememberedEntry]:
        """Entries with content, the latest first."""
        for path in reversed(daily_logs(self._places)):
            if path.stem < since_day:
                return
            yield from self._read(path, _entries_of)

    def lines(self) -> Iterator[KnownLine]:
        """The lines of all articles."""
        for path in articles(self._places) if self._places.knowledge.is_dir() else ():
            yield from self._read(path, _lines_of)

    def _read(self, path: Path, read: Callable[[Path], list[T]]) -> list[T]:
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._files.get(path)
            if known is None or known[0] != stamp:
                known = self._files[path] = (stamp, read(path))
        except OSError as error:
            self._tell(f"{path} cannot be read: {error.strerror or error}.")
            return []
        except HelixError as error:
            self._tell(error.what)
            return []
        return known[1]  # type: ignore[return-value]

    def _tell(self, trouble: str) -> None:
        if trouble not in self.troubles:
            self.troubles.append(trouble)


def later_facts(entries: Sequence[RememberedEntry]) -> dict[str, list[SessionFacts]]:
    """By the mark of each entry that left something, what later ones of its repository tell.

    Entries come the latest first.
    """
    seen: dict[str, list[SessionFacts]] = {}
    found: dict[str, list[SessionFacts]] = {}
    for one in entries:
        later = seen.setdefault(one.entry.repo, [])
        # What belongs to no repository closes nothing of another.
        if one.entry.lines.get("actions") and one.entry.repo != NO_REPOSITORY:
            found[one.entry.mark] = list(later)
        later.append(facts_of(one.entry))
    return found


def short_ids_of(native_id: str) -> tuple[str, ...]:
    """By what headings and citations may know a session; in the first way they are written now."""
    first_signs = re.sub(r"[^A-Za-z0-9.-]", "-", native_id[:_SHORT_ID])
    return tuple(dict.fromkeys((short_id_of(native_id), first_signs)))


def _entries_of(path: Path) -> list[RememberedEntry]:
    found = [
        RememberedEntry(path.stem, entry._replace(lines=lines), title_of_entry(entry.text))
        for entry in read_entries(read_regular_text(path, "replace"))
        if (lines := founded(entry.lines))
    ]
    return sorted(found, key=lambda one: one.entry.time, reverse=True)


def _lines_of(path: Path) -> list[KnownLine]:
    text = read_regular_text(path, "replace")
    title = title_of(text, path)
    return [
        KnownLine(title, section, said, tuple(sorted(_citations(cited))), path)
        for section, said, cited in cited_lines(text)
    ]


def _citations(cited: list[str]) -> Iterator[Citation]:
    for one in cited:
        if match := _CITED.match(one):
            yield Citation(match["day"], match["time"], match["id"])
