"""Finds sessions by what was asked, said, run and failed in them."""

from __future__ import annotations

import sqlite3

from helix_tui.schema import SearchHit, SearchResult, SessionFilter, Snippet
from helix_tui.search.query import parse_query
from helix_tui.search.snippet import find_in
from helix_tui.store.database import Database
from helix_tui.store.digests.search_index import IndexHit, count_pending, find, texts_of


def search(database: Database, text: str, wanted: SessionFilter, limit: int) -> SearchResult:
    """The best sessions for a query, each with the places where it fits best."""
    query = parse_query(text)
    connection: sqlite3.Connection = database.connection()
    # One statement after another could see an index and texts of two moments.
    with database.atomic():
        found, total = find(connection, query, wanted, limit)
        texts = [texts_of(connection, session.key) for session in found]
        pending = count_pending(connection)
    hits = [
        _hit(session, *find_in(said, query)) for session, said in zip(found, texts, strict=True)
    ]
    return SearchResult(hits, total, pending)


def _hit(found: IndexHit, matches: int, snippets: tuple[Snippet, ...]) -> SearchHit:
    return SearchHit(
        found.id,
        found.flavor,
        found.repo,
        found.outcome,
        found.first_ts,
        found.last_ts,
        round(-found.rank, 9),
        matches,
        snippets,
    )
