"""A transcript of any length: a line for each event, which unfolds; read where it is looked at."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.message import Message
from textual.strip import Strip

from helix_tui.tui.kit.lines import Span, fit, row_style
from helix_tui.tui.kit.transcript_rows import TranscriptRow, is_foldable, wrapped
from helix_tui.tui.kit.virtual_list import VirtualList

SLICE = 64
_Cell = Callable[..., Segment]
_KEPT_SLICES = 48
_AT = 9
# Names of tools are cut on narrow screens.
_WIDER, _WIDE = 140, 100
_LONG_WHO, _WHO, _SHORT_WHO = 24, 14, 11
_INDENT = 4
# So many neighbours of the event that counts are unfolded with it, where they are short.
_AROUND = (-3, 5)
_SHORT, _LONG = 12, 60
_PLUMBING = ("system", "other", "compacted")


def _standing_out(segment: Segment, words: str) -> list[Segment]:
    """A piece of a line in which words are shown in reverse, so that no colour is needed."""
    text, style = segment.text, segment.style or Style()
    low = text.lower()
    at = low.find(words)
    if at < 0 or len(low) != len(text):
        return [segment]
    parts, done = [], 0
    while at >= 0:
        parts.append(Segment(text[done:at], style))
        done = at + len(words)
        # Where the row is in reverse already, they are not.
        parts.append(Segment(text[at:done], style + Style(reverse=not style.reverse)))
        at = low.find(words, done)
    return [*parts, Segment(text[done:], style)]


class TranscriptList(VirtualList):
    """Events by number; the one that counts is marked."""

    class SliceWanted(Message):
        """Events came into sight that are not read yet."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._slices: LRUCache[int, Sequence[TranscriptRow]] = LRUCache(_KEPT_SLICES)
        self._asked: set[int] = set()
        self._events = 0
        self._marked: int | None = None
        self._open: list[int] = []
        self._bodies: dict[int, list[Span]] = {}
        self._pieces: dict[int, TranscriptRow] = {}
        self._ends: list[int] = []
        self._said: list[str] = ["", "  reading…"]
        self._words = ""
        self._version = 0

    @property
    def empty_lines(self) -> list[str]:
        """What is being done, or why there is nothing."""
        return self._said

    @property
    def current(self) -> int | None:
        """The number of the event under the cursor."""
        return self._event_at(self.cursor)[0] if self._events else None

    @property
    def marked(self) -> int | None:
        """The number of the event that counts."""
        return self._marked

    def say(self, lines: list[str]) -> None:
        """Show lines in place of events."""
        self._begin(0, None)
        self._said = ["", *(f"  {line}" for line in lines)]
        self.rows_changed(0, 0)

    def show(
        self, events: int, marked: int | None, slices: Mapping[int, Sequence[TranscriptRow]]
    ) -> None:
        """Show a transcript, at the event that counts where there is one."""
        self._begin(events, marked)
        for number, pieces in slices.items():
            self._slices[number] = pieces
        if marked is not None:
            self._unfold_around(marked)
        self.rows_changed(self._rows(), self._row_of(marked or 0))
        self.show_marked()

    def take(self, number: int, pieces: Sequence[TranscriptRow]) -> None:
        """Take in events that were asked for."""
        self._asked.discard(number)
        self._slices[number] = pieces
        self._version += 1
        self.refresh()

    def piece(self, event: int) -> TranscriptRow | None:
        """An event; None while it is not read."""
        if event in self._pieces:
            return self._pieces[event]
        pieces = self._slices.get(event // SLICE)
        at = event % SLICE
        return pieces[at] if pieces is not None and at < len(pieces) else None

    def is_folded(self, event: int) -> bool:
        """Whether only one line of an event is shown."""
        return event not in self._bodies

    def toggle(self) -> bool:
        """Unfold the event under the cursor, or fold it; say whether there was something to."""
        event = self.current
        if event is None:
            return False
        if event in self._bodies:
            self._fold(event)
        elif not self._unfold(event, None):
            return False
        row = self._row_of(event)
        self.rows_changed(self._rows(), row)
        height = self.scrollable_content_region.height
        end = row + min(len(self._bodies.get(event, ())), height - 1)
        if end >= int(self.scroll_offset.y) + height:
            # What was unfolded is seen, as much of it as there is room for.
            self.scroll_to(y=end - height + 1, animate=False, force=True, immediate=True)
        return True

    def show_marked(self) -> None:
        """To the event that counts, or to the first."""
        if self._marked is None:
            self.scroll_home(animate=False, immediate=True)
        else:
            self.go_to(self._marked)

    def mark_words(self, words: str) -> None:
        """Let words stand out wherever they are seen; none for an empty text."""
        self._words = words.lower()
        self._version += 1
        self.refresh()

    def unfold(self, event: int) -> None:
        """Show all of an event."""
        if self._unfold(event, None):
            self.rows_changed(self._rows(), self._row_of(event))

    def go_to(self, event: int) -> None:
        """Put the cursor on an event, with what led to it in sight above."""
        row = self._row_of(event)
        self.move_to(row)
        height = self.scrollable_content_region.height
        self.scroll_to(y=max(0, row - height // 3), animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """Break what is unfolded for the new width, the cursor on its event."""
        event = self.current
        if event is None:
            return
        for number in self._open:
            self._bodies[number] = wrapped(self._pieces[number], self._text_width)
        self._count_ends()
        if self._marked is not None:
            self._unfold(self._marked, _LONG)
        self.rows_changed(self._rows(), self._row_of(event))

    def watch_show_vertical_scrollbar(self) -> None:
        """A scrollbar that comes or goes changes the width too, of which no resize tells."""
        self.on_resize()

    # Which row is which event

    @property
    def _text_width(self) -> int:
        return max(20, self.scrollable_content_region.width - _INDENT - 3)

    @property
    def _room(self) -> int:
        return max(10, self.scrollable_content_region.width - 2 - _AT - self._who_width - 3)

    @property
    def _who_width(self) -> int:
        width = self.scrollable_content_region.width
        return _LONG_WHO if width >= _WIDER else _WHO if width >= _WIDE else _SHORT_WHO

    def _begin(self, events: int, marked: int | None) -> None:
        self._events, self._marked = events, marked
        self._slices.clear()
        self._asked.clear()
        self._open, self._bodies, self._pieces, self._ends = [], {}, {}, []
        self._version += 1

    def _rows(self) -> int:
        return self._events + (self._ends[-1] if self._ends else 0)

    def _count_ends(self) -> None:
        self._ends = list(accumulate(len(self._bodies[event]) for event in self._open))
        self._version += 1

    def _row_of(self, event: int) -> int:
        before = bisect_right(self._open, event - 1)
        return event + (self._ends[before - 1] if before else 0)

    def _event_at(self, row: int) -> tuple[int, int]:
        """The event that a row belongs to, and which line of it: 0 is its first."""
        low, high = 0, len(self._open)
        while low < high:
            middle = (low + high) // 2
            if self._row_of(self._open[middle]) <= row:
                low = middle + 1
            else:
                high = middle
        if not low:
            return row, 0
        event = self._open[low - 1]
        line = row - self._row_of(event)
        length = len(self._bodies[event])
        return (event, line) if line <= length else (event + line - length, 0)

    def _unfold(self, event: int, most: int | None) -> bool:
        piece = self.piece(event)
        if piece is None or event in self._bodies or not is_foldable(piece, self._room):
            return False
        lines = wrapped(piece, self._text_width)
        if most is not None and len(lines) > most:
            return False
        self._bodies[event], self._pieces[event] = lines, piece
        insort(self._open, event)
        self._count_ends()
        return True

    def _fold(self, event: int) -> None:
        del self._bodies[event], self._pieces[event]
        self._open.remove(event)
        self._count_ends()

    def _unfold_around(self, marked: int) -> None:
        low, high = _AROUND
        for event in range(max(0, marked + low), min(self._events, marked + high + 1)):
            piece = self.piece(event)
            if event == marked:
                self._unfold(event, _LONG)
            # What a call was given stands in its line already, unless it is a diff.
            elif piece and (piece.is_diff or (piece.sign != "▸" and piece.who not in _PLUMBING)):
                self._unfold(event, _SHORT)

    # Drawing

    def row_key(self, index: int) -> Hashable:
        """All rows are drawn anew when events came or were unfolded."""
        return index, self._version

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """A line of an event."""
        event, line = self._event_at(index)
        base = row_style(self, "plain", is_cursor=is_cursor)

        def cell(text: str, tone: str = "plain") -> Segment:
            return Segment(text, row_style(self, tone, is_cursor=is_cursor))

        is_marked = event == self._marked
        pointer = cell(">" if is_cursor else " ", "accent")
        piece = self.piece(event)
        if piece is None:
            self._want(event // SLICE)
            return Strip([pointer, cell(" …", "dim")]).adjust_cell_length(width, base)
        if line:
            text, tone = self._bodies[event][line - 1]
            bar = cell("┃" if is_marked else "│", "accent" if is_marked else "dim")
            segments = [pointer, cell(" " * (_INDENT - 2)), bar, cell(" "), cell(text, tone)]
        else:
            segments = [pointer, *self._head(event, piece, width - 1, cell)]
        if self._words:
            segments = [part for one in segments for part in _standing_out(one, self._words)]
        return Strip(segments).adjust_cell_length(width, base)

    def _head(self, event: int, piece: TranscriptRow, width: int, cell: _Cell) -> list[Segment]:
        is_marked = event == self._marked
        is_open = event in self._bodies
        folded = 0 if is_open or not is_foldable(piece, self._room) else len(piece.body)
        more = f" +{folded:,} lines" if folded > 1 else " …more" if folded else ""
        right = f"{more} {piece.price}".rstrip() + " " if more or piece.price else ""
        room = width - 1 - _AT - self._who_width - 2 - cell_len(right)
        # What is unfolded says it all below; a call's first words still tell what it is about.
        summary = "" if is_open and piece.sign != "▸" else piece.summary
        tone = "accent" if is_marked else piece.tone
        return [
            cell("◆" if is_marked else " ", "accent"),
            cell(f"{piece.at:<{_AT}}", "dim"),
            cell(f"{fit(piece.who, self._who_width - 1)} ", tone),
            cell(f"{piece.sign} ", piece.tone),
            cell(fit(summary, max(1, room)), "strong" if is_marked else piece.tone),
            cell(right, "dim"),
        ]

    def _want(self, number: int) -> None:
        if number not in self._asked:
            self._asked.add(number)
            self.post_message(self.SliceWanted(number))
