"""The one tree of errors a person may meet, each with the exit code that scripts rely on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class HelixError(Exception):
    """Something a person can act on: what happened, where, and what to do."""

    exit_code = 70

    def __init__(self, what: str, todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.todo = todo

    def __str__(self) -> str:
        return f"{self.what} {self.todo}".strip()


class UsageError(HelixError):
    """The command was called in a way that makes no sense."""

    exit_code = 2


class Place(NamedTuple):
    """Where something stands that may not be written: a file or a field, a line, what it is."""

    where: str
    line: int
    what: str


class RefusedError(HelixError):
    """What should be written holds a secret or hidden signs; every place is listed at once."""

    exit_code = 3

    def __init__(self, places: list[Place]) -> None:
        listed = "; ".join(f"{place.where}, line {place.line}: {place.what}" for place in places)
        super().__init__(
            f"Nothing was written: {listed}.",
            "Take it out there, or write a name in its stead, and try again.",
        )
        self.places = places


class LookNeededError(HelixError):
    """What should be written holds words of a log, and nobody has looked at them."""

    exit_code = 3

    def __init__(self, name: str, fields: Sequence[str], texts: Sequence[tuple[str, str]]) -> None:
        super().__init__(
            f"Nothing was written: {name} would bring words of a log along "
            f"({', '.join(fields)}), and nobody has looked at them.",
            "Read them, then say --yes, or decide in `helix curate` or the workstation.",
        )
        self.fields = list(fields)
        self.texts = list(texts)


class NotFoundError(HelixError):
    """No such session, candidate or pattern."""

    exit_code = 66


class StoreError(HelixError):
    """The store cannot be read or written: full, read-only, damaged."""

    exit_code = 74


class OutOfSpaceError(StoreError):
    """There is no room to write."""


class StoreBusyError(HelixError):
    """Another process is writing to the store."""

    exit_code = 75


class StoreTooNewError(HelixError):
    """The store was written by a newer version of Helix."""

    exit_code = 76


class InterruptedJobError(HelixError):
    """Somebody asked a job to end before it was done."""

    exit_code = 130


class ConfigError(HelixError):
    """The configuration is wrong; every mistake is listed at once."""

    exit_code = 78

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes
