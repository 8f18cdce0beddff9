"""Guards: rules that answer an agent before a call, and how often each of them did."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

Answer = Literal["deny", "ask"]
ANSWERS: tuple[Answer, ...] = ("deny", "ask")


class GuardRule(msgspec.Struct, frozen=True, gc=False):
    """A rule as the guard's script reads it.

    `shape` is the action wherever it runs, `program` the word without which no command is of it;
    `folder` and `repos` are where it holds, everywhere if they are empty.
    """

    pattern: str
    version: str
    answer: Answer
    shape: str
    program: str
    rule: str
    folder: str = ""
    repos: list[str] = []


class GuardRules(msgspec.Struct, frozen=True):
    """The file of all rules; `rows` is what the shape of a command depends on besides itself."""

    rules: list[GuardRule]
    rows: Any = None


class GuardTrouble(NamedTuple):
    """A guard that a person switched on and that cannot hold, and why."""

    pattern: str
    reason: str


class Firing(msgspec.Struct, frozen=True, gc=False):
    """A call that a guard answered; `answer` is `pass` where the agent cannot ask."""

    session: str
    pattern: str
    version: str
    answer: str
    at: int


class ShapeRecord(NamedTuple):
    """How calls of a shape went in the sessions behind a pattern."""

    sessions: int
    runs: int
    passed: int
    failed: int

    @property
    def decides(self) -> bool:
        """Whether the shape alone tells that a call fails: more of them failed than passed."""
        return self.failed > self.passed
