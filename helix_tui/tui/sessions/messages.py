"""What jobs answer to the sessions screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.schema import SearchResult
    from helix_tui.tui.sessions.rows import SessionLine


class SessionsLoaded(Fact):
    """Every session, the latest first, or the latest of them while the others are read."""

    def __init__(self, rows: Sequence[SessionLine], *, is_all: bool) -> None:
        super().__init__()
        self.rows = rows
        self.is_all = is_all


class SessionAsked(Fact):
    """What a session was asked for first."""

    def __init__(self, session_id: str, asked: str) -> None:
        super().__init__()
        self.session_id = session_id
        self.asked = asked


class SessionsFound(Fact):
    """What a full-text search came to, or why it could not be done."""

    def __init__(self, query: str, result: SearchResult | None, trouble: str = "") -> None:
        super().__init__()
        self.query = query
        self.result = result
        self.trouble = trouble
