"""What narrows the list of sessions: words, fields, days, costs, and what was said in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.errors import UsageError
from helix_tui.text.filter import FilterWord, filter_words, unknown_fields
from helix_tui.text.moments import Moment, parse_moment

if TYPE_CHECKING:
    from helix_tui.schema import Session
    from helix_tui.tui.sessions.rows import SessionLine

Test = Callable[["Session"], bool]
# Fewer letters fit nearly every text.
_LEAST_SEARCHED = 3
_AMOUNT = r"\$?(\d+(?:\.\d+)?)"
_COST = re.compile(rf"([<>]?)=?{_AMOUNT}(?:(?:\.\.|-){_AMOUNT})?")

# Words that look into the text of one field.
_TEXTS: dict[str, Callable[[Session], str]] = {
    "flavor": lambda session: session.flavor,
    "repo": lambda session: session.repo or "",
    "title": lambda session: session.title or "",
    "outcome": lambda session: session.outcome,
    "branch": lambda session: session.branch or "",
    "model": lambda session: session.model or "",
    "raw": lambda session: session.raw,
    "pinned": lambda session: "yes" if session.is_pinned else "no",
}
# Those that hold a time against one that was named.
_DAYS: dict[str, Callable[[Session, Moment], bool]] = {
    "on": lambda session, day: (
        session.last_ts is not None
        and session.last_ts >= day.first
        and (session.first_ts if session.first_ts is not None else session.last_ts) <= day.last
    ),
    "since": lambda session, day: session.last_ts is not None and session.last_ts >= day.first,
    "until": lambda session, day: session.last_ts is not None and session.last_ts <= day.last,
}
FIELDS = (*_TEXTS, *_DAYS, "cost")


class SessionListFilter(NamedTuple):
    """A filter as it was typed: tests of a line, and what is searched for in the texts.

    `said` is what the words alone would find there, the last of them as a beginning; `query` is
    what stands behind `?`, where only texts are wanted. `mistakes` says what is no filter.
    """

    text: str
    words: tuple[FilterWord, ...]
    tests: tuple[tuple[Test, bool], ...]
    query: str
    said: str
    mistakes: tuple[str, ...]

    @property
    def searched(self) -> str:
        """What is looked for in the texts while somebody types; empty where that is nothing."""
        return self.query if len(self.query) >= _LEAST_SEARCHED else self.said

    def by_fields(self, rows: Iterable[SessionLine]) -> list[SessionLine]:
        """The lines that every field lets through."""
        passing = list(rows)
        for test, is_inverted in self.tests:
            passing = [row for row in passing if test(row.session) != is_inverted]
        return passing

    def by_words(self, rows: Iterable[SessionLine]) -> list[SessionLine]:
        """The lines that have every word in themselves."""
        passing = list(rows)
        for field, wanted, is_inverted in self.words:
            if not field:
                passing = [row for row in passing if (wanted in row.searched) != is_inverted]
        return passing


def parse_session_filter(text: str, now_ms: int = 0) -> SessionListFilter:
    """Read a filter: as for candidates, and what stands behind `?` is searched for."""
    typed, _, query = f" {text}".partition(" ?")
    words = tuple(word for word in filter_words(typed, FIELDS) if word.wanted)
    tests: list[tuple[Test, bool]] = []
    mistakes = [f"{name}: is no filter" for name in unknown_fields(typed, FIELDS)]
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    for word in words:
        if word.field:
            test = _test_of(word, now)
            if test is None:
                mistakes.append(f"{word.field}:{word.wanted} is {_WANTED[word.field]}")
            else:
                tests.append((test, word.is_inverted))
    query = query.strip()
    said = "" if query else _said(words)
    return SessionListFilter(text, words, tuple(tests), query, said, tuple(mistakes))


_WANTED = {**dict.fromkeys(_DAYS, "no day"), "cost": "no amount"}


def _test_of(word: FilterWord, now: datetime) -> Test | None:
    """What a field asks of a session; None where its value cannot be read."""
    if word.field in _TEXTS:
        look = _TEXTS[word.field]
        return lambda session: word.wanted in look(session).lower()
    if word.field == "cost":
        return _cost_test(word.wanted)
    try:
        day = parse_moment(word.wanted, now)
    except UsageError:
        return None
    compare = _DAYS[word.field]
    return lambda session: compare(session, day)


def _cost_test(wanted: str) -> Test | None:
    """`5` and `>5` are at least so many dollars, `<5` is less, `1..5` and `1-5` are between."""
    found = _COST.fullmatch(wanted)
    if found is None:
        return None
    sign, low, high = found[1], float(found[2]), float(found[3] or "inf")
    if sign == "<":
        return lambda session: (session.cost.usd_priced or 0.0) < low
    return lambda session: low <= (session.cost.usd_priced or 0.0) <= high


def _said(words: Iterable[FilterWord]) -> str:
    """The words without a field as a search; the last is still being typed."""
    plain = [word for word in words if not word.field]
    wanted = [word.wanted for word in plain if not word.is_inverted]
    if not wanted or max(map(len, wanted)) < _LEAST_SEARCHED:
        return ""
    terms = [f"-{word.wanted}" if word.is_inverted else _term(word.wanted) for word in plain]
    if wanted[-1][-1:].isalnum():
        terms[-1] = terms[-1] if plain[-1].is_inverted else f"{terms[-1]}*"
    return " ".join(terms)


def _term(word: str) -> str:
    """A word that means itself, whatever sign it begins with."""
    return word.replace('"', " ").lstrip("-")
