"""The index of errors that were seen: by which keys a message finds them, and what a row says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from helix_tui.detect.group import countable
from helix_tui.detect.keys import is_on_error
from helix_tui.schema.candidate import Sighting
from helix_tui.schema.recall import SeenRow
from helix_tui.text.hashing import hash64
from helix_tui.text.signature.classes import is_open
from helix_tui.text.signature.join import bucket_of, join
from helix_tui.text.signature.signature import signature

# A message alone does not say which tool printed it; for some classes that matters.
_TOOLS = ("", "shell", "edit", "read")
_LINE_LENGTH = 300


def seen_key(error_class: str, subject: str, template: str) -> int:
    """The key of an error: its class and subject, and where these say too little its template."""
    where = bucket_of(template) if template else ""
    return hash64("\0".join(("seen", error_class, subject, where)).encode("utf-8", "surrogatepass"))


def keys_of(message: str) -> dict[int, str]:
    """The keys by which a message may be found, each with the template that must fit."""
    keys: dict[int, str] = {}
    for tool in _TOOLS:
        named = signature(message, tool)
        if not named.line.strip():
            continue
        template = named.template if is_open(named.error_class) else ""
        keys.setdefault(seen_key(named.error_class, named.subject, template), template)
    return keys


def fits(template: str, stored: str) -> bool:
    """Whether two templates of one key are the same error."""
    if template == stored:
        return True
    joined = join([template, stored])
    return joined[template] == joined[stored]


def seen_rows(sightings: Iterable[Sighting]) -> list[tuple[int, SeenRow]]:
    """The rows of one bucket, each with its key; sessions that do not count are in none."""
    rows: dict[tuple[int, str], SeenRow] = {}
    roots: dict[tuple[int, str], set[str]] = {}
    past: dict[tuple[int, str], set[str]] = {}
    repos: dict[tuple[int, str], dict[str, set[str]]] = {}
    for session, signal in countable(sightings):
        if not is_on_error(signal):
            return []
        key = (seen_key(signal.error_class, signal.subject, signal.template), signal.template)
        if signal.name == "recovery":
            past.setdefault(key, set()).add(session.root)
            continue
        if signal.name == "repeated_error":
            continue  # the same occurrences once more
        row = rows.setdefault(
            key,
            SeenRow(
                signal.error_class, signal.subject, signal.template, signal.text[:_LINE_LENGTH]
            ),
        )
        roots.setdefault(key, set()).add(session.root)
        repos.setdefault(key, {}).setdefault(session.repo, set()).add(session.root)
        row.count += signal.count
        row.first_ts = _least(row.first_ts, signal.first_ts)
        if signal.last_ts is not None and (row.last_ts is None or signal.last_ts >= row.last_ts):
            row.last_ts, row.last_session = signal.last_ts, session.id
        row.last_session = row.last_session or session.id
    for key, row in rows.items():
        row.sessions = len(roots[key])
        row.overcame = len(past.get(key, set()))
        row.repos = {repo: len(found) for repo, found in repos[key].items()}
    return [(key, row) for (key, _), row in rows.items()]


def merged(rows: Sequence[SeenRow], repo: str) -> tuple[SeenRow, int]:
    """Rows of one error in several buckets as one, and in how many conversations of a repository.

    A conversation that met it in two buckets is counted in both: the figures are at most so large.
    """
    last = max(rows, key=lambda row: row.last_ts or 0)
    total = SeenRow(last.error_class, last.subject, last.template, last.line)
    for row in rows:
        total.sessions += row.sessions
        total.count += row.count
        total.overcame += row.overcame
        total.first_ts = _least(total.first_ts, row.first_ts)
    total.last_ts, total.last_session = last.last_ts, last.last_session
    return total, sum(row.repos.get(repo, 0) for row in rows)


def _least(one: int | None, other: int | None) -> int | None:
    known: Collection[int] = [value for value in (one, other) if value is not None]
    return min(known, default=None)
