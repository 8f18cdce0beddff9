"""Lines of a journal and candidates, as short to write as tests need them."""

from __future__ import annotations

from helix_tui.schema.candidate import Candidate, Member
from helix_tui.schema.review import (
    Action,
    JournalLine,
    PatternRef,
    Snapshot,
    Until,
    Write,
)


def snapshot(sessions: int = 4, *flavors: str, state: str = "ongoing") -> Snapshot:
    """Evidence of so many sessions."""
    return Snapshot(
        sessions=sessions,
        frequency=sessions * 2,
        flavors=list(flavors or ("claude",)),
        repos=1,
        cost_impact=1000,
        score=1.0,
        state=state,  # type: ignore[arg-type]
    )


def candidate(name: str, *aliases: str, sessions: int = 4) -> Candidate:
    """A candidate that has other ids as well."""
    members = {f"claude:{number}": Member("claude", "repo", 1) for number in range(sessions)}
    return Candidate(
        id=name,
        kind="problem",
        signal="tool_error",
        signals={"tool_error": sessions},
        tool_class="shell",
        error_class="command_not_found",
        subject="uv",
        title=name,
        members=members,
        evidence=[],
        aliases=list(aliases),
    )


class Script:
    """Writes one line after the other."""

    def __init__(self) -> None:
        self.lines: list[JournalLine] = []

    def say(
        self,
        action: Action,
        name: str = "",
        *others: str,
        note: str = "",
        until: Until | None = None,
        seen: Snapshot | None = None,
        pattern: str = "",
        writes: list[Write] | None = None,
        undoes: str = "",
    ) -> JournalLine:
        """The next line, a minute after the last."""
        number = len(self.lines) + 1
        line = JournalLine(
            id=f"l{number}",
            seq=number,
            at=f"2026-03-01T{number // 60:02d}:{number % 60:02d}:00.000Z",
            author="ann",
            action=action,
            candidate=name,
            others=list(others),
            note=note,
            until=until,
            snapshot=seen,
            pattern=PatternRef(pattern, "1.0.0", "approved", False) if pattern else None,
            writes=writes or [],
            undoes=undoes,
        )
        self.lines.append(line)
        return line

    def undo(self, line: JournalLine) -> JournalLine:
        """Takes a line back."""
        return self.say("undo", undoes=line.id)
