"""All that a verdict rests on: the plot, the sentence, both sides, the control, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from helix_tui.measure.sentence import p_value
from helix_tui.text.human import human_chance, plural, wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.effect.plot import (
    CAME_IN,
    CONTROL,
    EXPOSED,
    MARKED,
    plot_lines,
    weeks_of,
)
from helix_tui.tui.effect.rows import EffectRow, counted
from helix_tui.tui.kit.effect_words import STATE_TONES, state_word
from helix_tui.tui.kit.text_pane import Line

if TYPE_CHECKING:
    from helix_tui.schema.effect import EffectMoment, EffectPoint, Measured, Rate

_LONGEST = 1_000
_KINDS = {"in": "came in", "words": "got other words", "out": "went out", "again": "came in again"}
_HOW = {"ledger": "Helix wrote it", "git": "by the file's git history", "given": "a person says so"}


def effect_lines(
    row: EffectRow,
    measured: Measured | None,
    marked: EffectPoint | None,
    hint: str,
    width: int,
    height: int,
) -> list[Line]:
    """The page of a pattern; `measured` has its weeks once they are read, `hint` what to press."""
    known = measured or row.measured
    if known is None:
        return list(_wrapped(row.note, width, "dim"))
    lines = _page(known, marked, hint, max(20, width - 2), height)
    return [[(" ", "plain"), *line] for line in lines]


def _page(
    one: Measured, marked: EffectPoint | None, hint: str, width: int, height: int
) -> Iterator[Line]:
    effect = one.effect
    yield from _wrapped(effect.sentence, width, STATE_TONES.get(effect.state, "plain"))
    if one.points:
        yield from plot_lines(one.points, one.moments, marked, width, height)
        yield from _legend(one, marked, hint, width)
    yield []
    yield from _sides(one, width)
    for warning in effect.warnings:
        yield from _wrapped(f"! {warning.message}", width, "warn")
    if one.step is not None:
        yield []
        yield from _wrapped(one.step.text, width, "strong")
        yield from _wrapped(f"$ {one.step.command}" if one.step.command else "", width, "accent")
    yield []
    yield from _agents(one, width)
    for moment in one.moments:
        yield from _wrapped(_moment(moment), width, "plain")
    yield from _wrapped(f"how that is known: {_HOW[effect.how]}", width, "dim")
    yield from _wrapped(f"could: {one.opportunity}", width, "dim")
    seen = effect.exposure
    exposure = f"observed {seen.observed:,}, assumed {seen.assumed:,}, unknown {seen.unknown:,}"
    yield from _wrapped(f"later sessions that saw it: {exposure}", width, "dim")
    if one.fired:
        yield from _wrapped(f"its guard answered in {plural(one.fired, 'session')}", width, "plain")
    yield []
    yield from _wrapped(one.rule, width, "dim")


def _legend(one: Measured, marked: EffectPoint | None, hint: str, width: int) -> Iterator[Line]:
    parts = [f"{EXPOSED} agents that load it"]
    if any(point.is_control for point in one.points):
        parts.append(f"{CONTROL} control")
    parts += [f"{CAME_IN} came in"] if one.moments else []
    parts.append("bars: 95% intervals")
    left_out = weeks_of(one.points, width).left_out
    parts += [f"{plural(left_out, 'earlier week')} not shown"] if left_out else []
    yield from _wrapped("  ".join(parts), width, "dim")
    if marked is not None:
        who = "the control" if marked.is_control else "sessions"
        rate = f"{marked.did:,} of {marked.opportunities:,}"
        between = f"{marked.low:.0%} to {marked.high:.0%}"
        said = f"{MARKED} week of {marked.week}, {who}: {rate}, {marked.rate:.0%} ({between})"
        yield from _wrapped(f"{said}{hint}", width, "warn")


def _sides(one: Measured, width: int) -> Iterator[Line]:
    """Exposed and control, side by side: rates with their intervals, never a bare percentage."""
    effect = one.effect
    rows: list[tuple[str, Rate | None, Rate | None]]
    rows = [("agents that load it", effect.before, effect.after)]
    if effect.control is not None:
        who = safe_line(", ".join(effect.control_groups), 40)
        rows.append((f"control: {who}", effect.control_before, effect.control))
    name = min(32, max(len(label) for label, _, _ in rows))
    yield [(f"{'':<{name}}  {'before':<26}after", "dim")]
    for label, before, after in rows:
        yield [(f"{label[:name]:<{name}}  ", "plain"), (f"{_rate(before):<26}", "plain"),
               (_rate(after), "strong")]  # fmt: skip
    if effect.baseline is not None:
        low, high = effect.baseline_low, effect.baseline_high
        between = f"{effect.baseline:.0%} ({low:.0%}–{high:.0%})"
        said = f"before, corrected for having been picked: {between}"
        yield from _wrapped(said, width, "dim")
    figures = [f"{mark} {p_value(value)}" for mark, value in (("p", effect.p), ("q", effect.q))
               if value is not None]  # fmt: skip
    if effect.chance is not None:
        figures.append(f"lower than before with a chance of {human_chance(effect.chance)}")
    if effect.needed:
        figures.append(f"about {plural(effect.needed, 'more session')} needed")
    yield from _wrapped(", ".join(figures), width, "dim")


def _agents(one: Measured, width: int) -> Iterator[Line]:
    """Each agent by itself, where there are several."""
    for agent in one.agents if len(one.agents) > 1 else ():
        said = f"{agent.agent}: {state_word(agent.state)}, {counted(agent.before)} before"
        yield from _wrapped(f"{said}, {counted(agent.after)} after", width, "plain")


def _rate(rate: Rate | None) -> str:
    if rate is None or rate.rate is None:
        return "none could"
    return f"{counted(rate)}, {rate.rate:.0%} ({rate.low:.0%}–{rate.high:.0%})"


def _moment(moment: EffectMoment) -> str:
    day = datetime.fromtimestamp(moment.at / 1000, UTC).date().isoformat()
    agents = ", ".join(moment.agents)
    whom = f" for {agents}" if agents else ""
    return f"{CAME_IN} {day}  {_KINDS[moment.kind]}{whom}, version {moment.version}"


def marks_of(points: Sequence[EffectPoint], width: int) -> list[EffectPoint]:
    """The points that can be marked, in order of time, each week's control behind it."""
    mondays = set(weeks_of(points, width).mondays)
    shown = [point for point in points if point.week in mondays]
    return sorted(shown, key=lambda point: (point.week, point.is_control))


def _wrapped(text: str, width: int, tone: str) -> Iterator[Line]:
    for piece in wrap(safe_line(text, _LONGEST), max(12, width)) if text else ():
        yield [(piece, tone)]
