"""Verdicts of this sitting: each goes to the journal in order, and can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.errors import HelixError
from helix_tui.tui.bridge import Bridge
from helix_tui.tui.messages import LookNeeded, VerdictGiven, VerdictRefused, VerdictUndone
from helix_tui.tui.rows import Row

if TYPE_CHECKING:
    from helix_tui.schema.board import Outcome
    from helix_tui.schema.candidate import VerdictName
    from helix_tui.tui.source import Verdicts

Verdict = Literal["approve", "reject", "discuss", "snooze", "skip"]
LANE = "verdicts"
BECOMES: dict[Verdict, VerdictName] = {
    "approve": "approved",
    "reject": "rejected",
    "discuss": "discussed",
    "snooze": "snoozed",
}


class Step(NamedTuple):
    """What one key did: to which rows, as they were, and the lines that it wrote."""

    verdict: Verdict
    before: list[Row]
    line_ids: list[str]


class Wording(NamedTuple):
    """What goes with a verdict: a note, until when, and whether the origin was looked at."""

    note: str = ""
    until: str = ""
    is_looked_at: bool = False


class Deciding:
    """Gives verdicts behind the screen, one after the other, and remembers what each key did."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.steps: list[Step] = []

    def skip(self, rows: Sequence[Row]) -> None:
        """Remembers that rows were put off in this sitting; nothing is written."""
        self.steps.append(Step("skip", list(rows), []))

    def give(self, verdict: Verdict, rows: Sequence[Row], wording: Wording = Wording()) -> None:  # noqa: B008
        """Writes a verdict on candidates, which are those of the moment the key was pressed."""
        step = Step(verdict, list(rows), [])
        self.steps.append(step)
        names = [row.id for row in rows]

        def work() -> None:
            outcomes: list[Outcome] = []
            desk = self._bridge.source.desk
            for name in names:
                try:
                    outcome = self._decide(desk, verdict, name, wording)
                except HelixError as error:
                    self._refuse(verdict, name, str(error))
                    continue
                except Exception as error:
                    self._refuse(verdict, name, f"{type(error).__name__}: {error}")
                    raise
                if outcome is not None:
                    outcomes.append(outcome)
                    if outcome.line is not None:
                        step.line_ids.append(outcome.line.id)
            if outcomes:
                fresh = desk.reviewed(names)
                self._bridge.tell(lambda: VerdictGiven(verdict, outcomes, fresh))

        self._bridge.do(verdict, work, LANE)

    def undo(self) -> Step | None:
        """Takes back what the last key did; where none did, the last verdict of the journal."""
        step = self.steps.pop() if self.steps else None
        if step is not None and step.verdict == "skip":
            return step

        def work() -> None:
            desk = self._bridge.source.desk
            # Known only now: what was decided before is written by the time this runs.
            wanted = list(reversed(step.line_ids)) if step else [""]
            done = [desk.undo(line_id) for line_id in wanted]
            outcomes = [one for one in done if one is not None]
            names = [one.line.candidate for one in outcomes if one.line is not None]
            names += [row.id for row in step.before] if step else []
            fresh = desk.reviewed(list(dict.fromkeys(names)))
            self._bridge.tell(lambda: VerdictUndone(outcomes, fresh))

        self._bridge.do("undo", work, LANE)
        return step

    def forget(self, candidate_ids: Sequence[str]) -> None:
        """Drops steps that came to nothing."""
        gone = set(candidate_ids)
        self.steps = [
            step
            for step in self.steps
            if step.line_ids or not gone.issuperset(row.id for row in step.before)
        ]

    def _decide(
        self, desk: Verdicts, verdict: Verdict, name: str, wording: Wording
    ) -> Outcome | None:
        if verdict == "approve":
            if not wording.is_looked_at:
                card = desk.card(name)
                if card.words_of_log:
                    self._bridge.tell(lambda: LookNeeded(card))
                    return None
            return desk.approve(name, note=wording.note)
        if verdict == "reject":
            return desk.reject(name, note=wording.note)
        if verdict == "discuss":
            return desk.discuss(name, note=wording.note)
        return desk.snooze(name, wording.until, note=wording.note)

    def _refuse(self, verdict: Verdict, name: str, reason: str) -> None:
        self._bridge.tell(lambda: VerdictRefused(verdict, [name], reason))
