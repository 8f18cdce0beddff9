"""The top line: which screen this is, and how far a sweep is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.reactive import reactive

from helix_tui.text.human import clock
from helix_tui.tui.actions import ACTIONS
from helix_tui.tui.kit.lines import Lines, cells_of, name_at
from helix_tui.tui.messages import SweepState

# The screens that stand in the top line, in the order of their keys.
TABS = tuple(
    (action.opens, action.id)
    for action in ACTIONS
    if action.opens and any(re.fullmatch(r"f\d+", key) for key in action.keys)
    if action.opens != "help"
)
# A piece of the line, its tone, and the screen that it stands for.
Tab = tuple[str, str, str]
_BAR = 12
# What keeps the screens apart from what stands behind them, where something does.
_GAP = 2
_LEAST_SHARE = 0.01


# The screens of every day keep their names the longest.
_NAMED_LONGEST = 4


class TopBar(Lines):
    """Names of the screens, the sample's label, and the running sweep."""

    class Chosen(Message):
        """The name of a screen was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    _shown: Sequence[Tab] = ()
    place: reactive[str] = reactive("review")
    note: reactive[str] = reactive("")
    sweep: reactive[SweepState | None] = reactive(None)

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The line: screens with their keys, in as many words as there is room for."""
        right = sweep_text(self.sweep, width) if self.sweep else ""
        notes = dict.fromkeys([self.note, self.note.partition(",")[0]] if not right else [""])
        for tabs, note in ((tabs, note) for tabs in self._tabs() for note in notes):
            left = [(text, tone) for text, tone, _ in tabs]
            room = width - cells_of(left) - cell_len(right) - cell_len(note) - 1
            if room >= (_GAP if note or right.strip() else 1):
                self._shown = tabs
                return [[*left, (" " * room, "plain"), (note, "warn"), (right, "accent")]]
        self._shown = [(" helix", "title", "review"), ("  ", "plain", "")]
        return [[(" helix", "title"), ("  ", "plain"), (right, "accent")]]

    def _tabs(self) -> Iterator[list[Tab]]:
        """The tabs, whole at first; then fewer names, at last that of the screen one is on."""
        keys = [(name, self.key_of(action)) for name, action in TABS]
        others = [] if self.place in ("review", *dict(keys)) else [(self.place, "")]
        first = [name for name, _ in keys[:_NAMED_LONGEST]]
        every = [name for name, _ in keys]
        for gap, named in (("  ", every), (" ", every), ("  ", first), (" ", first), ("  ", [])):
            tabs: list[Tab] = [(" helix", "title", "review")]
            for name, key in [("review", ""), *keys, *others]:
                is_here = name == self.place
                has_name = name in named or is_here
                tabs.append((gap, "plain", ""))
                if key:
                    tabs.append((f"{key} " if has_name else key, "dim", name))
                if has_name or not key:
                    tabs.append((name, "here" if is_here else "plain", name))
            yield tabs

    def on_click(self, event: events.Click) -> None:
        """Open the screen whose name is under the mouse."""
        if (name := name_at([(text, name) for text, _, name in self._shown], event.x)) != "":
            self.post_message(self.Chosen(name))


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
