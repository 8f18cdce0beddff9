"""What the counters of the further agents have in common: a session's figures as they gather."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from tests.truth.lines import iso, whole


@dataclass
class Counted:
    """The figures of one session."""

    id: str
    parent: str | None = None
    prompts: int = 0
    tool_calls: int = 0
    tool_errors: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    cwd: str | None = None
    branch: str | None = None
    agent_version: str | None = None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    usd: float | None = None
    is_session: bool = False
    times: list[datetime] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    ended: dict[str, bool] = field(default_factory=dict)

    def saw(self, time: datetime | None) -> None:
        """A record has this time."""
        if time is not None:
            self.times.append(time)

    def ask(self, key: str) -> None:
        """Somebody asked for something; the same record again is the same."""
        self.asked.add(key)
        self.is_session = True

    def call(self, key: str) -> None:
        """A tool was called."""
        self.calls.add(key)
        self.is_session = True

    def end(self, key: str, failed: bool) -> None:
        """A call came to its end; what is said of it first holds."""
        self.ended.setdefault(key, failed)
        self.is_session = True

    def spend(self, **tokens: int) -> None:
        """Adds tokens."""
        for name, count in tokens.items():
            setattr(self, name, getattr(self, name) + max(count, 0))

    def close(self) -> None:
        """Comes to the sums."""
        self.prompts = len(self.asked)
        self.tool_calls = len(self.calls)
        self.tool_errors = sum(self.ended.values())
        if self.times:
            self.started_at, self.ended_at = iso(min(self.times)), iso(max(self.times))


def sessions(found: dict[str, Counted]) -> dict[str, Counted]:
    """Those that are sessions: in which somebody asked, answered or did something."""
    for session in found.values():
        session.close()
    return {name: session for name, session in found.items() if session.is_session}


def exit_code(value: object) -> int | None:
    """An exit code, if the value is one."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return whole(value) if is_number and value == whole(value) else None
