"""What jobs answer to the effect screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.schema.effect import EffectReport, Measured


class EffectsLoaded(Fact):
    """Every pattern that was taught, and whether it helped."""

    def __init__(self, report: EffectReport) -> None:
        super().__init__()
        self.report = report


class EffectLoaded(Fact):
    """One pattern with the weeks and sessions behind its verdict."""

    def __init__(self, measured: Measured) -> None:
        super().__init__()
        self.measured = measured
