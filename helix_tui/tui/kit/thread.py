"""The thread of notes, above the line in which one is typed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from helix_tui.text.human import wrap
from helix_tui.tui.kit.lines import Lines, Toned

_MOST = 12


class Thread(Lines):
    """Shows a few lines while something is asked; the newest stay in sight."""

    def __init__(self) -> None:
        super().__init__(classes="-closed")
        self._title = ""
        self._said: Sequence[Sequence[Toned]] = ()

    def open(self, title: str, lines: Sequence[Sequence[Toned]]) -> None:
        """Show a thread, in as many lines as it takes."""
        self._title, self._said = title, lines
        self.remove_class("-closed")
        self._fit()

    def close(self) -> None:
        """Put the thread away."""
        self.add_class("-closed")

    def on_resize(self) -> None:
        """Other widths take other heights."""
        self._fit()

    def _fit(self) -> None:
        width = self.app.size.width
        room = max(1, min(_MOST, self.app.size.height // 2))
        self.styles.height = min(room, len(self._wrapped(width))) + 1

    def lines(self, width: int, height: int) -> list[list[Toned]]:
        """The title, then what fits of the end."""
        label = f"── {self._title} "
        if cell_len(label) > width - 2:
            label = f"{wrap(label, width - 4)[0]}… "
        title: list[Toned] = [(label, "title"), ("─" * max(0, width - cell_len(label)), "dim")]
        note_lines = self._wrapped(width)
        room = max(0, height - 1)
        if len(note_lines) > room:
            note_lines = [
                [(f"… {len(note_lines) - room + 1} lines before", "dim")],
                *note_lines[-room + 1 :],
            ]
        return [title, *note_lines[:room]]

    def _wrapped(self, width: int) -> list[list[Toned]]:
        lines: list[list[Toned]] = []
        for spans in self._said:
            *head, (text, tone) = spans
            indent = sum(cell_len(piece_text) for piece_text, _ in head)
            if indent > width // 2:
                head, indent = [], 0
                text = "".join(piece_text for piece_text, _ in spans)
            pieces = wrap(text, max(8, width - indent - 2))
            lines.append([(" ", "plain"), *head, (pieces[0], tone)])
            lines += [[(" " * (indent + 1), "plain"), (piece, tone)] for piece in pieces[1:]]
        return lines
