"""Why a candidate stands where it does: its rates, the parts of its score, and its weeks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from helix_tui.text.human import compact, plural, sparkline
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import fit
from helix_tui.tui.kit.moment import day

if TYPE_CHECKING:
    from helix_tui.schema.candidate import Ranked, Rate

_MOST_REPOS = 8
# How many cells the names of lines take.
LABEL = 9


def why_lines(ranked: Ranked) -> Iterator[str]:
    """Every figure that a score and a place in the list follow from, a line each."""
    candidate, parts = ranked.candidate, ranked.parts
    yield f"tier     {candidate.tier}: {safe_line(candidate.tier_reason)}"
    cross = "XX, two agents in two sessions each" if ranked.is_cross_flavor_firm else ""
    cross = cross or ("X, two agents" if ranked.is_cross_flavor else "one agent")
    yield f"across   {cross}"
    yield f"state    {ranked.state}, {day(ranked.first_ts)} to {day(ranked.last_ts)}"
    if ranked.trend and not any(ranked.trend):
        yield f"weeks    nothing in the last {len(ranked.trend)}"
    elif ranked.trend:
        yield f"weeks    {sparkline(ranked.trend, len(ranked.trend))}  {_weeks(ranked.trend)}"
    yield ""
    yield f"score    {ranked.score:.2f} = 100 x {parts.rate_low:.3f} x {parts.waste:.2f}"
    yield (
        f"         {parts.rate_low:.3f}: at least this share has it (95 % sure), from "
        f"{parts.counted_sessions:g} of {plural(parts.eligible, 'session')}"
    )
    yield (
        f"         {parts.waste:.2f}: median waste each time, {parts.median_tokens:,.0f} tokens "
        f"/ 1000 + {parts.median_minutes:.2f} minutes"
    )
    yield f"         {ranked.frequency:,} times, {compact(ranked.cost_impact)} tokens in all"
    yield ""
    yield from _rates("agents", ranked.flavors)
    yield from _rates("repos", ranked.repos)
    if candidate.ways:
        yield ""
        for number, (way, count) in enumerate(candidate.ways.items()):
            yield f"{'ways' if not number else '':<8} {count:,}  {safe_line(way, 300)}"
    for number, (hint, count) in enumerate(candidate.hints.items()):
        yield f"{'output' if not number else '':<8} {count:,}  says “{safe_line(hint, 200)}”"


def _weeks(counts: Sequence[int]) -> str:
    """How much there was in the weeks that the bars before it are of."""
    return f"{sum(counts):,} in the last {len(counts)}, at most {max(counts):,} in one"


def _rates(label: str, rates: Mapping[str, Rate]) -> Iterator[str]:
    ranked = sorted(rates.items(), key=lambda item: (-item[1].having, item[0]))
    named = [(safe_line(name, 40) or "(no repository)", rate) for name, rate in ranked]
    named = named[:_MOST_REPOS]
    wide = max((cell_len(name) for name, _ in named), default=0)
    for number, (name, rate) in enumerate(named):
        share = f" ({rate.having / rate.eligible:.0%})" if rate.eligible else ""
        head = label if not number else ""
        of = plural(rate.eligible, "session")
        yield f"{head:<8} {fit(name, wide)} {rate.having:>5,} of {of}{share}"
    if len(ranked) > _MOST_REPOS:
        yield f"{'':<8} and {len(ranked) - _MOST_REPOS:,} more"
