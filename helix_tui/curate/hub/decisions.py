"""Derive decisions, the final verdicts that a hub records, from the journal's lines."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, Literal, get_args

import msgspec

from helix_tui.curate.hub.outward import outward
from helix_tui.curate.page.pattern import PatternStatus
from helix_tui.schema.review import JournalLine, PatternRef, Snapshot
from helix_tui.text.redact import redact
from helix_tui.text.refuse import check_id
from helix_tui.text.safe import safe_line

Verdict = Literal["approved", "rejected", "retracted"]

SCHEMA = "helix.decision/1"
_VERDICTS: dict[str, Verdict] = {"approve": "approved", "reject": "rejected"}
_MOST_AUTHOR = 120
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?", re.ASCII
)
_VERSION = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}", re.ASCII)
_STATUSES = frozenset(get_args(PatternStatus))


class Decision(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A final verdict, or its retraction; `id` is that of the journal line, and the key."""

    id: str
    seq: int
    at: str
    candidate: str
    verdict: Verdict
    author: str = ""
    retracts: str = ""
    snapshot: Snapshot | None = None
    pattern: PatternRef | None = None


def decisions_of(lines: Sequence[JournalLine]) -> list[Decision]:
    """List every approve and reject, and every undo of one, in the order of the lines."""
    decisions: list[Decision] = []
    final: dict[str, JournalLine] = {}
    for line in lines:
        if line.order:
            continue  # another member's: their own machine tells the hub
        if verdict := _VERDICTS.get(line.action):
            final[line.id] = line
            decisions.append(
                Decision(
                    id=line.id,
                    seq=line.seq,
                    at=line.at,
                    candidate=line.candidate,
                    verdict=verdict,
                    author=line.author,
                    snapshot=line.snapshot,
                    pattern=line.pattern if verdict == "approved" else None,
                )
            )
        elif line.action == "undo" and (undone := final.pop(line.undoes, None)):
            decisions.append(
                Decision(
                    id=line.id,
                    seq=line.seq,
                    at=line.at,
                    candidate=undone.candidate,
                    verdict="retracted",
                    author=line.author,
                    retracts=undone.id,
                )
            )
    return decisions


def body_of(decision: Decision) -> str:
    """Encode a decision as ASCII JSON, always the same, without words from a log or a note."""
    body: dict[str, Any] = {
        "schema": SCHEMA,
        "id": decision.id,
        "candidate": outward(decision.candidate),
        "verdict": decision.verdict,
        "at": decision.at,
        "seq": decision.seq,
    }
    if decision.author:
        body["author"] = safe_line(redact(decision.author), _MOST_AUTHOR)
    if decision.retracts:
        body["retracts"] = decision.retracts
    if decision.snapshot is not None:
        body["evidence"] = _evidence(decision.snapshot)
    if decision.pattern is not None:
        body["pattern"] = {
            "id": outward(decision.pattern.id),
            "version": decision.pattern.version,
            "status": decision.pattern.status,
            "distribution_ready": decision.pattern.distribution_ready,
        }
    return _written(body)


def outward_body(body: str) -> str:
    """Rewrite the ids of a queued body, which an older version may have written in full."""
    decoded: dict[str, Any] = json.loads(body)
    named = [part for part in (decoded, decoded.get("pattern")) if isinstance(part, dict)]
    before = [part.get(key) for part, key in zip(named, ("candidate", "id"), strict=False)]
    after = [outward(str(name)) for name in before]
    if after == before:
        return body
    for part, key, name in zip(named, ("candidate", "id"), after, strict=False):
        part[key] = name
    return _written(decoded)


def _written(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=True, separators=(",", ":"))


def _evidence(snapshot: Snapshot) -> dict[str, Any]:
    # Field by field: a field added to snapshots later must not leave the machine by itself.
    return {
        "sessions": snapshot.sessions,
        "frequency": snapshot.frequency,
        "flavors": sorted(snapshot.flavors),
        "repos": snapshot.repos,
        "cost_impact": snapshot.cost_impact,
        "score": float(snapshot.score),
        "state": snapshot.state,
        "first_seen": snapshot.first_seen,
        "last_seen": snapshot.last_seen,
    }


def objection(decision: Decision) -> str:
    """Say why a decision may not leave the machine, or nothing; the reason never quotes it."""
    ids = [("its id", decision.id), ("its candidate", decision.candidate)]
    times = [("its time", decision.at)]
    if decision.retracts:
        ids.append(("what it retracts", decision.retracts))
    if (pattern := decision.pattern) is not None:
        ids.append(("its pattern", pattern.id))
        if not _VERSION.fullmatch(pattern.version):
            return "the version of its pattern is none"
        if pattern.status not in _STATUSES:
            return "the status of its pattern is none"
    if (snapshot := decision.snapshot) is not None:
        ids += [("an agent", flavor) for flavor in snapshot.flavors]
        times += [
            ("a time of its evidence", at) for at in (snapshot.first_seen, snapshot.last_seen) if at
        ]
        if not math.isfinite(snapshot.score):
            return "its score is no number"
    for name, value in ids:
        if not check_id(value):
            return f"{name} is not named by an id"
    for name, value in times:
        if not _TIME.fullmatch(value):
            return f"{name} is none"
    # The original ids too: the body may leave out what is wrong with them.
    text = "\n".join((body_of(decision), *(value for _, value in ids)))
    return "" if redact(text) == text else "it holds what looks like a secret"
