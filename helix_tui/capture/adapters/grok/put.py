"""Adds an event of a Grok session; all its parts name the same thing by the same fingerprint."""

from __future__ import annotations

import msgspec

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.draft import SessionDraft
from helix_tui.text.hashing import hash64
from helix_tui.text.valid import without_nul

SLOTS_PER_LINE = 1024


def put(
    session: SessionDraft,
    position: int,
    ts: int | None,
    kind: int,
    text: str,
    *,
    role: str | None = None,
    name: str | None = None,
    tool: str | None = None,
    call_id: str | None = None,
    is_error: bool = False,
    exit_code: int | None = None,
) -> None:
    """Adds an event: known by its call, else by `name`, else by its time and text."""
    if call_id:
        said = f"{call_id}:{kind}"
    elif name is not None:
        said = f"{kind}:{name}:{text}"
    else:
        said = f"{kind}:{ts}:{text}"
    session.add(
        (
            hash64(said.encode("utf-8", "replace")),
            position,
            ts,
            kind,
            is_error,
            role,
            tool,
            call_id,
            exit_code,
            None,
            without_nul(text),
        )
    )


def json_of(line: bytes) -> str:
    """A whole line, kept because nothing is known of it."""
    return compact_json(msgspec.json.decode(line))
