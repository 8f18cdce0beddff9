"""Every action by its name, as the registry has it."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from helix_tui.tui.actions import Action, actions_of, keys_of, shown_key
from helix_tui.tui.screens.base import HelixScreen


class ActionCommands(Provider):
    """What the screen below the palette can do."""

    def _found(self) -> list[tuple[Action, str]]:
        screen = self.screen
        if not isinstance(screen, HelixScreen):
            return []
        keymap = screen.station.keymap
        found = []
        for action in actions_of(screen.SCOPE):
            keys = " ".join(map(shown_key, keys_of(action, keymap)))
            reason = screen.refusal(action)
            found.append((action, f"{keys}  {reason or action.help}".strip()))
        return found

    def _run(self, action: Action) -> partial[Coroutine[Any, Any, None]]:
        screen = self.screen
        assert isinstance(screen, HelixScreen)
        return partial(screen.action_do, action.id)

    async def discover(self) -> Hits:
        """All of them, before something is typed."""
        for action, help_text in self._found():
            yield DiscoveryHit(action.name, self._run(action), help=help_text)

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for action, help_text in self._found():
            score = matcher.match(action.name)
            if score > 0:
                yield Hit(score, matcher.highlight(action.name), self._run(action), help=help_text)
