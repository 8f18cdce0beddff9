"""How a verdict is called on screens, and in which tone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix_tui.schema.effect import EffectState

STATE_TONES: dict[str, str] = {
    "helped": "good",
    "worse": "bad",
    "regressed": "bad",
    "no_change": "warn",
    "not_seen": "warn",
}


def state_word(state: EffectState) -> str:
    """A verdict in a word or two."""
    return state.replace("_", " ")
