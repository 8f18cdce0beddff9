"""Figures and plain text as people read them; every screen and every command uses these.

Nothing here makes foreign text safe: that is `safe.py`, and comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix_tui.schema import Cost

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_BARS = " ▁▂▃▄▅▆▇█"
_NARROWEST = 8
_EIGHTHS = " ▏▎▍▌▋▊▉"
_ALL_BUT_SURE = 0.99


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def compact(count: int) -> str:
    """A count in a few characters: 4.1k, 41k, 1.2M."""
    for limit, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= limit:
            size = count / limit
            return f"{size:.1f}{unit}" if size < 9.95 else f"{size:.0f}{unit}"
    return str(count)


def human_usd(cost: Cost) -> str:
    """A cost in dollars; `≥` where some of its tokens have no price, `-` where none has one."""
    if cost.usd_priced is None:
        return "-"
    least = "≥ " if cost.unpriced_tokens else ""
    is_tiny = 0 < cost.usd_priced < 0.005
    return f"{least}{'<$0.01' if is_tiny else f'${cost.usd_priced:,.2f}'}"


def human_bytes(count: int) -> str:
    """A size in bytes, with one decimal."""
    size, unit = _in_unit(count, 1024)
    return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"


def short_bytes(count: int) -> str:
    """A size in bytes, in at most three digits."""
    size, unit = _in_unit(count, 1000)
    return f"{size:.0f} {unit}" if size >= 9.95 or unit == "B" else f"{size:.1f} {unit}"


def _in_unit(count: int, limit: int) -> tuple[float, str]:
    """A size in the first unit in which it is below a limit, or else in the largest."""
    size = float(count)
    for unit in _UNITS[:-1]:
        if size < limit:
            return size, unit
        size /= 1024
    return size, _UNITS[-1]


def duration(seconds: float) -> str:
    """How long something took, in a few characters."""
    if seconds < 100:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    if seconds < 100 * _MINUTE:
        return f"{seconds / _MINUTE:.0f} min"
    hours = seconds / _HOUR
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.0f} days"


def ago(seconds: float) -> str:
    """How long ago something was, roughly."""
    if seconds < _MINUTE:
        return "just now"
    for limit, size, unit in ((_HOUR, _MINUTE, "min"), (_DAY, _HOUR, "h")):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{seconds / _DAY:.0f} d ago"


def clock(seconds: float) -> str:
    """The time that is left, as minutes and seconds, or hours."""
    whole = int(seconds)
    if whole >= _HOUR:
        return f"{whole // _HOUR}:{whole % _HOUR // 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


def gauge(value: int, limit: int, mark: int | None = None, width: int = 20) -> str:
    """A bar of so many cells in eighths, where `┊` shows a lesser limit."""
    share = min(1.0, value / limit) if limit > 0 else 1.0
    eighths = round(share * width * 8)
    if value > 0:
        eighths = max(eighths, 1)
    full, rest = divmod(eighths, 8)
    bar = ["█"] * full + ([_EIGHTHS[rest]] if rest else [])
    bar += ["·"] * (width - len(bar))
    if mark is not None and limit > 0:
        at = min(width - 1, int(mark / limit * width))
        if at >= full + bool(rest):
            bar[at] = "┊"
    return f"▕{''.join(bar)}▏"


def bar(part: float, width: int) -> str:
    """A bar of so many cells in eighths; what is more than nothing can be seen."""
    eighths = round(min(1.0, max(0.0, part)) * width * 8)
    full, rest = divmod(max(eighths, 1) if part > 0 else 0, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)


def human_chance(chance: float) -> str:
    """A probability in whole per cent; what is all but sure is never told as certain."""
    if chance > _ALL_BUT_SURE:
        return "over 99%"
    return f"{chance:.0%}" if chance >= 1 - _ALL_BUT_SURE else "under 1%"


def sparkline(counts: Sequence[int], most: int = 8) -> str:
    """The last counts as bars of one cell each; nothing where all of them are 0."""
    counts = counts[-most:]
    top = max(counts, default=0)
    if not top:
        return ""
    return "".join(_BARS[-(-count * 8 // top)] for count in counts)


def fit_widths(natural: Sequence[int], flexible: Sequence[int], room: int) -> list[int]:
    """Column widths for a room: the widest flexible column gives way first."""
    widths = list(natural)
    while flexible and sum(widths) > room:
        widest = max(flexible, key=lambda number: widths[number])
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
    return widths


def wrap(text: str, width: int) -> list[str]:
    """One line of safe text as lines of at most so many cells, broken at blanks.

    A word is cut where no line has room for it. What follows an indent or the sign of a list item
    stands under its first word.
    """
    from rich.cells import cell_len, chop_cells

    if len(text) <= width and text.isascii():
        return [text]
    width = max(1, width)
    is_narrow = text.isascii() or cell_len(text) == len(text)
    bare = text.lstrip(" ")
    indent = len(text) - len(bare) + 2 * bare.startswith(("- ", "* "))
    hang = " " * min(indent, width // 2)
    lines: list[str] = []
    start, lead, room = 0, "", width
    while True:
        stop = start + room
        if not is_narrow:
            # Some characters take no cell. One too wide for the room is drawn all the same.
            head = chop_cells(text[start : start + 4 * room + 4], room)[0]
            stop = start + max(1, len(head))
        if stop >= len(text):
            break
        if text[stop] != " ":
            stop = _break_before(text, start, stop, width - len(hang)) or stop
        lines.append(f"{lead}{text[start:stop].rstrip(' ')}")
        start = stop
        while text[start : start + 1] == " ":
            start += 1
        lead, room = hang, width - len(hang)
    # Blanks at the end of a text need no line of their own.
    return [*lines, f"{lead}{text[start:]}"] if text[start:] or not lines else lines


def _break_before(text: str, start: int, stop: int, room: int) -> int:
    """The last blank before a word that would be cut, or 0 where it is better to cut it."""
    blank = text.rfind(" ", start, stop)
    if blank < 0 or not text[start:blank].strip(" "):
        return 0
    end = text.find(" ", blank + 1, blank + room + 2)
    is_too_long = end < 0 and len(text) - blank - 1 > room
    # A word that has to be cut anyway does not leave most of a line empty.
    return 0 if is_too_long and blank - start <= (stop - start) // 2 else blank
