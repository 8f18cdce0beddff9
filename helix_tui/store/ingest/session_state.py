"""A session's row while a transaction is prepared: what is stored, with what is added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter

import msgspec

from helix_tui.schema import (
    COMPACTION,
    PROMPT,
    TOOL_CALL,
    TOOL_RESULT,
    TURN_KINDS,
    Dated,
    EventRow,
    SessionPatch,
    Verdict,
)
from helix_tui.text.times import EARLIEST

# The repository of a folder, given the remote that the log recorded for it, if it did.
RepoOf = Callable[[str, str], str]


class SessionState(msgspec.Struct):
    """The columns of a session's row, in their order."""

    key: int
    id: str
    flavor: str
    native_id: str
    parent: str | None
    repo: str | None = None
    cwd: str | None = None
    cwd_ts: int | None = None
    branch: str | None = None
    branch_ts: int | None = None
    model: str | None = None
    model_ts: int | None = None
    first_ts: int | None = None
    last_ts: int | None = None
    events: int = 0
    turns: int = 0
    prompts: int = 0
    tool_calls: int = 0
    tool_errors: int = 0
    compactions: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    pack_bytes: int = 0
    ended: str | None = None
    outcome: str = "unknown"
    outcome_confidence: float | None = None
    outcome_reason: str | None = None
    is_analyzed: bool = True
    is_exact: bool = True
    evicted_events: int = 0
    agent_version: str | None = None
    agent_version_ts: int | None = None

    @classmethod
    def begin(cls, key: int, patch: SessionPatch) -> SessionState:
        """A session that is new to the store."""
        return cls(key, patch.id, patch.flavor, patch.native_id, patch.parent)

    def row(self) -> tuple[object, ...]:
        """The values of the session's row."""
        return tuple(getattr(self, name) for name in COLUMNS)

    def rank(self) -> tuple[bool, int, str]:
        """Sort key: of several sessions with the same message, the least one owns it."""
        return self.first_ts is None, self.first_ts or 0, self.id

    def merge_facts(self, patch: SessionPatch, repo_of: RepoOf) -> bool:
        """Merge times, folder, branch, model and version; return whether anything changed."""
        before = self._facts()
        if patch.parent is not None:
            self.parent = min(patch.parent, self.parent or patch.parent)
        if patch.first_ts is not None:
            began = (patch.first_ts, _or(self.first_ts, patch.first_ts))
            # A time of a clock that was never set counts only where there is no other.
            self.first_ts = min((ts for ts in began if ts >= EARLIEST), default=min(began))
        if patch.last_ts is not None:
            self.last_ts = max(patch.last_ts, _or(self.last_ts, patch.last_ts))
        if cwd := _earlier(patch.cwd, self.cwd_ts, self.cwd):
            self.cwd_ts, self.cwd = cwd.ts, cwd.value
            self.repo = repo_of(cwd.value, patch.remote)
        if branch := _earlier(patch.branch, self.branch_ts, self.branch):
            self.branch_ts, self.branch = branch.ts, branch.value
        model = patch.model
        if model and (model.ts, model.value) > (_or(self.model_ts, model.ts - 1), self.model or ""):
            self.model_ts, self.model = model.ts, model.value
        if version := _earlier(patch.agent_version, self.agent_version_ts, self.agent_version):
            self.agent_version_ts, self.agent_version = version.ts, version.value
        return before != self._facts()

    def _facts(self) -> tuple[object, ...]:
        return (
            self.parent,
            self.first_ts,
            self.last_ts,
            (self.cwd_ts, self.cwd),
            (self.branch_ts, self.branch),
            (self.model_ts, self.model),
            (self.agent_version_ts, self.agent_version),
        )

    def count(self, rows: Sequence[EventRow], sign: int = 1) -> None:
        """Count events that the session gains, or (sign -1) loses to another version of them."""
        kinds = Counter(map(itemgetter(3), rows))
        self.events += sign * len(rows)
        self.turns += sign * sum(kinds[kind] for kind in TURN_KINDS)
        self.prompts += sign * kinds[PROMPT]
        self.tool_calls += sign * kinds[TOOL_CALL]
        self.compactions += sign * kinds[COMPACTION]
        self.tool_errors += sign * sum(1 for row in rows if row[4] and row[3] == TOOL_RESULT)

    def take_verdict(self, verdict: Verdict | None) -> None:
        """Set how the session ended and went; without a verdict it is not yet analyzed."""
        self.is_analyzed = verdict is not None
        if verdict is not None:
            self.ended = verdict.ended
            self.outcome = verdict.outcome
            self.outcome_confidence = verdict.confidence
            self.outcome_reason = verdict.reason

    def add_tokens(self, tokens: tuple[int, int, int, int, int], sign: int = 1) -> None:
        """Add a message's tokens to the totals, or (sign -1) subtract them."""
        self.input += sign * tokens[0]
        self.output += sign * tokens[1]
        self.cache_read += sign * tokens[2]
        self.cache_write += sign * tokens[3]
        self.reasoning += sign * tokens[4]


COLUMNS = SessionState.__struct_fields__


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _earlier(dated: Dated | None, ts: int | None, value: str | None) -> Dated | None:
    if dated is not None and (ts is None or (dated.ts, dated.value) < (ts, value or "")):
        return dated
    return None
