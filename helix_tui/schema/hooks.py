"""How an agent's hook stands, as commands and screens show it."""

from __future__ import annotations

import msgspec


class HookStatus(msgspec.Struct, frozen=True):
    """Whether Helix is among an agent's hooks, and whether that works.

    `alive` was proven by running the command; `spooled` events of the agent wait; `is_current` says
    that the command is the one that would be installed now; `notes` are sentences for a person, and
    `todo` says what to do where something is wrong.
    """

    flavor: str
    installed: bool
    alive: bool
    path: str
    events: list[str]
    spooled: int
    is_current: bool
    notes: list[str] = []
    todo: str = ""
