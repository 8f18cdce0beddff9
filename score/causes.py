"""Judges rows against planted causes: their remedies, and how much of a failure is seen at all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

Verdict = Literal["right", "wrong", "none"]
Remedy = Mapping[str, list[str]] | None
Meeting = tuple[str, str]
"""A cause in one conversation."""
PIPED = r"\| (tail|head) -\d+$|; echo \"exit: \$\?\"$"
MEANWHILE = r"\bgit (status|diff|log)\b|\bpwd\b|(?<![\w-])(ls|cat|grep) "
"""What is merely done between a failure and what overcomes it; never a remedy."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the remedies of one home are: by cause, and those shown where none is true."""

    by_cause: dict[str, Verdict]
    false: list[str]

    @property
    def figures(self) -> dict[str, float]:
        """Shares of the causes that have a remedy, and how many false ones are shown besides."""
        given = list(self.by_cause.values())
        shares = {f"remedy_{name}": given.count(name) / len(given) for name in _VERDICTS}
        return {**shares, "remedy_false": float(len(self.false))}

    @property
    def tells(self) -> list[str]:
        """What is to be said of each remedy that is not right."""
        missed = [f"remedy {v}: {cause}" for cause, v in self.by_cause.items() if v != "right"]
        return [*missed, *(f"remedy false: {text}" for text in self.false)]


_VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "none")


def without_troubles(
    scorer: ModuleType, truth: dict[str, Any], found: dict[str, Any], troubles: frozenset[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Truth and list without what is no one cause: to show it is no fault, and no merit either."""
    red = [pattern for pattern in truth["patterns"] if pattern["id"] in troubles]
    kept = [c for c in found["candidates"] if not _is_of(scorer, c, truth, red)]
    causes = [pattern for pattern in truth["patterns"] if pattern["id"] not in troubles]
    return {**truth, "patterns": causes}, {**found, "candidates": kept}


def judge(
    scorer: ModuleType,
    truth: dict[str, Any],
    found: dict[str, Any],
    report: dict[str, Any],
    remedies: Mapping[str, Remedy],
) -> Judged:
    """The remedy of each cause's own candidate, and every other that is shown and not true."""
    own = {row["candidate"]: row["pattern"] for row in report["patterns"] if "candidate" in row}
    by_cause: dict[str, Verdict] = {name: "none" for name, remedy in remedies.items() if remedy}
    false: list[str] = []
    for candidate in found["candidates"]:
        text = _text(candidate)
        if not text:
            continue
        cause = own.get(candidate["id"])
        if cause in by_cause:
            by_cause[cause] = (
                "right" if is_right(text, remedies[cause], truth["names"]) else "wrong"
            )
        elif not _is_right_for_part(scorer, candidate, truth, remedies):
            false.append(f"{str(candidate.get('title'))[:60]}: {text[:80]}")
    return Judged(by_cause, false)


def is_right(text: str, remedy: Remedy, names: Mapping[str, str]) -> bool:
    """Whether a remedy's words say what overcomes the cause and nothing that does not."""
    if not remedy:
        return False
    never = [*remedy.get("never", ()), MEANWHILE] if not _is_reading(remedy) else []
    return _fits(text, remedy["says"], names) and not _fits(text, never, names)


def seen(scorer: ModuleType, truth: dict[str, Any], found: dict[str, Any]) -> dict[str, float]:
    """The share of conversations with a cause that any row of the cause holds, by how it failed.

    Behind a pipe the status is another program's, so that only the output tells of the failure.
    """
    piped, plain = _ways_of_failing(truth)
    shares = {}
    for name, meetings in (("seen_plain", plain), ("seen_piped", piped - plain)):
        held = {
            m for p in truth["patterns"] for m in _held(scorer, truth, found, p) if m in meetings
        }
        shares[name] = len(held) / len(meetings) if meetings else 1.0
    return shares


def _ways_of_failing(truth: dict[str, Any]) -> tuple[set[Meeting], set[Meeting]]:
    """Where each cause failed behind a pipe, and where with its own status."""
    members = {(p["id"], session) for p in truth["patterns"] for session in p["members"]}
    piped: set[Meeting] = set()
    plain: set[Meeting] = set()
    for session, label, _, command in truth["errors"]:
        if (label, session) in members:
            (piped if re.search(PIPED, command) else plain).add((label, session))
    return piped, plain


def _held(
    scorer: ModuleType, truth: dict[str, Any], found: dict[str, Any], pattern: dict[str, Any]
) -> set[Meeting]:
    rows = [scorer.Candidate(c, truth) for c in found["candidates"] if c.get("kind") == "problem"]
    own = [row for row in rows if row.speaks_of(pattern) and row.purity(pattern) >= 0.5]
    return {(pattern["id"], member) for row in own for member in row.members}


def _is_reading(remedy: Mapping[str, list[str]]) -> bool:
    return any(re.search(regex, "read") for regex in remedy["says"])


def _is_right_for_part(
    scorer: ModuleType,
    candidate: dict[str, Any],
    truth: dict[str, Any],
    remedies: Mapping[str, Remedy],
) -> bool:
    """Whether a row that holds a part of some cause shows that cause's remedy."""
    for pattern in truth["patterns"]:
        remedy = remedies.get(pattern["id"])
        is_said = is_right(_text(candidate), remedy, truth["names"])
        if is_said and _is_of(scorer, candidate, truth, [pattern]):
            return True
    return False


def _is_of(
    scorer: ModuleType,
    candidate: dict[str, Any],
    truth: dict[str, Any],
    patterns: Sequence[dict[str, Any]],
) -> bool:
    """Whether a candidate speaks of one of the patterns, and most of it lies there."""
    held = scorer.Candidate(candidate, truth)
    return any(held.speaks_of(p) and held.purity(p, p["also"]) >= 0.5 for p in patterns)


def _text(candidate: Mapping[str, Any]) -> str:
    remedy = candidate.get("remedy")
    # What gives up a safeguard is counted by Helix, and shown to nobody as a remedy.
    if not isinstance(remedy, dict) or not remedy.get("advised", True):
        return ""
    return str(remedy.get("text") or "")


def _fits(text: str, regexes: Sequence[str], names: Mapping[str, str]) -> bool:
    def fill(regex: str) -> str:
        return re.sub(
            r"\{(\w+)\}", lambda m: re.escape(names[m[1]]) if m[1] in names else m[0], regex
        )

    return any(re.search(fill(regex), text) for regex in regexes)
