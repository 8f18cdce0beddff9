"""Widgets that are drawn line by line of plain text with tones; markup is never looked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip
from textual.widget import Widget

from helix_tui.tui.actions import with_keys
from helix_tui.tui.themes import VARIABLES

# What a part of a line is, for the eye: how it is drawn is a matter of the theme.
Tone = Literal["plain", "dim", "strong", "good", "warn", "bad"]
Span = tuple[str, Tone]
# A piece of a line, and in which tone it is drawn.
Toned = tuple[str, str]
# Up to so many cells, agents are shown by two letters each.
_TWO_LETTERS = 9
# A word of so many letters is rather cut than left out: a path.
_LONG_WORD = 24
# One title of so many may be cut, of those that somebody comes to see.
_CUT_AT_MOST, _LOOKED_AT = 10, 500
# What a tone takes of the theme: a variable, how much of it, and whether it is bold. They are no
# component classes, of which each costs a pass of the stylesheet in every widget.
_TONES: Mapping[str, tuple[str, float, bool]] = {
    "plain": ("foreground", 1.0, False),
    "dim": ("dim", 1.0, False),
    "strong": ("foreground", 1.0, True),
    "good": ("success", 1.0, False),
    "warn": ("warning", 1.0, False),
    "bad": ("error", 1.0, True),
    "title": ("accent", 1.0, True),
    "accent": ("accent", 1.0, False),
    # What has the keys, or is where one is.
    "here": ("accent", 1.0, True),
    "cursor": ("foreground", 1.0, True),
}
TONES = frozenset(_TONES)
# What stands in a place until it is read, and where it cannot be.
READING = "reading…"
UNREAD = "could not be read: {screen.problems} says why"
_COLOURS = ("foreground", "background", "dim", "cursor", "success", "warning", "error", "accent")
_NAMES = (*_COLOURS, "dim-style", "here-style", "cursor-style")
_in_force: tuple[dict[str, str], dict[str, Style]] = ({}, {})


def style_of(widget: Widget, tone: str) -> Style:
    """How a tone looks under the theme in force."""
    global _in_force
    variables = widget.app.theme_variables
    # Another theme is another dict; looking into it for every piece of text costs more than that.
    if _in_force[0] is not variables:
        # Themes that are not ours lack some of these.
        named = tuple((name, variables.get(name) or VARIABLES[name]) for name in _NAMES)
        _in_force = (variables, _styles(named))
    return _in_force[1][tone]


@lru_cache(maxsize=8)
def _styles(variables: tuple[tuple[str, str], ...]) -> dict[str, Style]:
    values = dict(variables)
    colours = {name: Color.parse(values[name]) for name in _COLOURS}
    ground, styles = colours["background"], {}
    for tone, (name, share, is_bold) in _TONES.items():
        colour = colours[name]
        # A colour of the terminal's own cannot be mixed.
        if share < 1 and colour.ansi is None and ground.ansi is None:
            colour = ground.blend(colour, share)
        below = colours["cursor"] if tone == "cursor" else ground
        style = Style(color=colour.rich_color, bgcolor=below.rich_color, bold=is_bold)
        styles[tone] = style + Style.parse(values.get(f"{tone}-style", "none"))
    return styles


def row_style(widget: Widget, tone: str, *, is_cursor: bool) -> Style:
    """How a tone looks in a row of a list: under the cursor on the cursor's ground."""
    style = style_of(widget, tone)
    if not is_cursor:
        return style
    # Where there are no grounds of other colours, what marks the cursor's row is its style.
    cursor = style_of(widget, "cursor")
    is_dim = (
        False if cursor.reverse else None
    )  # in reverse, what is dim would have a ground of its own
    return style + Style(bgcolor=cursor.bgcolor, bold=True, reverse=cursor.reverse, dim=is_dim)


def strip_of(widget: Widget, spans: Sequence[tuple[str, str]], width: int) -> Strip:
    """One line of tones, filled to a width, or cut with an ellipsis."""
    segments = [Segment(text, style_of(widget, tone)) for text, tone in spans if text]
    strip = Strip(segments)
    if strip.cell_length > width > 1:
        cropped = strip.crop(0, width - 1)
        strip = Strip([*cropped, Segment("…", style_of(widget, "dim"))])
    return strip.adjust_cell_length(width, style_of(widget, "plain"))


def fit(text: str, width: int) -> str:
    """A text of just so many cells, with an ellipsis where it is cut."""
    if cell_len(text) <= width:
        return text + " " * (width - cell_len(text))
    return f"{set_cell_size(text, width - 1)}…" if width > 1 else set_cell_size(text, width)


def cut_behind_word(text: str, width: int) -> str:
    """A text of at most so many cells, cut behind a word where one ends not far before."""
    if cell_len(text) <= width:
        return text
    cut = fit(text.rstrip(), width - 1)
    if text[len(cut) - 1 :].startswith(" "):  # a word ends just there
        return f"{cut} "
    head, _, word = cut.rpartition(" ")
    head = head.rstrip(" ·")
    return f"{head}… " if head and len(word) < _LONG_WORD else f"{cut} "


def title_width(titles: Iterable[str]) -> int:
    """How wide a column must be so that at most a tenth of the titles that come first are cut."""
    widths = sorted(cell_len(title) + 1 for title in islice(titles, _LOOKED_AT))
    return widths[len(widths) - 1 - len(widths) // _CUT_AT_MOST] if widths else 0


def agents_text(flavors: Sequence[str], width: int) -> str:
    """The agents of a candidate, by two letters each where there is no room for their names."""
    names = " ".join(flavors)
    if width > _TWO_LETTERS and len(names) < width:
        return names
    short = [flavor[:2] for flavor in flavors]
    if 3 * len(short) <= width:
        return " ".join(short)
    # Each takes three cells, and so do the sign and the number of the others.
    shown = max(1, width // 3 - 1)
    return f"{' '.join(short[:shown])} +{len(short) - shown}"


def name_at(pieces: Sequence[tuple[str, str]], x: int) -> str:
    """What the piece of a line that is at a cell stands for; empty where it is for nothing."""
    for text, name in pieces:
        x -= cell_len(text)
        if x < 0:
            return name
    return ""


def cells_of(spans: Sequence[tuple[str, str]]) -> int:
    """How many cells the parts of a line take."""
    return sum(cell_len(text) for text, _ in spans)


def named(line: Sequence[Span], *, has_focus: bool) -> Sequence[Toned]:
    """A pane on one line, which has no frame: its name tells that it has the focus."""
    if not has_focus or not line:
        return line
    (name, _), *rest = line
    return [(name, "here"), *rest]


class Lines(Widget):
    """A few lines that fit their place, or are cut."""

    waiting = READING

    def key_of(self, action_id: str) -> str:
        """The key in force for an action."""
        return with_keys(f"{{{action_id}}}", getattr(self.app, "keymap", {}))

    def lines(self, width: int, height: int) -> Sequence[Sequence[Span | tuple[str, str]]]:
        """What is shown in a place of this size."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width, height = self.size
        shown = self.lines(width, height)
        return strip_of(self, shown[y] if y < len(shown) else (), width)
