"""All errors that a person may meet, each with the exit code that scripts rely on."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from helix_tui.schema.board import ApprovalPreview


class ExitCode(IntEnum):
    """How a command ended: a number that scripts rely on, with its meaning for people."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        """Make a member of a number and its meaning."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    DONE = 0, "done"
    PROBLEMS = 1, "done, with new problems or a loss of data; known problems are only counted"
    USAGE = 2, "wrong usage"
    FINDINGS = 3, "a check found something, or what should be written was refused"
    NOT_FOUND = 66, "no such session, candidate or pattern"
    BUG = 70, "a bug in Helix"
    UNWRITABLE = 74, "the store or the output cannot be written: full, read-only, damaged"
    BUSY = 75, "another process is writing to the store, or decided on a candidate first"
    TOO_NEW = 76, "the store is from a newer version of Helix"
    CONFIG = 78, "the configuration is wrong; every mistake is told with file and key"
    INTERRUPTED = 130, "interrupted"


class HelixError(Exception):
    """An error that a person can act on: what happened, where, and what to do."""

    exit_code: int = ExitCode.BUG

    def __init__(self, what: str, todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.todo = todo

    def __str__(self) -> str:
        return f"{self.what} {self.todo}".strip()


class UsageError(HelixError):
    """The command was called in a way that makes no sense."""

    exit_code = ExitCode.USAGE


class RefusedPlace(NamedTuple):
    """Where something is that may not be written: a file or a field, a line, what it is."""

    where: str
    line: int
    what: str


class RefusedError(HelixError):
    """The text to be written holds a secret or hidden characters; every place is listed."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, places: list[RefusedPlace]) -> None:
        listed = "; ".join(f"{place.where}, line {place.line}: {place.what}" for place in places)
        super().__init__(
            f"Nothing was written: {listed}.",
            "Take it out there, or write a name in its stead, and try again.",
        )
        self.places = places


class LookNeededError(HelixError):
    """The text to be written holds words of a log that nobody has looked at."""

    exit_code = ExitCode.FINDINGS

    def __init__(
        self,
        name: str,
        fields: Sequence[str],
        texts: Sequence[tuple[str, str]],
        preview: ApprovalPreview | None = None,
    ) -> None:
        super().__init__(
            f"Nothing was written: {name} would bring words of a log along "
            f"({', '.join(fields)}), and nobody has looked at them.",
            "Read them, then say --yes, or decide in `helix curate` or the workstation.",
        )
        self.fields = list(fields)
        self.texts = list(texts)
        # What would be written, where that is one page.
        self.preview = preview


class NotFoundError(HelixError):
    """No such session, candidate or pattern."""

    exit_code = ExitCode.NOT_FOUND


class ChangedError(HelixError):
    """Somebody else decided on the same thing since the author of a verdict looked."""

    exit_code = ExitCode.BUSY


class StoreError(HelixError):
    """The store cannot be read or written: full, read-only, damaged."""

    exit_code = ExitCode.UNWRITABLE


class OutOfSpaceError(StoreError):
    """There is no room to write."""


class StoreBusyError(HelixError):
    """Another process is writing to the store."""

    exit_code = ExitCode.BUSY


class StoreTooNewError(HelixError):
    """The store was written by a newer version of Helix."""

    exit_code = ExitCode.TOO_NEW


class InterruptedJobError(HelixError):
    """A job was asked to end before it was done."""

    exit_code = ExitCode.INTERRUPTED


class ConfigError(HelixError):
    """The configuration is wrong; every mistake is listed at once."""

    exit_code = ExitCode.CONFIG

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes
