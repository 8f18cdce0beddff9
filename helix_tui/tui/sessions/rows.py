"""What a line of the session list says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.text.human import compact, human_bytes, human_usd, plural
from helix_tui.text.moments import day_label
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Span, Toned
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


SORTS: dict[str, Callable[[SessionLine], tuple[float, ...]]] = {
    "latest": lambda row: (-(row.session.last_ts or 0),),
    "cost": lambda row: (-(row.session.cost.usd or row.session.cost.usd_priced or 0.0),),
    "tokens": lambda row: (-tokens_of(row.session.cost),),
    "errors": lambda row: (-row.session.tool_errors,),
    "events": lambda row: (-row.session.events,),
}


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

    title: int
    repo: int
    agent: int
    when: int
    model: int
    outcome: int
    counts: bool


# What is left open, as much as fits above the rest.
_OPEN_SHOWN = 3
COST = 9
_FIXED = 2 + COST
_COUNTS = 7 + 7
_SHORT_AGENT, _AGENT = 3, 9
_SHORT_WHEN, _WHEN = 11, 17
_SIGN, _OUTCOME = 2, 12
_MODEL = 26
_LEAST_TITLE, _LEAST_REPO, _CUT_REPO, _MOST_REPO = 40, 12, 9, 24
# The widths of agent, when, model and outcome, and whether calls are counted, the most telling
# first; each is tried in turn until the title has room.
_CHOICES = (
    (_AGENT, _WHEN, _MODEL, _OUTCOME, True),
    (_AGENT, _WHEN, 0, _OUTCOME, True),
    (_AGENT, _WHEN, 0, _OUTCOME, False),
    (_SHORT_AGENT, _WHEN, 0, _OUTCOME, False),
    (_SHORT_AGENT, _WHEN, 0, _SIGN, False),
    (_SHORT_AGENT, _SHORT_WHEN, 0, _SIGN, False),
)


def fit_session_columns(width: int, wanted: int = 0) -> SessionColumns:
    """The columns for a width: others are left out until a title of the wanted width fits."""
    wanted = max(wanted, _LEAST_TITLE)
    for agent, when, model, outcome, counts in _CHOICES:
        room = width - _FIXED - agent - when - model - outcome - counts * _COUNTS
        if room - _LEAST_REPO >= wanted:
            break
    # What is to spare is the repository's first; it gives way a little where titles then fit.
    is_enough = room - _LEAST_REPO >= wanted or room - _CUT_REPO < wanted
    least = max(8, min(_LEAST_REPO if is_enough else _CUT_REPO, room // 4))
    repo = min(_MOST_REPO, max(least, room - wanted))
    return SessionColumns(max(8, room - repo), repo, agent, when, model, outcome, counts)


def when_text(ts: int | None, now_ms: int, room: int) -> str:
    """When a session ended: the name of the day, and the time where there is room for it."""
    clock = moment(ts)[-5:]
    if ts is None or not clock[:1].isdigit():
        return "unknown"
    label = day_label(ts, now_ms)
    return f"{label} {clock}" if len(label) + len(clock) < room else label


def short_id(session: Session) -> str:
    """As much of an id as tells most sessions apart, and finds one."""
    flavor, colon, native = session.id.partition(":")
    return f"{flavor}{colon}{native[:8]}"


def outcome_sign(session: Session) -> str:
    """How a session went, as one sign."""
    return _OUTCOMES.get(session.outcome, "?")


def outcome_text(session: Session) -> str:
    """How a session went, with a sign."""
    return f"{outcome_sign(session)} {session.outcome}"


def _open_lines(session: Session) -> list[list[Span]]:
    """The first of what a session leaves open."""
    entries = (session.left_open or [])[:_OPEN_SHOWN]
    return [[("open   ", "dim"), (safe_line(entry, 200), "plain")] for entry in entries]


def session_lines(session: Session, asked: str, copy_key: str) -> list[list[Span]]:
    """What is known of a session, first what was asked."""
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
    return [
        [("asked  ", "dim"), (safe_line(asked, 400), "strong")],
        [(f"{where}{branch}{model}", "plain")],
        [(f"{outcome_text(session)}{why}", "plain")],
        *_open_lines(session),
        [
            (
                f"{span_text(session.first_ts, session.last_ts)} · "
                f"{plural(session.prompts, 'prompt')}, {plural(session.tool_calls, 'call')}, "
                f"{plural(session.tool_errors, 'error')}",
                "plain",
            )
        ],
        [
            (
                f"{cost_text(cost)} · raw {human_bytes(session.raw_bytes)} {raw_state}{pinned}",
                "plain",
            )
        ],
        [(f"{copy_key} copies ", "dim"), (command, "strong")] if command else [(reason, "dim")],
    ]


def span_text(first: int | None, last: int | None) -> str:
    """From when to when a session was, with nothing of it said twice."""
    begun, ended = moment(first), moment(last)
    if begun == ended:
        return begun
    return f"{begun} to {ended.removeprefix(f'{begun[:10]} ')}"


def cost_text(cost: Cost) -> str:
    """What a session cost, in money and in tokens."""
    tokens = tokens_of(cost)
    if not tokens:
        return "its log has no tokens"
    written = f"{compact(tokens)} tokens, {compact(cost.output)} of them written"
    usd = human_usd(cost)
    return f"{'no price' if usd == '-' else usd} · {written}"


def place_lines(hit: SearchHit, room: int) -> list[list[Toned]]:
    """Where a search found something in a session, each place with the words marked."""
    return [
        _snippet(snippet.kind, snippet.text, snippet.marks, room - 10) for snippet in hit.snippets
    ]


def _snippet(kind: str, text: str, marks: Sequence[tuple[int, int]], room: int) -> list[Toned]:
    """One place; where there is no room for all, what leads to the first mark gives way."""
    spans: list[Toned] = [(f"{kind:<8}", "dim")]
    first = marks[0][0] if marks else 0
    at = max(0, min(first - room // 3, len(text) - room))
    if at:
        spans.append(("…", "dim"))
    for start, stop in marks:
        spans += [(safe_line(text[at:start]), "plain"), (safe_line(text[start:stop]), "title")]
        at = stop
    return [*spans, (safe_line(text[at:]), "plain")]
