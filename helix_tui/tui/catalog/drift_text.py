"""How a pattern stands against what was seen since it was approved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from helix_tui.text.human import compact, plural, sparkline
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.moment import day

if TYPE_CHECKING:
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.schema.board import Listed

# How many cells the names of lines take.
LABEL = 9


def drift_lines(pattern: Pattern, listed: Sequence[Listed], notes: Sequence[str]) -> list[str]:
    """What its page says, what the store has now, and what of that is new."""
    page = pattern.evidence
    lines = [
        f"page     {plural(page.sessions, 'session')}, {page.frequency:,} times, "
        f"{compact(page.cost_impact)} tokens, last seen {(page.last_seen or 'unknown')[:10]}",
        f"         approved {pattern.provenance.at[:10]} by {safe_line(pattern.provenance.author)}",
    ]
    lines += _now(pattern, listed) if listed else ["now      nothing of it is in this store"]
    return [*lines, *(["", *(safe_line(note, 300) for note in notes)] if notes else [])]


def _now(pattern: Pattern, listed: Sequence[Listed]) -> Iterator[str]:
    page, briefs = pattern.evidence, [one.brief for one in listed]
    sessions = sum(brief.sessions for brief in briefs)
    times = sum(brief.frequency for brief in briefs)
    tokens = sum(brief.cost_impact for brief in briefs)
    last = max((brief.last_ts or 0 for brief in briefs), default=0)
    flavors = {name for brief in briefs for name in brief.flavors}
    seen = f"last seen {day(last)}" if last else "last seen unknown"
    figures = f"{plural(sessions, 'session')}, {times:,} times, {compact(tokens)} tokens"
    yield f"now      {figures}, {seen}"
    for one in listed:
        trend = sparkline(one.trend)
        yield f"         {one.state}{f' {trend}' if trend else ''}  {safe_line(one.brief.id, 80)}"
    more = sessions - page.sessions
    news = [f"{plural(more, 'session')} more"] if more > 0 else []
    if added := sorted(flavors - set(page.flavors)):
        news.append(f"seen with {', '.join(safe_line(name, 20) for name in added)}, too")
    if len(listed) < len(pattern.candidates):
        gone = len(pattern.candidates) - len(listed)
        news.append(f"{plural(gone, 'candidate')} of it no longer in this store")
    yield f"since    {'; '.join(news) if news else 'nothing new: it was not seen again'}"
