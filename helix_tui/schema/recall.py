"""What earlier sessions taught, as it is handed back: cited, dated, bounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec


class RecallItem(msgspec.Struct, frozen=True, gc=False):
    """One thing to recall: what it says, where that stands, and when it was (ISO 8601).

    `text` is Markdown in which every word of a log is quoted as code. `sessions` are those that it
    comes from, `pattern` is the id of a pattern, `by` who distilled it.
    """

    text: str
    source: str
    at: str
    sessions: tuple[str, ...] = ()
    pattern: str = ""
    by: str = ""


class RecallPage(msgspec.Struct, frozen=True, gc=False):
    """What is left open, the last entries, lines that fit, and patterns that apply."""

    repo: str
    open: list[RecallItem] = []
    entries: list[RecallItem] = []
    lines: list[RecallItem] = []
    patterns: list[RecallItem] = []
    # What was left out, and what could not be read.
    notes: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to recall."""
        return not (self.open or self.entries or self.lines or self.patterns)


class SeenRow(msgspec.Struct, array_like=True, gc=False):
    """What the sessions of one bucket say of one error."""

    error_class: str
    subject: str
    template: str
    line: str
    sessions: int = 0
    count: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    last_session: str = ""
    # Conversations that got past it.
    overcame: int = 0
    repos: dict[str, int] = {}


class SeenError(NamedTuple):
    """One row of the index, with the bucket whose candidates tell what overcame it."""

    bucket: int
    row: SeenRow


class Cure(msgspec.Struct, frozen=True, gc=False):
    """What overcame an error: in how many conversations, of how many that got past it.

    `failed` and `works` are actions as they were run, empty where they are of other repositories.
    """

    text: str
    worked: int
    of: int
    failed: str = ""
    works: str = ""
    candidate: str = ""


class Seen(msgspec.Struct, frozen=True, gc=False):
    """Whether an error happened before: how often, where, when last, and what overcame it."""

    error_class: str
    subject: str
    sessions: int
    count: int
    here: int
    first_at: str
    last_at: str
    last_session: str
    overcame: int
    cures: list[Cure] = []
    patterns: list[RecallItem] = []


class SessionBrief(NamedTuple):
    """A session as recall needs it; `root` is the conversation that it is of."""

    id: str
    flavor: str
    native_id: str
    root: str
    repo: str
    cwd: str
    last_ts: int
    title: str
    left_open: tuple[str, ...]
    # Checks that were green at its end.
    passed: tuple[str, ...] = ()


HandedBy = Literal["hook", "mcp", "rules"]


class HandedOut(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """What an agent was handed: when (ms), by which way, and what was in it.

    `session` is empty where the way back does not know it; `repo` and `cwd` tell where it was.
    """

    at: int
    by: HandedBy
    flavor: str
    session: str = ""
    repo: str = ""
    cwd: str = ""
    tool: str = ""
    patterns: Sequence[str] = ()
    sources: int = 0
