"""What all screens share: top line and footer, keys by the registry, the running sweep."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.cache import LRUCache
from textual.notifications import SeverityLevel
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import BY_ID, Action, actions_of, with_keys
from helix_tui.tui.base.dialogs import AgreeScreen, QuestionScreen
from helix_tui.tui.base.verdicts_and_undo import VerdictQueue
from helix_tui.tui.jobs import Jobs
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.excerpt import Occurrence
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.lines import UNREAD, Lines
from helix_tui.tui.kit.prompt import Prompt
from helix_tui.tui.kit.thread import Thread
from helix_tui.tui.kit.topbar import TopBar
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import JobFailed, SourceOpened, SweepEnded, SweepProgressed
from helix_tui.tui.preferences import Preferences
from helix_tui.tui.screens import new_screen, screen_class
from helix_tui.tui.themes import TITLES, next_theme

if TYPE_CHECKING:
    from helix_tui.schema.context import Told

# Keys that edit a text, or go about in it.
_MOVES = frozenset({"home", "end", "up", "down", "left", "right", "pageup", "pagedown"})
_TYPED = frozenset({"space", "enter", "backspace"}) | _MOVES
_SECONDS_TO_TYPE = 2.0


class Workstation(Protocol):
    """What screens may ask of the app."""

    jobs: Jobs
    deciding: VerdictQueue
    keymap: Mapping[str, tuple[str, ...]]
    clock: Callable[[], float]
    evidence: LRUCache[str, Sequence[Occurrence]]
    told: LRUCache[str, Told]
    preferences: Preferences

    def used(self, action_id: str) -> None:
        """Take note of what somebody does: a hint that says it is shown no more."""


@runtime_checkable
class Movable(Protocol):
    """A pane that keys move in."""

    @property
    def count(self) -> int:
        """How many lines it has."""

    def move(self, by: int) -> None:
        """By lines."""

    def move_page(self, by: int) -> None:
        """By pages."""

    def move_to(self, index: int) -> None:
        """To a line."""


def bindings_of(scope: str) -> list[Binding]:
    """The bindings of a screen; each has the action's id, by which the configuration remaps it.

    They are looked at before a key is handed to a widget, so that each key finds what the one
    before it did.
    """
    return [
        Binding(
            ",".join(action.keys), f"do('{action.id}')", action.name, id=action.id, priority=True
        )
        for action in actions_of(scope)
        if action.keys
    ]


class HelixScreen(Screen[None]):
    """A screen of the workstation.

    A subclass says its SCOPE, composes its body, and has a method `action_<does>` for every
    action of the registry that it carries out. `refusal` says why one does nothing now.
    """

    SCOPE: ClassVar[str] = ""
    # Words of the bottom line that are others here; empty leaves an action out of it.
    FOOTER: ClassVar[Mapping[str, str]] = {}
    AUTO_FOCUS: ClassVar[str | None] = None
    # On a narrow screen a toast is a line over the lower edge, not a box over what is read.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual's
    # Nothing of its own is drawn behind the panes.
    BLANK = True
    # Who gets the keys draws itself: Textual would draw the whole screen.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init_subclass__(cls, **options: Any) -> None:
        if cls.SCOPE:
            cls.BINDINGS = [*bindings_of(cls.SCOPE)]
        super().__init_subclass__(**options)

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__()
        self.row = row
        self.at = at
        self._is_text_key = self._is_text_move = False

    @property
    def station(self) -> Workstation:
        """The app, as far as screens are concerned."""
        return cast("Workstation", self.app)

    @property
    def jobs(self) -> Jobs:
        """Where jobs are asked for."""
        return self.station.jobs

    def compose(self) -> ComposeResult:
        """Top line, body, prompt, footer."""
        yield TopBar()
        yield from self.compose_body()
        yield Thread()
        yield Prompt()
        yield self.footer()

    def footer(self) -> KeyFooter:
        """The bottom line."""
        return KeyFooter(
            self.SCOPE, self.station.keymap, self.refusal, self.FOOTER, now=self.footer_word
        )

    def footer_word(self, action: Action) -> str:
        """What the bottom line calls an action now."""
        return action.footer

    def compose_body(self) -> ComposeResult:
        """What the screen is about."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Show where we are, and a sweep that runs already.

        Textual calls the `on_mount` of every class: a subclass must not call this one.
        """
        bar = self.query_one(TopBar)
        bar.place = self.SCOPE
        bar.sweep = self.jobs.sweep_state
        self.jobs.listen(self)
        if self.jobs.connection is not None:
            self.show_source()

    def on_unmount(self) -> None:
        """Nobody is to be told any more."""
        self.jobs.unlisten(self)

    def show_source(self) -> None:
        """Say what of a person's own is not shown."""
        connection = self.jobs.connection
        if connection is not None and connection.is_sample:
            self.query_one(TopBar).note = "bundled sample, not your logs "

    @on(SourceOpened)
    def _label_source(self) -> None:
        self.show_source()

    @on(JobFailed)
    def _on_job_failed(self) -> None:
        message = self.with_keys(UNREAD)
        for pane in (*self.query(VirtualList), *self.query(Lines)):
            pane.waiting = message
            pane.refresh()
        self.unread()

    def unread(self) -> None:
        """Something that was asked for could not be read: nothing waits for it any more."""

    @on(SweepProgressed)
    def _show_sweep(self, event: SweepProgressed) -> None:
        self.query_one(TopBar).sweep = self.jobs.sweep_state and event.state
        self.keys_changed()

    @on(SweepEnded)
    def _hide_sweep(self) -> None:
        self.query_one(TopBar).sweep = None
        self.keys_changed()

    def with_keys(self, text: str) -> str:
        """A sentence of ours with the keys in force for the actions that it names."""
        return with_keys(text, self.station.keymap)

    def say(self, text: str, *, severity: SeverityLevel = "information", seconds: int = 4) -> None:
        """A sentence of ours in a corner, with the keys in force; foreign text in it is safe."""
        self.notify(self.with_keys(text), severity=severity, timeout=seconds, markup=False)

    def ask(
        self,
        question: QuestionScreen | AgreeScreen,
        answered: Callable[[bool | None], None] | Callable[[bool | None], Awaitable[None]],
    ) -> None:
        """Ask something that a key answers; toasts would lie over it."""
        self.app.clear_notifications()
        self.app.push_screen(question, answered)

    def keys_changed(self) -> None:
        """Draw the footer again, since what keys can do has changed."""
        self.query_one(KeyFooter).refresh()

    def refusal(self, action: Action) -> str:
        """Why an action does nothing now; empty where it does something."""
        if action.opens and action.opens == self.SCOPE:
            return f"This is the {action.opens} screen."
        if action.id == "sweep.start" and self.jobs.is_sweeping:
            return self.with_keys("A sweep is running already; {sweep.stop} stops it.")
        if action.id == "sweep.stop" and not self.jobs.is_sweeping:
            return "No sweep is running."
        return ""

    def take_key(self, event: events.Key) -> bool:
        """Take a key before all others: what is typed into the prompt is no command."""
        self._is_text_key = event.is_printable or event.key in _TYPED
        self._is_text_move = event.key in _MOVES
        return self.query_one(Prompt).take_key(event)

    async def let_type(self) -> bool:
        """Before a key that is no text: lets a text take in what was typed before it.

        A text has a queue of its own, which a command would overtake: what was typed last would
        not be in what is approved. Returns whether the key moves in the text: Textual would let
        what is typed next overtake that.
        """
        text = self.focused
        is_text = self._is_text_key and not self._is_text_move
        if text is None or is_text or not self.is_typing():
            return False
        is_taken = asyncio.Event()
        text.call_later(is_taken.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(is_taken.wait(), _SECONDS_TO_TYPE)
        return self._is_text_move

    def take_paste(self, text: str) -> bool:
        """Take pasted text into the prompt, where that is open."""
        prompt = self.query_one(Prompt)
        if prompt.is_open:
            prompt.insert(text)
        return prompt.is_open

    def is_typing(self) -> bool:
        """Whether a text has the focus, which letters are then for."""
        # A text that has the focus has been loaded; nothing is loaded to find that there is none.
        texts = ("textual.widgets._input", "textual.widgets._text_area")
        return any(kind.__module__ in texts for kind in type(self.focused).__mro__)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A letter is a text's while somebody types one; keys that are none stay commands."""
        if action == "do" and self._is_text_key and self.is_typing():
            return False
        return super().check_action(action, parameters)

    async def action_do(self, action_id: str) -> None:
        """Carry out an action of the registry, or say why not: every key comes through here."""
        action = BY_ID[action_id]
        reason = self.refusal(action)
        if reason:
            self.notify(reason, severity="warning", timeout=4, markup=False)
            return
        if action.opens:
            self.open_screen(action.opens)
        else:
            await self.run_action(action.does)
        self.station.used(action.id)

    @on(KeyFooter.Chosen)
    async def _on_footer(self, event: KeyFooter.Chosen) -> None:
        await self.action_do(event.action_id)

    @on(TopBar.Chosen)
    def _on_tab(self, event: TopBar.Chosen) -> None:
        if event.name != self.SCOPE:
            self.open_screen(event.name)

    def open_screen(self, name: str) -> None:
        """Open a screen on what is under the cursor, or go back to it where it is open."""
        stack = self.app.screen_stack
        scopes = [screen.SCOPE if isinstance(screen, HelixScreen) else "" for screen in stack]
        if name in scopes:
            for _ in range(len(stack) - 1 - scopes.index(name)):
                self.app.pop_screen()
            return
        self.app.push_screen(screen_class(name)(*self.subject()))

    def push(self, name: str, **options: Any) -> None:
        """Open a screen with options of its own, such as the session that it is about."""
        self.app.push_screen(new_screen(name, **options))

    def subject(self) -> tuple[ReviewRow | None, int]:
        """What a screen that is opened from here is about: a candidate and its occurrence."""
        return self.row, self.at

    def moving(self) -> Movable | None:
        """What cursor keys move in: the focused pane."""
        return self.focused if isinstance(self.focused, Movable) else None

    def action_down(self) -> None:
        """The next line."""
        if (pane := self.moving()) is not None:
            pane.move(1)

    def action_up(self) -> None:
        """The line before."""
        if (pane := self.moving()) is not None:
            pane.move(-1)

    def action_first(self) -> None:
        """The first line."""
        if (pane := self.moving()) is not None:
            pane.move_to(0)

    def action_last(self) -> None:
        """The last line."""
        if (pane := self.moving()) is not None:
            pane.move_to(pane.count - 1)

    def action_page_down(self) -> None:
        """A page down."""
        if (pane := self.moving()) is not None:
            pane.move_page(1)

    def action_page_up(self) -> None:
        """A page up."""
        if (pane := self.moving()) is not None:
            pane.move_page(-1)

    def action_next_pane(self) -> None:
        """Focus the next pane."""
        self.focus_next()

    def action_previous_pane(self) -> None:
        """Focus the pane before."""
        self.focus_previous()

    def action_leave(self) -> None:
        """Out of this screen."""
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()

    def action_start_sweep(self) -> None:
        """Take in what is new."""
        if reason := self.jobs.start_sweep():
            self.notify(safe_line(reason, 300), severity="warning", markup=False)

    def action_stop_sweep(self) -> None:
        """Let the sweep end in order."""
        self.jobs.stop_sweep()
        self.query_one(TopBar).sweep = self.jobs.sweep_state

    def action_commands(self) -> None:
        """Every action by its name."""
        self.app.action_command_palette()

    def action_theme(self) -> None:
        """The next theme."""
        self.app.theme = next_theme(self.app.theme)
        self.notify(f"Theme: {TITLES[self.app.theme]}.", timeout=2, markup=False)

    def action_jump(self) -> None:
        """To any widget by a letter."""
        self.app.push_screen(new_screen("jump", below=self), self._jump_to)

    def _jump_to(self, widget: Widget | None) -> None:
        if widget is not None and widget.is_attached:
            widget.focus()

    async def action_quit(self) -> None:
        """Leave the workstation."""
        await self.app.action_quit()
