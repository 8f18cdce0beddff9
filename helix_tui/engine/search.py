"""Find sessions by what was asked, said, run and failed in them."""

from __future__ import annotations

import sqlite3

from helix_tui.schema import SearchHit, SearchResult, SessionFilter, Snippet
from helix_tui.search.query import parse_query, phrase_query
from helix_tui.search.snippet import find_in
from helix_tui.store.database import Database
from helix_tui.store.digests.search_index import IndexHit, count_pending, find, texts_of


def search(database: Database, text: str, wanted: SessionFilter, limit: int) -> SearchResult:
    """Return the best sessions for a query, each with its best snippets."""
    query = parse_query(text)
    connection: sqlite3.Connection = database.connection()
    # In one transaction: separate statements could see the index and the texts at two moments.
    with database.atomic():
        index_hits, total = find(connection, query, wanted, limit)
        if not total and query.excluded:
            # A title or a command as it stands: the dash of `claude -p` leaves nothing out.
            query = phrase_query(text)
            index_hits, total = find(connection, query, wanted, limit)
        texts = [texts_of(connection, session.key) for session in index_hits]
        pending = count_pending(connection)
    hits = [
        _hit(session, *find_in(session_texts, query))
        for session, session_texts in zip(index_hits, texts, strict=True)
    ]
    return SearchResult(hits, total, pending)


def _hit(index_hit: IndexHit, matches: int, snippets: tuple[Snippet, ...]) -> SearchHit:
    return SearchHit(
        index_hit.id,
        index_hit.flavor,
        index_hit.repo,
        index_hit.outcome,
        index_hit.first_ts,
        index_hit.last_ts,
        round(-index_hit.rank, 9),
        matches,
        snippets,
        index_hit.title,
    )
