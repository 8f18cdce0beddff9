"""A listener that hears nothing, for a fold of which nobody reads the turns."""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.digest.actions import Action
from helix_tui.digest.runs.run import Run
from helix_tui.digest.turns.listen import Listener, Turn


class Deaf(Listener):
    """Hears nothing, for a fold of which nobody reads the turns."""

    __slots__ = ()

    def settle(self, spent: int) -> None:
        """Puts nothing into the memory."""

    def take_reply(self, text: str) -> None:
        """Takes nothing."""

    def take_call(self, action: Action, given: str) -> None:
        """Takes nothing."""

    def take_edit(self) -> None:
        """Takes nothing."""

    def take_checks(self, runs: Iterable[Run]) -> None:
        """Takes nothing."""

    def hear(self, said: Turn) -> None:
        """Takes nothing."""
