"""Turns of people, as the digest signals them."""

from __future__ import annotations

from typing import Any

from helix_tui.schema.signal import Signal, SignalName
from helix_tui.text.said import clauses_in, encoded
from tests.detect.made import signal

_NAMES: dict[str, SignalName] = {
    "correction": "user_correction",
    "report": "error_persistence",
    "nearly": "user_reaction",
}


def turn(number: int, text: str, kind: str = "none", **fields: Any) -> Signal:
    """A turn in words, as the digest signals it."""
    said = encoded(clauses_in(text))
    name = _NAMES.get(kind, "user_request")
    return signal(name, number, tool_class="", template=said, text=text, verb=kind, **fields)


def files(*names: str) -> Signal:
    """The words in the names of the files that an agent worked on."""
    return Signal("user_request", template=" ".join(names), verb="files")
