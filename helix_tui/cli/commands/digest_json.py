"""A session's digest as scripts see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from helix_tui.text.times import iso
from helix_tui.tools import tool_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from helix_tui.schema import Digest, Session, TurnFact

# What title and conversation are made of.
_BEHIND_TITLE = (
    "own_title",
    "own_title_rank",
    "own_title_ts",
    "asked_title",
    "asked_title_rank",
    "named",
    "links",
)
_TIMES = ("ts", "first_ts", "last_ts")


def digest_json(session: Session, digest: Digest | None) -> dict[str, Any] | None:
    """The whole digest as scripts see it."""
    if digest is None:
        return None
    facts: dict[str, Any] = _by_name(digest.facts)
    for name in _BEHIND_TITLE:
        del facts[name]
    for name in ("tools", "commands", "files"):
        facts[name] = [{"name": key, **tally} for key, tally in facts[name].items()]
    facts["checks"] = [
        {"name": name, "state": check["state"], "at": check["ts"]}
        for name, check in facts["checks"].items()
    ]
    for given, judged in zip(facts["turns"], _judged(digest.facts.turns), strict=True):
        del given["label"]
        given.update(judged)
    for tool in facts["tools"]:
        tool["class"] = tool_class(session.flavor, tool["name"])
    wall = None
    if session.first_ts is not None and session.last_ts is not None:
        wall = session.last_ts - session.first_ts
    return {
        **facts,
        "title": session.title,
        "tool_classes": _by_class(facts["tools"]),
        "wall_ms": wall,
        "idle_ms": None if wall is None else max(0, wall - digest.facts.active_ms),
        "outcome": digest.verdict.outcome,
        "outcome_confidence": digest.verdict.confidence,
        "outcome_reason": digest.verdict.reason,
        "left_open": digest.left_open,
        "exact": digest.is_exact,
        "extractor": digest.extractor,
    }


def _judged(turns: list[TurnFact]) -> Iterator[dict[str, Any]]:
    """What each turn of a person is, what it is about, and why."""
    from helix_tui.digest.turns.judge import kind_of
    from helix_tui.digest.turns.topic import topic_of
    from helix_tui.digest.turns.traits import names_of

    for turn in turns:
        judgement = kind_of(turn)
        yield {
            "kind": judgement.kind,
            "topic": topic_of(turn),
            "by": "rules" if turn.label is None else "model",
            "traits": names_of(turn.traits),
            "reasons": list(judgement.reasons),
            "rule": (turn.label.rule or None) if turn.label else None,
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


def _by_name(item: Any) -> Any:
    """Stored rows as objects with field names, times as ISO 8601."""
    import msgspec

    if isinstance(item, msgspec.Struct):
        return {name: _field(name, value) for name, value in msgspec.structs.asdict(item).items()}
    if isinstance(item, dict):
        return {str(key): _by_name(value) for key, value in item.items()}
    return [_by_name(child) for child in item] if isinstance(item, list) else item


def _field(name: str, value: Any) -> Any:
    if name.endswith("fingerprint"):
        return f"{value & 0xFFFFFFFFFFFFFFFF:016x}" if value else None
    return iso(value) if name in _TIMES else _by_name(value)
