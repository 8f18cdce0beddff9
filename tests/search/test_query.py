"""A query is words, phrases, exclusions and beginnings; everything else in it is text."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.errors import UsageError
from helix_tui.schema import Query, SessionFilter, Term
from helix_tui.search.query import parse_query
from helix_tui.search.snippet import find_in
from helix_tui.store.digests.search_index import find


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("one two", Query((Term("one"), Term("two")))),
        ('"one two" three', Query((Term("one two"), Term("three")))),
        ("one -two", Query((Term("one"),), (Term("two"),))),
        ('one -"two three"', Query((Term("one"),), (Term("two three"),))),
        ("begin* other", Query((Term("begin", True), Term("other")))),
        ('"one beg"*', Query((Term("one beg", True),))),
        ("--no-verify", Query((Term("--no-verify"),))),
        ("src/app.py:12", Query((Term("src/app.py:12"),))),
        ("well-known", Query((Term("well-known"),))),
        ('"never closed', Query((Term("never closed"),))),
        ("one one && - *", Query((Term("one"),))),
        ("NEAR(a) OR b NOT c", Query(tuple(map(Term, ["NEAR(a)", "OR", "b", "NOT", "c"])))),
        ("prompt:x^2 {a b}: +c", Query(tuple(map(Term, ["prompt:x^2", "{a", "b}:", "+c"])))),
        ("a\0b", Query((Term("a"), Term("b")))),
        ("a title (+3 more)", Query((Term("a"), Term("title")))),
    ],
)
def test_what_a_query_means(text: str, query: Query) -> None:
    assert parse_query(text) == query


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no word"),
        ("  \t", "no word"),
        ('"" * && 🤷 \0', "no word"),
        ("-one -two", "leave out"),
        ("a" * 1001, "characters"),
        (" ".join(map(str, range(33))), "words"),
    ],
)
def test_nothing_to_look_for_is_wrong_usage(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        parse_query(text)


@pytest.fixture(scope="module")
def index() -> sqlite3.Connection:
    """A store's tables, with one session that holds a few words."""
    from importlib import import_module

    connection = sqlite3.connect(":memory:")
    for name in ("0001_capture", "0002_digest", "0003_search"):
        for statement in import_module(f"helix_tui.store.migrations.{name}").STATEMENTS:
            connection.execute(statement)
    connection.execute(
        "INSERT INTO search_index (rowid, prompt, reply) VALUES (?, ?, ?)",
        (1 << 20, "fix src/app.py --no-verify", "naïve ModuleNotFoundError foo_bar 東京"),
    )
    return connection


_SIGNS = st.text(st.sampled_from("ab \"'*-+^:(){}[]~|&,.\\/%;\0\n\ud800é🤷ORANDT"), max_size=40)


@given(st.one_of(st.text(max_size=60), _SIGNS))
def test_no_input_is_an_error_of_the_database(index: sqlite3.Connection, text: str) -> None:
    try:
        query = parse_query(text)
    except UsageError:
        return
    assert find(index, query, SessionFilter(), 5) == ([], 0)  # there are no sessions to be found
    find_in([(0, None, text)], query)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("src/app.py", True),
        ("app.py", True),
        ("--no-verify", True),
        ("no verify", True),
        ("verify-no", False),
        ("modulenotfounderror", True),
        ("ModuleNot", False),
        ("ModuleNot*", True),
        ("foo_bar", True),
        ("bar", True),
        ("naive", True),
        ("NAÏVE", True),
        ("東*", True),
    ],
)
def test_words_of_code_are_found_as_they_are_written(
    index: sqlite3.Connection, text: str, is_found: bool
) -> None:
    (term,) = parse_query(text).wanted[:1]
    expression = f'"{term.text}"' + ("*" if term.is_prefix else "")
    rows = index.execute("SELECT 1 FROM search_index WHERE search_index MATCH ?", (expression,))
    assert bool(rows.fetchall()) == is_found
