"""The rate of a pattern by week as a plot that needs no colour: signs tell who is who."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.tui.kit.text_pane import Line

if TYPE_CHECKING:
    from helix_tui.schema.effect import EffectMoment, EffectPoint

EXPOSED, CONTROL = "●", "x"
INTERVAL, CONTROL_INTERVAL = "│", "╎"
CAME_IN, MARKED = "┊", "▼"
_TONES = {
    **{EXPOSED: "strong", INTERVAL: "plain", CONTROL: "dim", CONTROL_INTERVAL: "dim"},
    **{CAME_IN: "accent", MARKED: "warn"},
}
# The cells that a week takes at least, and those that the axis takes.
_LEAST, _AXIS = 3, 5
_WEEK_TICKS = 12
# From how many lines on quarters stand evenly; on fewer only halves do.
_QUARTERS = 12
# How far to the right of its week the control stands, in weeks.
_BESIDE = 0.3


class Weeks(NamedTuple):
    """The weeks of a plot, one behind the other, and how many earlier ones have no room."""

    mondays: list[str]
    left_out: int


def weeks_of(points: Sequence[EffectPoint], width: int) -> Weeks:
    """Every week from the first with a point to the last, those without one too."""
    named = sorted({point.week for point in points})
    if not named:
        return Weeks([], 0)
    first, last = date.fromisoformat(named[0]), date.fromisoformat(named[-1])
    count = (last - first).days // 7 + 1
    mondays = [(first + timedelta(days=7 * at)).isoformat() for at in range(count)]
    most = max(2, (width - _AXIS) // _LEAST)
    return Weeks(mondays[-most:], max(0, count - most))


def plot_lines(
    points: Sequence[EffectPoint],
    moments: Sequence[EffectMoment],
    marked: EffectPoint | None,
    width: int,
    height: int,
) -> list[Line]:
    """The plot: each week's rate with its interval, the control beside it, when the rule came in.

    `marked` is the point whose sessions a key opens.
    """
    mondays = weeks_of(points, width).mondays
    if not mondays:
        return []
    import plotext

    place = {monday: float(at) for at, monday in enumerate(mondays)}
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.limit_size(False, False)
    plotext.plotsize(width, height)
    for moment in moments:
        at = _week_of(moment.at, mondays[0])
        if -0.5 <= at <= len(mondays) - 0.5:
            plotext.plot([at, at], [0, 1], marker=CAME_IN)
    shown = [point for point in points if point.week in place]
    for point in shown:
        x = place[point.week] + (_BESIDE if point.is_control else 0)
        bar = CONTROL_INTERVAL if point.is_control else INTERVAL
        plotext.plot([x, x], [point.low, point.high], marker=bar)
    for point in sorted(shown, key=lambda one: not one.is_control):
        x = place[point.week] + (_BESIDE if point.is_control else 0)
        plotext.scatter([x], [point.rate], marker=CONTROL if point.is_control else EXPOSED)
    if marked is not None and marked.week in place:
        x = place[marked.week] + (_BESIDE if marked.is_control else 0)
        plotext.scatter([x], [1.0], marker=MARKED)
    plotext.ylim(0, 1)
    shares = (0, 25, 50, 75, 100) if height >= _QUARTERS else (0, 50, 100)
    plotext.yticks([share / 100 for share in shares], [f"{share}%" for share in shares])
    plotext.xlim(-0.5, len(mondays) - 0.5)
    every = max(1, -(-len(mondays) * _WEEK_TICKS // max(1, width - _AXIS)))
    ticks = list(range(0, len(mondays), every))
    plotext.xticks(ticks, [mondays[at] for at in ticks])
    drawn: str = plotext.uncolorize(plotext.build())
    lines = [line.rstrip() for line in drawn.rstrip("\n").split("\n")]
    named = [mondays[at] for at in ticks]
    return [_toned(line) for line in (*lines[:-1], _labels(lines[-2], named, width))]


def _labels(border: str, named: Sequence[str], width: int) -> str:
    """The weeks below their ticks; plotext puts them a cell further left at one time or another."""
    text = [" "] * width
    for at, name in zip([at for at, sign in enumerate(border) if sign == "┬"], named, strict=False):
        start = max(0, min(width - len(name), at - len(name) // 2))
        text[start : start + len(name)] = name
    return "".join(text)[:width].rstrip()


def _week_of(ts: int, first: str) -> float:
    """Where a time stands among the weeks; the middle of a week is its point."""
    then = datetime.fromtimestamp(ts / 1000, UTC)
    begin = datetime.fromisoformat(first).replace(tzinfo=UTC)
    return (then - begin).total_seconds() / (7 * 86_400) - 0.5


def _toned(text: str) -> Line:
    """A line of the plot with the tone of each sign; the frame is dim."""
    line: Line = []
    for at, sign in enumerate(text):
        is_inside = _AXIS - 1 < at < len(text) - 1
        tone = _TONES.get(sign, "dim") if is_inside else "dim"
        if line and line[-1][1] == tone:
            line[-1] = (line[-1][0] + sign, tone)
        else:
            line.append((sign, tone))
    return line
