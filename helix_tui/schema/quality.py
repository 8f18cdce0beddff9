"""Settings of detection: which sessions count, and from when on a candidate is listed."""

from __future__ import annotations

from typing import Literal, NamedTuple

ReaderName = Literal["rules", "model"]
READERS: tuple[ReaderName, ...] = ("rules", "model")

# What one conversation alone has does not recur.
RECURRING = 2


class Quality(NamedTuple):
    """What a session must have for its signals to count."""

    min_events: int = 8
    min_tool_calls: int = 3
    require_repo: bool = True
    require_task: bool = True


class DetectSettings(NamedTuple):
    """The sessions that a candidate needs to be listed, the quality gate, and who reads turns."""

    min_sessions: int = 3
    quality: Quality = Quality()
    reader: ReaderName = "rules"

    def floor(self, *, is_all: bool = False) -> int:
        """Return the sessions that a list asks for; a list of all still asks for two."""
        return min(RECURRING, self.min_sessions) if is_all else self.min_sessions

    def settings(self) -> str:
        """Return the settings that grouping depends on, as one text."""
        return repr(tuple(self.quality))
