"""What commands share that put Helix into agents' settings: which agent, and what to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

import typer

from helix_tui.cli.options import named
from helix_tui.text.safe import safe_line

AgentArgument = Annotated[
    str, typer.Argument(metavar="FLAVOR", parser=named, help="claude, codex or grok.")
]
OneAgentArgument = Annotated[
    str | None, typer.Argument(metavar="[FLAVOR]", parser=named, help="One agent only.")
]


class _Status(Protocol):
    """How Helix stands in the settings of one agent."""

    @property
    def flavor(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def todo(self) -> str: ...


def print_notes(statuses: Sequence[_Status]) -> None:
    """Print what is to be known of each agent's settings, and what to do."""
    for status in statuses:
        for note in (*status.notes, *([status.todo] if status.todo else [])):
            print(f"{status.flavor}: {safe_line(note)}")


def print_taken_out(path: str, *, is_changed: bool) -> None:
    """Print whether there was anything to take out of a file."""
    verb = "Taken out of" if is_changed else "There was nothing to take out of"
    print(f"{verb} {safe_line(path)}.")
