"""Effects as scripts see them."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.schema.effect import EffectReport, Measured
from helix_tui.text.times import iso


def measured_json(one: Measured) -> dict[str, Any]:
    """One verdict with all that it rests on; times are ISO 8601."""
    made: dict[str, Any] = msgspec.to_builtins(one)
    effect: dict[str, Any] = made.pop("effect")
    effect["since"] = iso(one.effect.since)
    effect["decided_at"] = iso(one.effect.decided_at)
    for rows, names in (("moments", ("at",)), ("sessions", ("at",)), ("periods", _SPAN)):
        for row in made[rows]:
            row.update({name: iso(row[name]) for name in names})
    return {**effect, **made}


_SPAN = ("since", "until")


def unmeasured_json(report: EffectReport) -> list[dict[str, str]]:
    """What was taught and cannot be measured."""
    return [one._asdict() for one in report.unmeasured]
