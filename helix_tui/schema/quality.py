"""Settings of detection: which sessions count, and from when on a candidate is listed."""

from __future__ import annotations

from typing import NamedTuple


class Quality(NamedTuple):
    """What a session must have for its signals to count."""

    min_events: int = 8
    min_tool_calls: int = 3
    require_repo: bool = True
    require_task: bool = True


class DetectSettings(NamedTuple):
    """The sessions that a candidate needs to be listed, and the quality gate."""

    min_sessions: int = 3
    quality: Quality = Quality()

    def settings(self) -> str:
        """Return the settings that grouping depends on, as one text."""
        return repr(tuple(self.quality))
