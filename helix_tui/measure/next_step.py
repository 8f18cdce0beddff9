"""What a person may do about a verdict; nothing follows from one by itself."""

from __future__ import annotations

from helix_tui.schema.effect import EffectStep, Measured


def next_step(measured: Measured) -> EffectStep | None:
    """What to do next, if anything."""
    return None
