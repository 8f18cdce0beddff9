"""Settings of detection: which sessions count, and from when on a candidate is listed."""

from __future__ import annotations

from typing import Literal, NamedTuple

ReaderName = Literal["rules", "model"]
READERS: tuple[ReaderName, ...] = ("rules", "model")

# What one conversation alone has does not recur.
RECURRING = 2
# Of more conversations with one problem so many are read to say what it is: of those that got past
# it, and of the others.
MOST_DRAWN = 64


class Quality(NamedTuple):
    """What a session must have for its signals to count."""

    min_events: int = 8
    min_tool_calls: int = 3
    require_repo: bool = True
    require_task: bool = True


class DetectSettings(NamedTuple):
    """The sessions that a candidate needs to be listed, the quality gate, and who reads turns.

    `is_floor_given` says that a person set the floor: it then holds for sure fixes too.
    """

    min_sessions: int = 3
    quality: Quality = Quality()
    reader: ReaderName = "rules"
    is_floor_given: bool = False

    @property
    def least(self) -> int:
        """The sessions below which no list shows anything unless asked for all."""
        return self.floor(is_sure_fix=True)

    def floor(self, *, is_sure_fix: bool = False, is_all: bool = False) -> int:
        """Return the sessions that a list asks for: two for a sure fix, and in a list of all."""
        is_low = is_all or (is_sure_fix and not self.is_floor_given)
        return min(RECURRING, self.min_sessions) if is_low else self.min_sessions

    def settings(self) -> str:
        """Return the settings that grouping depends on, as one text."""
        return repr((*self.quality, MOST_DRAWN))
