"""Find words in what is remembered: entries, articles and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from helix_tui.memory.notes.file import list_files, read_text
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.remembered import Remembered
from helix_tui.schema import Query, Snippet, Term
from helix_tui.schema.search import REPLY_TEXT
from helix_tui.search.query import parse_query
from helix_tui.search.snippet import find_in
from helix_tui.text.times import iso


class MemoryHit(NamedTuple):
    """A place in memory that has all words: what it is, of which repository, where, when."""

    kind: str
    repo: str
    source: str
    path: str
    at: str
    snippet: Snippet


class _Page(NamedTuple):
    kind: str
    repo: str
    source: str
    path: str
    at: str
    text: str


def search_memory(
    places: MemoryPlaces, text: str, repo: str | None, since_day: str, most: int
) -> tuple[list[MemoryHit], int, list[str]]:
    """The places that have all words, the latest first; how many there are; what is unreadable."""
    query = parse_query(text)
    remembered = Remembered(places)
    hits = [
        MemoryHit(*page[:5], snippet)
        for page in _pages(places, remembered, since_day)
        if repo in (None, page.repo) and (snippet := _found(page.text, query)) is not None
    ]
    hits.sort(key=lambda hit: hit.at, reverse=True)
    return hits[:most], len(hits), remembered.troubles


def _pages(places: MemoryPlaces, remembered: Remembered, since_day: str) -> Iterator[_Page]:
    for one in remembered.entries(since_day):
        entry = one.entry
        said = [one.title, *(line for lines in entry.lines.values() for line in lines)]
        source = f"{entry.flavor} {entry.short_id}"
        path = str(places.daily / f"{one.day}.md")
        at = f"{one.day}T{entry.time}"
        yield _Page("entry", entry.repo, source, path, at, "\n".join(said))
    for line in remembered.lines():
        last = max(line.cited)
        if last.day >= since_day:
            source = f"{last.short_id} of {last.day}"
            yield _Page("line", line.repo, source, str(line.path), last.day, line.text)
    for notes in list_files(places):
        at = iso(notes.updated_at) or ""
        if at[:10] >= since_day:
            text = read_text(places.notes / notes.path.rpartition("/")[2])
            yield _Page("notes", "", notes.session, notes.path, at, text)


def _found(text: str, query: Query) -> Snippet | None:
    """The best place of a text that has every wanted term and no excluded one."""
    texts = [(REPLY_TEXT, None, text)]

    def has(term: Term) -> bool:
        return any(snippet.marks for snippet in find_in(texts, Query((term,)))[1])

    if any(map(has, query.excluded)) or not all(map(has, query.wanted)):
        return None
    return find_in(texts, query)[1][0]
