"""Positions of events in a Grok session, and the text of a line of unknown kind."""

from __future__ import annotations

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.adapters.lenient import any_json

SLOTS_PER_LINE = 1024


def json_of(line: bytes) -> str:
    """A whole line, kept because nothing is known of it."""
    return compact_json(any_json(line))
