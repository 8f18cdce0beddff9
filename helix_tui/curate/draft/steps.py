"""The steps of a workflow: what agents did behind a request that recurs, as they did it."""

from __future__ import annotations

from collections.abc import Mapping

from helix_tui.schema.candidate import Evidence

_MOST_STEPS = 5
# A step belongs to the workflow where the agents of two sessions took it.
_LEAST_SESSIONS = 2
_STEP = "then "


def steps_of(texts: Mapping[Evidence, str]) -> dict[str, str]:
    """The steps that several sessions share, in the order of the first, each with a session."""
    sessions: dict[str, dict[str, None]] = {}
    for occurrence, text in texts.items():
        for line in text.split("\n"):
            if line.startswith(_STEP):
                sessions.setdefault(line.removeprefix(_STEP), {})[occurrence.session] = None
    shared = {
        step: next(iter(found)) for step, found in sessions.items() if len(found) >= _LEAST_SESSIONS
    }
    return dict(list(shared.items())[:_MOST_STEPS])
