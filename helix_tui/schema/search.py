"""Searchable texts, queries and search results."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

TextKind = Literal["prompt", "reply", "command", "error"]
# Stored as small integers and as columns of the index; the order is part of the store's format.
TEXT_KINDS: tuple[TextKind, ...] = ("prompt", "reply", "command", "error")
PROMPT_TEXT, REPLY_TEXT, COMMAND_TEXT, ERROR_TEXT = range(len(TEXT_KINDS))

# (kind, ts, text): a piece of a session that can be found, redacted and bounded.
SearchText = tuple[int, int | None, str]


class Term(NamedTuple):
    """A word or phrase of a query; the last word of a prefix may continue."""

    text: str
    is_prefix: bool = False


class Query(msgspec.Struct, frozen=True):
    """A session matches if it has every wanted term and no excluded one."""

    wanted: tuple[Term, ...]
    excluded: tuple[Term, ...] = ()


class Snippet(msgspec.Struct, frozen=True):
    """A stretch of one text on one line; `marks` are the places of the terms in it."""

    kind: TextKind
    ts: int | None
    text: str
    marks: tuple[tuple[int, int], ...]


class SearchHit(msgspec.Struct, frozen=True):
    """A session that matches; a higher score is better, and the best snippet comes first.

    `matches` counts the texts of the session that have any of the terms.
    """

    session: str
    flavor: str
    repo: str | None
    outcome: str
    first_ts: int | None
    last_ts: int | None
    score: float
    matches: int
    snippets: tuple[Snippet, ...]
    title: str = ""


class SearchResult(msgspec.Struct, frozen=True):
    """The best hits, how many there are in all, and how many sessions are not indexed yet."""

    hits: list[SearchHit]
    total: int
    pending: int
