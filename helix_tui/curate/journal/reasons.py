"""How the verdicts of a journal stand, and why candidates were rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, get_args

from helix_tui.curate.journal.standings import undone_ids
from helix_tui.errors import UsageError
from helix_tui.schema.review import JournalLine, RejectReason

# What people call each reason; `other` is told by a note.
REASONS: dict[RejectReason, str] = {
    "too_generic": "too generic",
    "wrong_guidance": "wrong guidance",
    "one_off": "one-off",
    "noise": "noise",
    "other": "other words",
    "": "no reason given",
}
_FINAL = frozenset({"approve", "reject", "snooze", "discuss", "merge"})


class VerdictCounts(NamedTuple):
    """The last verdict on each candidate counted by action, and the rejected by reason."""

    given: dict[str, int]
    rejected: dict[RejectReason, int]
    lines: list[JournalLine]


def counted_verdicts(lines: Iterable[JournalLine]) -> VerdictCounts:
    """Count the last verdict on each candidate; `lines` are those that reject one, newest first."""
    lines = list(lines)
    undone = undone_ids(lines)
    last: dict[str, JournalLine] = {}
    for line in lines:
        if line.action in _FINAL and line.id not in undone:
            for name in line.others if line.action == "merge" else [line.candidate]:
                last.pop(name, None)
                last[name] = line
    given = Counter(line.action for line in last.values())
    rejects = [line for line in reversed(last.values()) if line.action == "reject"]
    reasons = Counter(line.reason for line in rejects)
    counted = {reason: reasons[reason] for reason in get_args(RejectReason) if reasons[reason]}
    return VerdictCounts(dict(sorted(given.items())), counted, rejects)


def reason_of(text: str) -> tuple[RejectReason, str]:
    """A reason as somebody wrote it: one that is known, or words, which are a note."""
    wanted = text.strip().lower().replace("-", "_").replace(" ", "_")
    for reason in REASONS:
        if reason and reason != "other" and wanted == reason:
            return reason, ""
    if not text.strip():
        known = ", ".join(name for reason, name in REASONS.items() if reason)
        raise UsageError("No reason is named.", f"There are {known}.")
    return "other", text.strip()
