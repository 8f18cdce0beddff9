"""The state of an agent's hook, as commands and screens show it."""

from __future__ import annotations

import msgspec


class HookStatus(msgspec.Struct, frozen=True):
    """Whether Helix is among an agent's hooks, and whether that works.

    `alive` was proven by running the command; `spooled` counts the waiting events of the agent.
    `is_current` says that installing now would change nothing. `notes` are sentences for a person,
    and `todo` says what to do where something is wrong. `flushes` says that it also starts a flush.
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
    # Whether a second command answers before calls, a trial call was denied, and by how many rules.
    has_guard: bool = False
    is_guarding: bool = False
    guards: int = 0
    # Whether sessions begin with what earlier ones taught.
    has_context: bool = False
    flushes: bool = False
