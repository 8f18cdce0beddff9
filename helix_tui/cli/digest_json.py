"""A session's digest as scripts see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from helix_tui.text.times import iso
from helix_tui.tools import tool_class

if TYPE_CHECKING:
    from helix_tui.schema import Digest, Session


def digest_json(session: Session, digest: Digest | None) -> dict[str, Any] | None:
    """The whole digest as scripts see it."""
    if digest is None:
        return None
    import msgspec

    facts: dict[str, Any] = msgspec.to_builtins(digest.facts, str_keys=True)
    for name in ("tools", "commands", "files"):
        facts[name] = [
            {"name": key, **_by_field(tally)} for key, tally in getattr(digest.facts, name).items()
        ]
    for tool in facts["tools"]:
        tool["class"] = tool_class(session.flavor, tool["name"])
    for name in ("errors", "loops", "corrections"):
        facts[name] = [_by_field(item) for item in getattr(digest.facts, name)]
    wall = None
    if session.first_ts is not None and session.last_ts is not None:
        wall = session.last_ts - session.first_ts
    return {
        **facts,
        "tool_classes": _by_class(facts["tools"]),
        "first_ts": iso(digest.facts.first_ts),
        "last_ts": iso(digest.facts.last_ts),
        "wall_ms": wall,
        "idle_ms": None if wall is None else max(0, wall - digest.facts.active_ms),
        "outcome": digest.verdict.outcome,
        "outcome_confidence": digest.verdict.confidence,
        "outcome_reason": digest.verdict.reason,
        "exact": digest.is_exact,
        "extractor": digest.extractor,
    }


def _by_class(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools' figures summed by class."""
    classes: dict[str, dict[str, Any]] = {}
    for tool in tools:
        name = tool["class"]
        sums = classes.setdefault(name, {"name": name, "calls": 0, "errors": 0})
        sums["calls"] += tool["calls"]
        sums["errors"] += tool["errors"]
    return list(classes.values())


def _by_field(item: Any) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.structs.asdict(item)
    if "fingerprint" in fields:
        fields["fingerprint"] = f"{fields['fingerprint'] & 0xFFFFFFFFFFFFFFFF:016x}"
    if "ts" in fields:
        fields["ts"] = iso(fields["ts"])
    return fields
