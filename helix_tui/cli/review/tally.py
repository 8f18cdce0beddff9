"""What was decided in one review, less what was taken back in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from helix_tui.cli.commands.verdicts import pattern_json
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema.board import Outcome, PatternOutcome


class Tally:
    """The verdicts of one review."""

    def __init__(self, asked: int, remembered: int) -> None:
        self.notices: list[str] = []
        self._asked = asked
        self._remembered = remembered
        self._given: dict[str, tuple[str, Outcome]] = {}
        self._skipped: set[str] = set()
        self._taken_back: list[Outcome] = []

    def add(self, name: str, verdict: str, outcome: Outcome) -> None:
        """Count a verdict; the last one on a candidate is the one that holds."""
        self._skipped.discard(name)
        self._given[name] = (verdict, outcome)
        self.notice(outcome.notices)

    def skip(self, name: str) -> None:
        """Count a candidate that was left for later."""
        self._skipped.add(name)

    def take_back(self, outcome: Outcome) -> None:
        """Count an undo; a verdict of this review no longer counts."""
        self.notice(outcome.notices)
        undone = outcome.line.undoes if outcome.line else ""
        for name, (_, decided) in list(self._given.items()):
            if decided.line is not None and decided.line.id == undone:
                del self._given[name]
                return
        self._taken_back.append(outcome)

    def notice(self, notices: Iterable[str]) -> list[str]:
        """Keep notices for the summary, and return those that are new."""
        fresh = [text for text in dict.fromkeys(notices) if text not in self.notices]
        self.notices += fresh
        return fresh

    def fields(self) -> dict[str, Any]:
        """The review as scripts see it."""
        patterns = self._patterns()
        promoted = [pattern for pattern in self._promoted() if pattern.action != "unchanged"]
        return {
            "promoted": len(promoted),
            "provisional": sum(
                1 for pattern in promoted if pattern.pattern.status == "provisional"
            ),
            "rejected": self._count("reject"),
            "discussed": self._count("discuss"),
            "skipped": len(self._skipped),
            "taken_back": len(self._taken_back),
            "skipped_remembered": self._remembered,
            "below_floor": [],
            "patterns": [pattern_json(pattern) for pattern in patterns],
            "merged": dict(self._merged()),
            "notices": self.notices,
        }

    def summary(self) -> list[str]:
        """The review in a few lines."""
        counts = [
            ("approve", "approved"),
            ("reject", "rejected"),
            ("discuss", "discussed"),
        ]
        parts = [f"{self._count(verdict):,} {word}" for verdict, word in counts]
        if self._skipped:
            parts.append(f"{len(self._skipped):,} skipped")
        if self._taken_back:
            parts.append(f"{plural(len(self._taken_back), 'earlier verdict')} taken back")
        final = self._count("approve") + self._count("reject")
        open_count = max(0, self._asked - final)
        lines = [f"{', '.join(parts)}; {plural(open_count, 'candidate')} left."]
        for pattern in self._patterns():
            lines.append(
                f"  {pattern.action}: {safe_line(pattern.path)} ({pattern.pattern.version})"
            )
        return [*lines, "Everything is saved; `helix undo` takes back the last verdict."]

    def _count(self, verdict: str) -> int:
        return sum(1 for given, _ in self._given.values() if given == verdict)

    def _promoted(self) -> list[PatternOutcome]:
        """The patterns that approvals wrote, each once, in their last version."""
        by_id: dict[str, PatternOutcome] = {}
        for verdict, outcome in self._given.values():
            if verdict == "approve":
                for pattern in outcome.patterns:
                    before = by_id.get(pattern.pattern.id)
                    is_new = before is not None and before.action == "created"
                    by_id[pattern.pattern.id] = (
                        pattern._replace(action="created") if is_new else pattern
                    )
        return list(by_id.values())

    def _patterns(self) -> list[PatternOutcome]:
        by_id = {pattern.pattern.id: pattern for pattern in self._promoted()}
        outcomes = [outcome for verdict, outcome in self._given.values() if verdict != "approve"]
        for outcome in (*outcomes, *self._taken_back):
            for pattern in outcome.patterns:
                by_id.setdefault(pattern.pattern.id, pattern)
        return list(by_id.values())

    def _merged(self) -> Iterator[tuple[str, str]]:
        for name, (verdict, outcome) in self._given.items():
            for pattern in outcome.patterns if verdict == "approve" else ():
                if pattern.pattern.id != name:
                    yield name, pattern.pattern.id
