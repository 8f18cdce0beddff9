"""What instructions say already, as commands print it for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helix_tui.schema.context import Told


def told_json(told: Told) -> dict[str, Any]:
    """The state, the lines with file and line, and how often they were seen and (not) kept to."""
    return {
        "state": told.state,
        "lines": [
            {
                "file": line.file,
                "line": line.line,
                "text": line.text,
                "coverage": line.coverage,
                "loaded": line.state != "unloaded",
                "why": line.why or None,
                "seen": line.seen,
                "violated": line.violated,
                "followed": line.followed,
                "exposure": {
                    "observed": line.observed,
                    "assumed": line.assumed,
                    "unknown": line.unknown,
                },
            }
            for line in told.lines
        ],
        "seen": told.seen,
        "violated": told.violated,
        "followed": told.followed,
    }
