"""What a member asks of its team: named questions of one statement each, and plain rows as answers.

PostgreSQL answers here; where a machine may not reach it, a hub asks the same as that member
(`carrier_https.py`). The database's policies decide what comes back either way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple, Protocol

from msgspec import Meta, convert

from helix_tui.team.database import TeamDatabase, told

# So many rows an answer has at most; who wants more asks from where it ended.
PAGE = 200
_Page = Annotated[int, Meta(ge=1, le=PAGE)]
_Text = Annotated[str, Meta(max_length=2_000)]
_Line = Annotated[str, Meta(max_length=1 << 20)]
_Names = Annotated[list[_Text], Meta(max_length=1_000)]
_Keys = Annotated[list[int], Meta(max_length=1_000)]


class Question(NamedTuple):
    """A statement, what it is asked with, and what a row of its answer has."""

    sql: str
    asked: Any
    row: Any


def _worked(condition: str) -> str:
    """A page of sessions first: joined, the planner would rather read all of them and sort."""
    return (
        "SELECT coalesce(s.last_ts, 0), s.key, s.uid, coalesce(c.root, s.uid), s.flavor, "
        "s.native_id, s.repo, s.model, s.outcome, s.first_ts, s.events, s.tool_calls, s.profile, "
        f"coalesce(f.data, '{{}}') FROM (SELECT * FROM helix.session WHERE {condition} "
        "AND turns > 0 ORDER BY last_ts, key LIMIT %s) AS s "
        "LEFT JOIN helix.fold f ON f.month = s.month AND f.key = s.key "
        "LEFT JOIN helix.counted c ON c.key = s.key ORDER BY s.last_ts, s.key"
    )


_Worked = tuple[int, int, str, str, str, str, str, str | None, str, int | None, int, int, str, str]
QUESTIONS: Mapping[str, Question] = {
    "reads_all": Question("SELECT helix.reads_all()", tuple[()], tuple[bool]),
    "notes": Question("SELECT name, value FROM helix.note", tuple[()], tuple[str, str]),
    "people": Question(
        "SELECT o.origin, m.pseudonym FROM helix.origin o JOIN helix.member m ON m.role = o.owner",
        tuple[()],
        tuple[str, str],
    ),
    "regrouped": Question("SELECT old, new FROM helix.regrouped", tuple[()], tuple[str, str]),
    "population": Question(
        "SELECT flavor, repo, sessions FROM helix.population WHERE sessions > 0",
        tuple[()],
        tuple[str, str, int],
    ),
    # What one conversation alone has is on no list.
    "candidates": Question(
        "SELECT n, id, bucket, sessions, brief, CASE WHEN sessions >= 2 THEN data END, excerpts "
        "FROM helix.candidate WHERE (n, id, bucket) > (%s, %s, %s) "
        "ORDER BY n, id, bucket LIMIT %s",
        tuple[int, _Text, int, _Page],
        tuple[int, str, int, int, bytes | None, bytes | None, bytes | None],
    ),
    "verdicts": Question(
        "SELECT n, line_id, pseudonym, line FROM helix.verdict WHERE n > %s ORDER BY n LIMIT %s",
        tuple[int, _Page],
        tuple[int, str, str, str],
    ),
    "tell": Question(
        "INSERT INTO helix.verdict (line_id, origin, at, line) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (line_id) DO NOTHING",
        tuple[_Text, _Text, _Text, _Line],
        tuple[()],
    ),
    "places": Question("SELECT repo, name FROM helix.place", tuple[()], tuple[str, str]),
    # Sessions that were under way in a time, by their ends; and those without an end.
    "worked": Question(
        _worked("last_ts >= %s AND (last_ts, key) > (%s, %s) AND first_ts <= %s"),
        tuple[int, int, int, int, _Page],
        _Worked,
    ),
    "undated": Question(_worked("last_ts IS NULL AND key > %s"), tuple[int, _Page], _Worked),
    # Rows of many conversations each: a page has few.
    "effects": Question(
        "SELECT e.origin, e.pattern, e.version, e.figures FROM helix.effect e "
        "WHERE (e.origin, e.pattern, e.version) > (%s, %s, %s) "
        "ORDER BY e.origin, e.pattern, e.version LIMIT 20",
        tuple[_Text, _Text, _Text],
        tuple[str, str, str, str],
    ),
    # As what sessions count, of those that the team still has.
    "roots": Question(
        "SELECT k.uid, coalesce(c.root, k.uid) FROM helix.session_key k "
        "LEFT JOIN helix.counted c ON c.key = k.key WHERE k.uid = ANY(%s)",
        tuple[_Names],
        tuple[str, str],
    ),
    "find": Question(
        "SELECT key, month FROM helix.find(%s, %s)",
        tuple[_Text, _Page],
        tuple[int, int],
    ),
    "found": Question(
        "SELECT s.uid, s.flavor, coalesce(s.repo_name, ''), s.outcome, s.last_ts, "
        "coalesce(m.pseudonym, ''), f.data FROM unnest(%s::bigint[], %s::integer[]) AS w "
        "(key, month) JOIN helix.session s ON s.month = w.month AND s.key = w.key "
        "LEFT JOIN helix.member m ON m.role = s.owner "
        "LEFT JOIN helix.fold f ON f.month = w.month AND f.key = w.key "
        "ORDER BY s.last_ts DESC NULLS LAST, s.uid",
        tuple[_Keys, _Keys],
        tuple[str, str, str, str, int | None, str, str | None],
    ),
}


class Asker(Protocol):
    """A way to ask the team."""

    def ask(self, name: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that answer a question."""
        ...


class PostgresAsker:
    """The team's store itself."""

    def __init__(self, opened: TeamDatabase) -> None:
        self.opened = opened

    def ask(self, name: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that answer a question."""
        with told(self.opened.place):
            return self.opened.rows(QUESTIONS[name].sql, values)


def checked(name: str, values: Sequence[object]) -> tuple[object, ...]:
    """What somebody else asks a question with; raises where it is none, or asked otherwise."""
    if name not in QUESTIONS:
        raise ValueError(f"nothing is called {name[:40]!r}")
    return tuple(convert(values, QUESTIONS[name].asked))
