"""Sessions, signals and candidates for tests, with only what a test is about said."""

from __future__ import annotations

from typing import Any

from helix_tui.schema.candidate import Candidate, Counted, Gated, Member, Sighting
from helix_tui.schema.signal import Profile, Signal, SignalName

DAY = 86_400_000
WEEK = 7 * DAY
# A Monday at noon, UTC.
NOW = 1_770_000_000_000 // WEEK * WEEK + 4 * DAY + DAY // 2


def session(number: int = 1, **fields: Any) -> Counted:
    """A session that counts."""
    flavor = fields.get("flavor", "claude")
    name = fields.get("id", f"{flavor}:{number:04d}")
    made: dict[str, Any] = {
        "key": number,
        "id": name,
        "root": name,
        "flavor": flavor,
        "repo": "app",
        "branch": "main",
        "first_ts": NOW + number * 1000,
        "last_ts": NOW + number * 1000 + 500,
        "gate": None,
    }
    return Counted(**{**made, **fields})


def signal(name: SignalName = "tool_error", number: int = 1, **fields: Any) -> Signal:
    """A signal, by default of an event of its own."""
    made: dict[str, Any] = {
        "tool_class": "shell",
        "fingerprints": [number],
        "first_ts": NOW + number,
        "last_ts": NOW + number,
    }
    return Signal(name, **{**made, **fields})


def missing(number: int = 1, subject: str = "jq", **fields: Any) -> Signal:
    """A missing executable."""
    known = {"error_class": "command_not_found", "subject": subject}
    text = f"{subject}: command not found"
    return signal("env_missing", number, **{**known, "text": text, **fields})


def said(number: int, text: str, *, is_plain: bool = True, **fields: Any) -> Signal:
    """Something a person said."""
    name: SignalName = "user_correction" if is_plain else "user_reaction"
    return signal(name, number, tool_class="", text=text, template=text, **fields)


def sightings(*signals: Signal, **fields: Any) -> list[Sighting]:
    """Each signal in a session of its own."""
    return [Sighting(session(n, **fields), [one]) for n, one in enumerate(signals, 1)]


def gated(name: str = "a", parent: str | None = None, **fields: Any) -> Gated:
    """A session that the gate lets through."""
    profile = Profile(**{"prompts": 2, "tasks": 1, "useful_calls": 10, **fields.pop("profile", {})})
    made: dict[str, Any] = {
        "key": sum(map(ord, name)),
        "id": name,
        "parent": parent,
        "flavor": "claude",
        "repo": "app",
        "branch": "main",
        "first_ts": NOW,
        "last_ts": NOW,
        "events": 30,
        "profile": profile,
    }
    return Gated(**{**made, **fields})


def candidate(name: str = "one", members: int = 3, **fields: Any) -> Candidate:
    """A candidate of so many sessions, each of which wasted 4,000 characters in a minute."""
    each: dict[str, Any] = {"flavor": "claude", "repo": "", "count": 1, "chars": 4000, "ms": 60_000}
    each |= {"first_ts": NOW, "last_ts": NOW, **fields.pop("each", {})}
    made: dict[str, Any] = {
        "id": name,
        "kind": "problem",
        "signal": "tool_error",
        "signals": {"tool_error": members},
        "tool_class": "shell",
        "error_class": "",
        "subject": "",
        "title": name,
        # Each in a repository of its own, so that none is capped, unless a test says otherwise.
        "members": {
            f"s{number}": Member(**{**each, "repo": each["repo"] or f"r{number}"})
            for number in range(members)
        },
        "evidence": [],
    }
    return Candidate(**{**made, **fields})
