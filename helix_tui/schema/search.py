"""What can be searched of a session, what somebody looks for, and what was found."""

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
    """A word or phrase that somebody looks for; of a prefix, the last word may go on."""

    text: str
    is_prefix: bool = False


class Query(msgspec.Struct, frozen=True):
    """Every wanted term is in a session that is found, and no excluded one."""

    wanted: tuple[Term, ...]
    excluded: tuple[Term, ...] = ()


class Snippet(msgspec.Struct, frozen=True):
    """A stretch of one text on one line; `marks` are the places of what was looked for in it."""

    kind: TextKind
    ts: int | None
    text: str
    marks: tuple[tuple[int, int], ...]


class SearchHit(msgspec.Struct, frozen=True):
    """A session that was found; a higher score is a better hit, the best snippet comes first.

    `matches` counts the texts of the session that hold something of what was looked for.
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


class SearchResult(msgspec.Struct, frozen=True):
    """The best hits, how many there are in all, and how many sessions are not indexed yet."""

    hits: list[SearchHit]
    total: int
    pending: int
