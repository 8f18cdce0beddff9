"""The top line: which screen this is, and how far a sweep is."""

from __future__ import annotations

from rich.cells import cell_len
from textual.reactive import reactive

from helix_tui.text.human import clock
from helix_tui.tui.kit.lines import Lines
from helix_tui.tui.messages import SweepState

TABS = ("review", "sessions", "catalog", "memory")
_BAR = 12
_LEAST_SHARE = 0.01


class TopBar(Lines):
    """Names of the screens, the sample's label, and the running sweep."""

    place: reactive[str] = reactive("review")
    note: reactive[str] = reactive("")
    sweep: reactive[SweepState | None] = reactive(None)

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The line."""
        places = TABS if self.place in TABS else (*TABS, self.place)
        left: list[tuple[str, str]] = [(" helix", "title")]
        for place in places:
            left.append(("  ", "plain"))
            left.append((place, "accent" if place == self.place else "dim"))
        right = sweep_text(self.sweep, width) if self.sweep else ""
        note = self.note if not right else ""
        used = sum(cell_len(text) for text, _ in left)
        if used + cell_len(note) >= width:
            note = note.partition(",")[0]
        room = width - used - cell_len(right) - cell_len(note) - 1
        if room < 1 and right:
            return [[(" helix", "title"), ("  ", "plain"), (right, "accent")]]
        return [[*left, (" " * max(1, room), "plain"), (note, "warn"), (right, "accent")]]


def sweep_text(state: SweepState, width: int) -> str:
    """How far a sweep is: done, total, share and time left."""
    if not state.units_total:
        return "sweep looking for logs"
    text = f"sweep {state.units_done:,}/{state.units_total:,}"
    if state.is_stopping:
        return f"{text}  stopping…"
    share = state.bytes_done / state.bytes_total if state.bytes_total else 1.0
    share = min(1.0, max(0.0, share))
    if width >= 100:
        halves = round(share * _BAR * 2)
        full, half = divmod(halves, 2)
        bar = "━" * full + "╸" * half
        text += f" {bar}{'─' * (_BAR - len(bar))}"
    text += f" {share:.0%}"
    # What it would take by its first moments is no more than a guess.
    if _LEAST_SHARE <= share < 1 and state.seconds > 1:
        text += f"  {clock(state.seconds * (1 - share) / share)} left"
    return text
