"""The state of our entry among an agent's MCP servers."""

from __future__ import annotations

import msgspec


class McpStatus(msgspec.Struct, frozen=True):
    """Whether an agent knows Helix's server: in which file, with which command.

    `is_current` says that installing now would change nothing; `todo` what to do where it is not.
    """

    flavor: str
    installed: bool
    path: str
    command: list[str]
    is_current: bool
    is_any_repo: bool = False
    notes: list[str] = []
    todo: str = ""
