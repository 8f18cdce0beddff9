"""Plots as inline SVG: nothing is loaded, and every figure stands in the text as well."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from helix_tui.report.layout import Bar

_WIDTH, _HEIGHT = 720, 180
_LEFT, _TOP, _BOTTOM = 8, 20, 22
_MOST_LABELS = 8


def bars(title: str, columns: Sequence[Bar]) -> str:
    """A plot of one bar a week, with the greatest and the last one told in words."""
    top = max((bar.value for bar in columns), default=0.0)
    step = (_WIDTH - 2 * _LEFT) / max(1, len(columns))
    room = _HEIGHT - _TOP - _BOTTOM
    greatest = max(range(len(columns)), key=lambda number: columns[number].value)
    every = -(-len(columns) // _MOST_LABELS)
    parts = [
        f'<svg class="plot" role="img" aria-label="{escape(title)}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" xmlns="http://www.w3.org/2000/svg">'
    ]
    for number, bar in enumerate(columns):
        height = room * bar.value / top if top else 0.0
        left = _LEFT + number * step
        parts.append(
            f'<rect x="{left:.1f}" y="{_TOP + room - height:.1f}" width="{max(1.0, step - 2):.1f}" '
            f'height="{height:.1f}"><title>{escape(f"{bar.label}: {bar.told}")}</title></rect>'
        )
        if number % every == 0:
            parts.append(_label(left, _HEIGHT - 6, bar.label, "start"))
    middle = _LEFT + (greatest + 0.5) * step
    anchor = "middle" if 60 < middle < _WIDTH - 60 else "start" if middle <= 60 else "end"
    if top:
        parts.append(_label(middle, _TOP - 6, columns[greatest].told, anchor))
    base = _TOP + room
    parts.append(f'<line x1="{_LEFT}" y1="{base}" x2="{_WIDTH - _LEFT}" y2="{base}"/></svg>')
    return "".join(parts)


def bar(part: float) -> str:
    """A bar in a row of a table."""
    return (
        '<svg class="bar" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">'
        f'<rect width="{max(0.0, min(1.0, part)) * 100:.1f}" height="10"/></svg>'
    )


def _label(left: float, top: float, text: str, anchor: str) -> str:
    return f'<text x="{left:.1f}" y="{top}" text-anchor="{anchor}">{escape(text)}</text>'
