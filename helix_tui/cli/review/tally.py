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
        """Counts a verdict; the last one on a candidate is the one that holds."""
        self._skipped.discard(name)
        self._given[name] = (verdict, outcome)
        self.notice(outcome.notices)

    def skip(self, name: str) -> None:
        """Counts a candidate that was left for later."""
        self._skipped.add(name)

    def take_back(self, outcome: Outcome) -> None:
        """Counts an undo: what was given in this review is as if it had not been."""
        self.notice(outcome.notices)
        undone = outcome.line.undoes if outcome.line else ""
        for name, (_, given) in list(self._given.items()):
            if given.line is not None and given.line.id == undone:
                del self._given[name]
                return
        self._taken_back.append(outcome)

    def notice(self, notices: Iterable[str]) -> list[str]:
        """Keeps what a person should know besides, and says what of it is new."""
        fresh = [one for one in dict.fromkeys(notices) if one not in self.notices]
        self.notices += fresh
        return fresh

    def fields(self) -> dict[str, Any]:
        """The review as scripts see it."""
        patterns = self._patterns()
        promoted = [one for one in self._promoted() if one.action != "unchanged"]
        return {
            "promoted": len(promoted),
            "provisional": sum(1 for one in promoted if one.pattern.status == "provisional"),
            "rejected": self._count("reject"),
            "discussed": self._count("discuss"),
            "skipped": len(self._skipped),
            "taken_back": len(self._taken_back),
            "skipped_remembered": self._remembered,
            "below_floor": [],
            "patterns": [pattern_json(one) for one in patterns],
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
        said = [f"{self._count(verdict):,} {word}" for verdict, word in counts]
        if self._skipped:
            said.append(f"{len(self._skipped):,} skipped")
        if self._taken_back:
            said.append(f"{plural(len(self._taken_back), 'earlier verdict')} taken back")
        final = self._count("approve") + self._count("reject")
        left = max(0, self._asked - final)
        lines = [f"{', '.join(said)}; {plural(left, 'candidate')} left."]
        for one in self._patterns():
            lines.append(f"  {one.action}: {safe_line(one.path)} ({one.pattern.version})")
        return [*lines, "Everything is saved; `helix undo` takes back the last verdict."]

    def _count(self, verdict: str) -> int:
        return sum(1 for given, _ in self._given.values() if given == verdict)

    def _promoted(self) -> list[PatternOutcome]:
        """The patterns that approving made, each once, as it was left."""
        found: dict[str, PatternOutcome] = {}
        for verdict, outcome in self._given.values():
            if verdict == "approve":
                for one in outcome.patterns:
                    before = found.get(one.pattern.id)
                    is_new = before is not None and before.action == "created"
                    found[one.pattern.id] = one._replace(action="created") if is_new else one
        return list(found.values())

    def _patterns(self) -> list[PatternOutcome]:
        found = {one.pattern.id: one for one in self._promoted()}
        others = [outcome for verdict, outcome in self._given.values() if verdict != "approve"]
        for outcome in (*others, *self._taken_back):
            for one in outcome.patterns:
                found.setdefault(one.pattern.id, one)
        return list(found.values())

    def _merged(self) -> Iterator[tuple[str, str]]:
        for name, (verdict, outcome) in self._given.items():
            for one in outcome.patterns if verdict == "approve" else ():
                if one.pattern.id != name:
                    yield name, one.pattern.id
