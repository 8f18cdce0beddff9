"""What a sandbox without a network refused, and let through where it was left."""

from __future__ import annotations

from helix_tui.digest.shape.command import ESCALATED as OUTSIDE
from helix_tui.schema import ErrorGroup, Facts, Recovery
from helix_tui.text.shape_change import ESCALATED
from helix_tui.text.signature.signature import classify

_OF_NETWORKS = frozenset({"host_unresolved", "network_unreachable"})


def passed_outside(facts: Facts, name: str, group: ErrorGroup, cited: int) -> Recovery | None:
    """The way past a missing network that a session shows: the same command outside passed."""
    error_class, _ = classify(group.line, group.tool_class, group.exit_code, group.command)
    if error_class not in _OF_NETWORKS:
        return None
    for shape in sorted(group.shapes):
        tally = facts.shapes.get(f"{OUTSIDE} {shape}")
        if tally is not None and tally.passed:
            action = f"$ {shape}"
            change = f"+wrapper {OUTSIDE}"
            return Recovery(
                cited, group.last_ts, name, ESCALATED, action, action, group.count, action, change,
                shape,
            )  # fmt: skip
    return None
