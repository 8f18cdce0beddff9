"""Every action by its name, as the registry has it, and the themes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider

from helix_tui.tui.actions import actions_of, keys_of, shown_key
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.themes import TITLES


class Command(NamedTuple):
    """One line of the palette."""

    name: str
    help: str
    run: Callable[[], Any]


class ActionCommands(Provider):
    """What the screen below the palette can do now; what it cannot stands last, with the reason."""

    def _found(self) -> list[Command]:
        screen = self.screen
        if not isinstance(screen, HelixScreen):
            return []
        keymap = screen.station.keymap
        able: list[Command] = []
        unable: list[Command] = []
        for action in actions_of(screen.SCOPE):
            keys = " ".join(map(shown_key, keys_of(action, keymap)))
            reason = screen.refusal(action)
            text = f"not now: {reason}" if reason else action.help
            command = Command(
                action.name, f"{keys}  {text}".strip(), partial(screen.action_do, action.id)
            )
            (unable if reason else able).append(command)
        # What single keys do all the time is looked for last.
        able.sort(key=lambda command: command.name.startswith("cursor: "))
        return [*able, *self._themes(), *unable]

    def _themes(self) -> list[Command]:
        def use(name: str) -> None:
            self.app.theme = name

        now = self.app.theme
        return [
            Command(
                f"theme: {title.capitalize()}",
                "the theme in use" if name == now else "use this theme from now on",
                partial(use, name),
            )
            for name, title in TITLES.items()
        ]

    async def discover(self) -> Hits:
        """All of them, before something is typed."""
        for command in self._found():
            yield DiscoveryHit(command.name, command.run, help=command.help)

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for command in self._found():
            score = matcher.match(command.name)
            if score > 0:
                shown = matcher.highlight(command.name)
                yield Hit(score, shown, command.run, help=command.help)
