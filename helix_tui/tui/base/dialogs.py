"""Questions that are answered by y or n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from helix_tui.text.human import wrap
from helix_tui.text.safe import safe, safe_line

_SHOWN_CHARACTERS = 4_000
# How wide a box is at most, one that is agreed to too, and what frame, padding and scrollbar take
# of that.
_WIDEST, _WIDEST_AGREED, _AROUND = 100, 140, 8
# How many lines a title has at most on a screen of less than so many.
_MOST_OF_TITLE, _HIGH = 2, 30


def _broken(line: str, label: int, room: int) -> list[str]:
    """A line on as many as it takes; what follows a label of so many cells stands beside it."""
    lines = wrap(" " * label + line[label:], room)
    return [line[:label] + lines[0][label:], *lines[1:]]


def _head(title: str, width: int, height: int) -> str:
    """A title for a box; on a low screen on two lines at most, so that the keys stay in sight."""
    lines = wrap(title, min(_WIDEST, width * 9 // 10) - _AROUND)
    if height >= _HIGH or len(lines) <= _MOST_OF_TITLE:
        return title
    kept = lines[:_MOST_OF_TITLE]
    return "\n".join([*kept[:-1], f"{kept[-1][:-1].rstrip()}…"])


def _hang(line: str) -> int:
    """How far the further lines of a line stand in: behind its indent, and a little more."""
    return min(len(line), len(line) - len(line.lstrip()) + 2)


class QuestionScreen(ModalScreen[bool]):
    """Asks something that y or n answers; escape is n."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes", priority=True),
        Binding("n", "answer(False)", "no", priority=True),
        Binding("escape,q", "leave", "leave", priority=True),
        Binding("j,down", "scroll(1)", "down", show=False),
        Binding("k,up", "scroll(-1)", "up", show=False),
    ]

    def __init__(
        self, question: str, lines: Sequence[str] = (), *, yes: str = "", no: str = ""
    ) -> None:
        """Where `no` says what n does, escape does neither: the answer is None."""
        super().__init__()
        self._question = safe_line(question, 300)
        self._keys = f"y {yes or 'yes'}   n {no or 'no'}" + ("   esc neither" if no else "")
        self._has_third = bool(no)
        self._said = [safe(line[:_SHOWN_CHARACTERS]) for line in lines]

    def compose(self) -> ComposeResult:
        """The question over what it is about."""
        with Vertical(id="question"):
            yield Static(_head(self._question, *self.app.size), id="question-title", markup=False)
            if self._said:
                with VerticalScroll(id="question-text"):
                    yield Static("\n".join(self._said), markup=False)
            yield Static(self._keys, id="question-keys", markup=False)

    def action_answer(self, is_yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(is_yes)

    def action_leave(self) -> None:
        """No, or where that is an answer of its own, none."""
        self.dismiss(None if self._has_third else False)

    def action_scroll(self, by: int) -> None:
        """Move in a long text."""
        for text in self.query(VerticalScroll):
            text.scroll_relative(y=by, animate=False)


class TextScreen(ModalScreen[None]):
    """Some lines over what is below, until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,i,enter,h", "dismiss", "close", priority=True),
        Binding("j,down", "scroll(1)", "down", priority=True),
        Binding("k,up", "scroll(-1)", "up", priority=True),
    ]

    def __init__(self, title: str, lines: Sequence[str], label: int = 0) -> None:
        """What follows a label of so many cells stands beside it, on further lines too."""
        super().__init__()
        self._title = safe_line(title, 300)
        self._said = [safe(line[:_SHOWN_CHARACTERS]) for line in lines]
        self._label = label

    def compose(self) -> ComposeResult:
        """The title over the lines."""
        with Vertical(id="question"):
            yield Static(_head(self._title, *self.app.size), id="question-title", markup=False)
            with VerticalScroll(id="question-text"):
                yield Static(self._text(), markup=False)
            yield Static("esc closes   j k scroll", id="question-keys", markup=False)

    def _text(self) -> str:
        room = min(_WIDEST, self.app.size.width * 9 // 10) - _AROUND
        return "\n".join(part for line in self._said for part in _broken(line, self._label, room))

    def on_resize(self) -> None:
        """Break lines for the new width."""
        for text in self.query("#question-text Static").results(Static):
            text.update(self._text())

    def action_scroll(self, by: int) -> None:
        """Move in a long text."""
        for text in self.query(VerticalScroll):
            text.scroll_relative(y=by, animate=False)


class AgreeScreen(ModalScreen[bool]):
    """Some lines that somebody reads before enter carries them out; escape does nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "agree", "agree", priority=True),
        Binding("escape,q,h", "leave", "leave", priority=True),
        Binding("j,down", "scroll(1)", "down", priority=True),
        Binding("k,up", "scroll(-1)", "up", priority=True),
        Binding("pagedown,space", "scroll(12)", "page down", priority=True),
        Binding("pageup", "scroll(-12)", "page up", priority=True),
    ]

    def __init__(self, title: str, lines: Sequence[str], does: str) -> None:
        """Without anything that enter `does` it only closes."""
        super().__init__()
        self._title = safe_line(title, 300)
        self._said = [safe(line[:_SHOWN_CHARACTERS]) for line in lines]
        self._does = does

    def compose(self) -> ComposeResult:
        """The title over the lines."""
        agree = f"enter {self._does}   esc leaves it" if self._does else "esc closes"
        with Vertical(id="question"):
            yield Static(_head(self._title, *self.app.size), id="question-title", markup=False)
            with VerticalScroll(id="question-text"):
                yield Static(self._text(), markup=False)
            yield Static(f"{agree}   j k scroll", id="question-keys", markup=False)

    def _text(self) -> str:
        room = min(_WIDEST_AGREED, self.app.size.width * 9 // 10) - _AROUND
        return "\n".join(part for line in self._said for part in _broken(line, _hang(line), room))

    def on_resize(self) -> None:
        """Break lines for the new width."""
        for text in self.query("#question-text Static").results(Static):
            text.update(self._text())

    def action_agree(self) -> None:
        """Carry it out."""
        self.dismiss(bool(self._does))

    def action_leave(self) -> None:
        """Leave it."""
        self.dismiss(False)

    def action_scroll(self, by: int) -> None:
        """Move in a long text."""
        for text in self.query(VerticalScroll):
            text.scroll_relative(y=by, animate=False)
