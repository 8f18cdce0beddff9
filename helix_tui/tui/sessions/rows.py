"""What a line of the session list says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.text.filter import FilterWord, filter_words
from helix_tui.text.human import compact, human_bytes, human_usd, plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Span
from helix_tui.tui.kit.moment import moment
from helix_tui.tui.sessions.resume import resume_command

if TYPE_CHECKING:
    from helix_tui.schema import Cost, SearchHit, Session

_OUTCOMES = {"success": "✓", "partial": "~", "failed": "✗", "abandoned": "–", "unknown": "?"}


class SessionLine(NamedTuple):
    """A session as the list has it."""

    id: str
    session: Session
    searched: str


def line_of(session: Session) -> SessionLine:
    """The line of one session; what is seen of it is made when it is drawn."""
    fields = (
        *(session.id, session.title or "", session.repo, session.branch),
        *(session.model, session.outcome),
    )
    return SessionLine(session.id, session, "\n".join(map(str, fields)).lower())


# Words that look into one field only.
_FIELDS: dict[str, Callable[[Session], str]] = {
    "flavor": lambda session: session.flavor,
    "repo": lambda session: session.repo or "",
    "title": lambda session: session.title or "",
    "outcome": lambda session: session.outcome,
    "branch": lambda session: session.branch or "",
    "model": lambda session: session.model or "",
    "raw": lambda session: session.raw,
    "pinned": lambda session: "yes" if session.is_pinned else "no",
}
SORTS: dict[str, Callable[[SessionLine], tuple[float, ...]]] = {
    "latest": lambda row: (-(row.session.last_ts or 0),),
    "cost": lambda row: (-(row.session.cost.usd or row.session.cost.usd_priced or 0.0),),
    "tokens": lambda row: (-tokens_of(row.session.cost),),
    "errors": lambda row: (-row.session.tool_errors,),
    "events": lambda row: (-row.session.events,),
}


class SessionListFilter(NamedTuple):
    """A filter as it was typed: tests of a line, and what is searched for in the texts."""

    text: str
    tests: tuple[FilterWord, ...]
    query: str

    def narrowed(self, rows: Iterable[SessionLine]) -> list[SessionLine]:
        """The lines that are let through."""
        passing = list(rows)
        for field, wanted, is_inverted in self.tests:
            if field:
                look = _FIELDS[field]
                passing = [
                    row for row in passing if (wanted in look(row.session).lower()) != is_inverted
                ]
            else:
                passing = [row for row in passing if (wanted in row.searched) != is_inverted]
        return passing


def parse_session_filter(text: str) -> SessionListFilter:
    """Read a filter: as for candidates, and what stands behind `?` is searched for."""
    words, _, query = f" {text}".partition(" ?")
    tests = (word for word in filter_words(words, _FIELDS) if word.wanted)
    return SessionListFilter(text, tuple(tests), query.strip())


def tokens_of(cost: Cost) -> int:
    """All tokens of a session; reasoning is a part of the output."""
    return cost.input + cost.output + cost.cache_read + cost.cache_write


def short_name(session: Session) -> str:
    """A session's title, else its id without what is told elsewhere; a sub-agent's is marked."""
    name = session.id.partition(":")[2] or session.id
    if session.parent is not None:
        return safe_line(f"↳ {session.title or name.rpartition('.')[2]}", 120)
    return safe_line(session.title or name, 120)


class SessionColumns(NamedTuple):
    """How wide the columns are whose width is not fixed; 0 leaves one out."""

    name: int
    repo: int
    model: int
    counts: bool


# What is left open, as much as fits above the rest.
_OPEN_SHOWN = 3
_FIXED = 2 + 17 + 8 + 12 + 12
_COUNTS = 7 + 6


def fit_session_columns(width: int) -> SessionColumns:
    """The columns for a width: what is to spare goes to the title."""
    room = width - _FIXED
    has_counts = room >= _COUNTS + 24
    room -= _COUNTS if has_counts else 0
    model = 18 if room >= 90 else 0
    room -= model
    repo = min(24, max(8, room // 4))
    return SessionColumns(max(8, room - repo), repo, model, has_counts)


def outcome_text(session: Session) -> str:
    """How a session went, with a sign."""
    return f"{_OUTCOMES.get(session.outcome, '?')} {session.outcome}"


def _open_lines(session: Session) -> list[list[Span]]:
    """The first of what a session leaves open."""
    entries = (session.left_open or [])[:_OPEN_SHOWN]
    return [[("open   ", "dim"), (safe_line(entry, 200), "plain")] for entry in entries]


def session_lines(
    session: Session, hit: SearchHit | None, asked: str, copy_key: str
) -> list[list[Span]]:
    """What is known of a session, first what was asked; or where a search found something."""
    command, reason = resume_command(session)
    cost = session.cost
    where = safe_line(session.cwd or "an unknown folder", 200)
    branch = f" · branch {safe_line(session.branch, 60)}" if session.branch else ""
    model = f" · {safe_line(session.model, 60)}" if session.model else ""
    why = f": {safe_line(session.outcome_reason, 200)}" if session.outcome_reason else ""
    raw_state = {"full": "in the store", "partial": "partly evicted", "evicted": "evicted"}[
        session.raw
    ]
    pinned = ", pinned" if session.is_pinned else ""
    lines: list[list[Span]] = [
        [("asked  ", "dim"), (safe_line(asked, 400), "strong")],
        [(f"{where}{branch}{model}", "plain")],
        [(f"{outcome_text(session)}{why}", "plain")],
        *_open_lines(session),
        [
            (
                f"{moment(session.first_ts)} to {moment(session.last_ts)} · "
                f"{plural(session.prompts, 'prompt')}, {plural(session.tool_calls, 'call')}, "
                f"{plural(session.tool_errors, 'error')}",
                "plain",
            )
        ],
        [
            (
                f"{human_usd(cost)} · {compact(tokens_of(cost))} tokens, "
                f"{compact(cost.output)} of them written · "
                f"raw {human_bytes(session.raw_bytes)} {raw_state}{pinned}",
                "plain",
            )
        ],
        [(f"{copy_key} copies ", "dim"), (command, "strong")] if command else [(reason, "dim")],
    ]
    if hit is None:
        return lines
    places: list[list[Span]] = [[(f"{plural(hit.matches, 'place')} in it", "dim")]]
    return [
        lines[0],
        *places,
        *(_snippet(snippet.kind, snippet.text, snippet.marks) for snippet in hit.snippets),
    ]


def _snippet(kind: str, text: str, marks: Sequence[tuple[int, int]]) -> list[Span]:
    spans: list[Span] = [(f"{kind:<8}", "dim")]
    at = 0
    for start, stop in marks:
        spans += [(safe_line(text[at:start]), "plain"), (safe_line(text[start:stop]), "good")]
        at = stop
    return [*spans, (safe_line(text[at:]), "plain")]
