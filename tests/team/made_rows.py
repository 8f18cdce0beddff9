"""Rows of sessions as a machine would push them, made without a store."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from helix_tui.detect.keys import bucket
from helix_tui.schema.signal import Profile, Signal
from helix_tui.schema.team import SharedFold, TeamRow

START = 1_770_000_000_000
_encode = msgspec.json.Encoder().encode


def made_row(
    origin: str,
    session: str = "claude:one",
    *,
    revision: int = 1,
    text: str = "rg: command not found",
    repo: str = "5a5a5a5a5a5a5a5a",
    first_ts: int | None = START,
    extractor: int = 1,
) -> TeamRow:
    """A session with one signal, of which the text may differ."""
    signal = Signal(
        "tool_error",
        error_class="command_not_found",
        subject="rg",
        text=text,
        first_ts=first_ts,
        fingerprints=[7],
    )
    row = TeamRow(
        uid=f"{session}.{origin}",
        origin=origin,
        flavor="claude",
        native_id=session.partition(":")[2],
        parent=None,
        repo=repo,
        repo_name="app",
        branch="",
        is_placeless=False,
        first_ts=first_ts,
        last_ts=None if first_ts is None else first_ts + 60_000,
        model="claude-opus-4-5",
        events=10,
        turns=8,
        prompts=2,
        tool_calls=3,
        tool_errors=1,
        compactions=0,
        input=1,
        output=1,
        cache_read=0,
        cache_write=0,
        reasoning=0,
        ended="reply",
        outcome="success",
        outcome_confidence=0.5,
        profile=Profile(prompts=2, tasks=1, useful_calls=2, failures=1),
        triggers="",
        exposure=[],
        marks=[],
        share="excerpts",
        signals_version="1",
        extractor=extractor,
        revision=revision,
        hash="",
        signals={str(bucket(signal)): [signal]},
        fold=SharedFold(title=text),
        words=text,
    )
    plain = msgspec.structs.replace(row, revision=0)
    return msgspec.structs.replace(row, hash=sha256(_encode(plain)).hexdigest()[:32])


def as_bytes(*rows: TeamRow) -> list[bytes]:
    """Rows as they leave."""
    return [_encode(row) for row in rows]
