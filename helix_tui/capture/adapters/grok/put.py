"""Adds an event of a Grok session; all its parts name the same thing by the same fingerprint."""

from __future__ import annotations

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.adapters.lenient import any_json
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
    is_revised: bool = False,
) -> None:
    """Adds an event: known by its call, else by `name`, else by its time and text.

    What is revised is known by its name alone, whatever it says by now.
    """
    if call_id:
        fingerprint = _hash(f"{call_id}:{kind}")
    elif name is not None and is_revised:
        fingerprint = place_of(kind, name)
    elif name is not None:
        fingerprint = text_of(kind, name, text)
    else:
        fingerprint = _hash(f"{kind}:{ts}:{text}")
    session.add(
        (
            fingerprint,
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


def place_of(kind: int, name: str) -> int:
    """The fingerprint of what is known by its name alone."""
    return _hash(f"{kind}@{name}")


def text_of(kind: int, name: str, text: str) -> int:
    """The fingerprint of a text that is known by its name and what it says."""
    return _hash(f"{kind}:{name}:{text}")


def _hash(said: str) -> int:
    return hash64(said.encode("utf-8", "replace"))


def json_of(line: bytes) -> str:
    """A whole line, kept because nothing is known of it."""
    return compact_json(any_json(line))
