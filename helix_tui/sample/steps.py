"""What happens in a session, in plain words that each agent's writer puts into its own format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

Fault = Literal["", "refused", "cascade", "mismatch", "unread"]


class Ask(NamedTuple):
    """A person asks."""

    text: str


class Say(NamedTuple):
    """The agent says something."""

    text: str


class Think(NamedTuple):
    """The agent considers something."""

    text: str


class Run(NamedTuple):
    """The agent runs a command."""

    command: str
    output: str = ""
    code: int = 0
    seconds: float = 0.0
    fault: Fault = ""


class Read(NamedTuple):
    """The agent reads a file."""

    path: str
    text: str


class Edit(NamedTuple):
    """The agent changes a file, or fails to."""

    path: str
    old: str
    new: str
    fault: Fault = ""


class Together(NamedTuple):
    """Commands that the agent runs with one message."""

    runs: Sequence[Run]


class Delegate(NamedTuple):
    """The agent has a sub-agent do something and tell."""

    title: str
    task: str
    steps: Sequence[Step]
    answer: str


class Interrupt(NamedTuple):
    """The person stops the agent."""


class Compact(NamedTuple):
    """The conversation is cut down to a summary."""

    summary: str


class ApiError(NamedTuple):
    """The model cannot be reached for a while."""

    message: str


Tool = Run | Read | Edit
Step = Ask | Say | Think | Tool | Together | Delegate | Interrupt | Compact | ApiError
Steps = list[Step]
