"""Help: every key by screen with what it does, made of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult

from helix_tui.text.human import wrap
from helix_tui.tui.actions import ACTIONS, EVERYWHERE, Action, keys_of, shown_key, with_keys
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.kit.candidate_row import STATE_SIGNS, VERDICT_SIGNS
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.kit.text_pane import Line, PagePane

if TYPE_CHECKING:
    from helix_tui.schema.candidate import CandidateState

_KEYS, _NAME = 16, 28
_NARROW = 100
_REMAP = (
    "Every key can be remapped under [keys] in config.toml by the action's name:",
    '    [keys]',
    '    "candidate.approve" = "ctrl+a"          one key',
    '    "verdict.undo" = ["u", "ctrl+z"]        or several',
    "`helix config check` tells of a key that would do two things.",
)  # fmt: skip
_STATES: dict[CandidateState, str] = {
    "new": "first seen within two weeks",
    "escalating": "twice as often as before",
    "regressed": "back after three quiet weeks",
    "quiet": "not seen for three weeks",
    "ongoing": "all else",
}
_LIST = (
    "Order: what was taught and did not help (again), what can be fixed (fix), then what is worth "
    "knowing (know); in each what two agents have in two sessions each (XX) before what two agents "
    "have (X), then by score.",
    "Score: how surely it recurs among all sessions, times what an occurrence takes, in thousands "
    "of tokens and minutes.",
    " · ".join(f"{state} {STATE_SIGNS[state]} {said}" for state, said in _STATES.items())
    + ". The bars are sessions by week.",
    "At the right edge: "
    + ", ".join(f"{sign} {name}" for name, sign in VERDICT_SIGNS.items() if sign.strip())
    + ", s skipped, ! changed since it was decided.",
)
_Keymap = Mapping[str, tuple[str, ...]]


class HelpScreen(HelixScreen):
    """What keys do: first on the screen that help was called from, then everywhere."""

    SCOPE: ClassVar[str] = "help"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.leave": "back", "sweep.start": "", "app.help": "",
        "cursor.page_down": "page down", "cursor.page_up": "page up",
    }  # fmt: skip

    def compose_body(self) -> ComposeResult:
        """One page."""
        yield PaneTitle("Help", id="help-title")
        yield PagePane(id="help")
        yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """The page can be shown at once: nothing is read for it."""
        self._wanted = ""
        self.query_one(PagePane).focus()
        self._show()

    def _below(self) -> str:
        stack = self.app.screen_stack
        screen = stack[-2] if len(stack) > 1 else None
        return screen.SCOPE if isinstance(screen, HelixScreen) else "review"

    def _show(self) -> None:
        scope, keymap, wanted = self._below(), self.station.keymap, self._wanted
        self.query_one(PagePane).show(lambda width: help_lines(scope, keymap, wanted, width))
        title = self.query_one("#help-title", PaneTitle)
        title.is_active = True
        keys = self.with_keys("{list.filter} narrows · {pane.leave} closes")
        title.detail = f"keys on {scope} first · {keys}"
        title.right = f"/{wanted}" if wanted else ""

    def action_filter(self) -> None:
        """Narrow the page as somebody types."""

        def narrow(text: str) -> None:
            self._wanted = text.strip()
            self._show()

        def keep(text: str) -> None:
            narrow(text)
            self.query_one(PagePane).focus()

        self.query_one(Prompt).ask(
            "/", keep, value=self._wanted, typed=narrow, cancelled=lambda: keep(""),
            hint=f"a key, a name or a word   {KEEPS_OR_CLEARS}",
        )  # fmt: skip

    def action_leave(self) -> None:
        """Clear what narrows the page, then leave."""
        if self._wanted:
            self._wanted = ""
            self._show()
            return
        super().action_leave()

    def moving(self) -> Movable:
        """There is only one pane."""
        return self.query_one(PagePane)


def sections(here: str) -> list[tuple[str, list[Action]]]:
    """Actions under headings: those of a screen, those of all, then of each other screen."""
    scopes = dict.fromkeys(scope for action in ACTIONS for scope in action.scope)
    other_scopes = [scope for scope in scopes if scope not in (here, EVERYWHERE)]
    listed = [here, EVERYWHERE, *other_scopes]
    named = [(scope, [bound for bound in ACTIONS if scope in bound.scope]) for scope in listed]
    return [(scope, actions) for scope, actions in named if actions]


def help_lines(here: str, keymap: _Keymap, wanted: str, width: int) -> list[Line]:
    """The page for a width; where something is wanted, what fits it alone."""
    lines: list[Line] = []
    word = wanted.casefold()
    for scope, actions in sections(here):
        shown = [
            candidate
            for candidate in actions
            if not word or word in _said(candidate, scope, keymap)
        ]
        if not shown:
            continue
        heading = "Everywhere" if scope == EVERYWHERE else f"On {scope}"
        lines += [[], [(f" {heading}", "title"), ("  here" if scope == here else "", "dim")]]
        for action in shown:
            lines += _action_lines(action, scope, keymap, width)
    if not lines:
        sentence = with_keys(
            "  No key fits. {list.filter} changes the filter, {pane.leave} clears it.", keymap
        )
        return [[], [(sentence, "dim")]]
    if not word:
        for heading, texts in ((" The list of candidates", _LIST), (" Remapping", _REMAP)):
            lines += [[], [(heading, "title")]]
            for text in texts:
                lines += [[("  ", "plain"), (piece, "plain")] for piece in wrap(text, width - 4)]
    return lines[1:] if lines and not lines[0] else lines


def _action_lines(action: Action, scope: str, keymap: _Keymap, width: int) -> list[Line]:
    keys = " ".join(map(shown_key, keys_of(action, keymap))) or with_keys("{app.commands}", keymap)
    is_narrow = width < _NARROW
    name = 0 if is_narrow else _NAME
    room = width - _KEYS - name - 4
    lines: list[Line] = []
    for number, piece in enumerate(wrap(action.help_on(scope), room)):
        lead = f"  {keys:<{_KEYS}}" if not number else " " * (_KEYS + 2)
        label = f"{action.id:<{name}}" if name and not number else " " * name
        lines.append([(lead, "accent"), (label, "dim"), (piece, "plain")])
    if is_narrow:
        # The name by which it is remapped, at the right edge where there is room for it.
        gap = room - len(lines[-1][-1][0]) - len(action.id)
        if gap < 2:
            lines.append([(" " * (_KEYS + 2), "plain")])
            gap = room - len(action.id)
        lines[-1].append((f"{' ' * gap}{action.id}", "dim"))
    return lines


def _said(action: Action, scope: str, keymap: _Keymap) -> str:
    keys: Sequence[str] = [shown_key(key) for key in keys_of(action, keymap)]
    return " ".join((*keys, action.id, action.name, action.help_on(scope))).casefold()
