"""Verdicts of this sitting: each goes to the journal in order, and can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.errors import HelixError
from helix_tui.tui.bridge import Bridge
from helix_tui.tui.messages import LookNeeded, VerdictGiven, VerdictRefused, VerdictUndone
from helix_tui.tui.rows import Row

if TYPE_CHECKING:
    from helix_tui.engine.writing import Written
    from helix_tui.schema.board import Outcome
    from helix_tui.schema.candidate import VerdictName
    from helix_tui.schema.review import Line
    from helix_tui.tui.source import Verdicts

Verdict = Literal["approve", "reject", "discuss", "snooze", "skip", "merge", "split"]
LANE = "verdicts"
BECOMES: dict[Verdict, VerdictName] = {
    "approve": "approved",
    "reject": "rejected",
    "discuss": "discussed",
    "snooze": "snoozed",
    "merge": "merged",
    "split": "open",
}


class Step(NamedTuple):
    """What one key did: to which rows, as they were, and the lines that it wrote.

    `others` are the candidates that these lines merged or split besides.
    """

    verdict: Verdict
    before: list[Row]
    line_ids: list[str]
    others: list[str]


class Wording(NamedTuple):
    """What goes with a verdict: a note, until when, and whether the origin was looked at.

    `words` is a page that the reviewer made of the one that was `shown`.
    """

    note: str = ""
    until: str = ""
    is_looked_at: bool = False
    words: str | None = None
    shown: str = ""


class Draft(NamedTuple):
    """What somebody wrote of a candidate, and the page that they wrote it over."""

    page: str
    written: Written


class Deciding:
    """Gives verdicts behind the screen, one after the other, and remembers what each key did."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.steps: list[Step] = []
        # What was typed and could not be written, or was taken back, by candidate.
        self.unsent: dict[str, Wording] = {}
        self.drafts: dict[str, Draft] = {}
        self._keys = 0
        self._last_keys: dict[str, int] = {}

    def is_overtaken(self, name: str, number: int) -> bool:
        """Whether a later key than this one has said something of a candidate."""
        return self._last_keys.get(name, 0) > number

    def _number(self, names: Sequence[str]) -> int:
        """The number of a key that says something of candidates."""
        self._keys += 1
        self._last_keys.update(dict.fromkeys(names, self._keys))
        return self._keys

    def skip(self, rows: Sequence[Row]) -> None:
        """Remembers that rows were put off in this sitting; nothing is written."""
        self.steps.append(Step("skip", list(rows), [], []))

    def give(self, verdict: Verdict, rows: Sequence[Row], wording: Wording = Wording()) -> None:  # noqa: B008
        """Writes a verdict on candidates, which are those of the moment the key was pressed."""
        step = Step(verdict, list(rows), [], [])
        self.steps.append(step)
        names = [row.id for row in rows]
        number = self._number(names)
        # One line merges all of them; else each has a line of its own.
        groups = [names] if verdict == "merge" else [[name] for name in names]

        def work() -> None:
            outcomes: list[Outcome] = []
            desk = self._bridge.source.desk
            for group in groups:
                try:
                    outcome = self._decide(desk, verdict, group, wording, len(groups) == 1)
                except HelixError as error:
                    self._bridge.note_failure(verdict, error.what, error.todo)
                    self._refuse(verdict, group, str(error), wording)
                    continue
                except Exception as error:
                    self._refuse(verdict, group, f"{type(error).__name__}: {error}", wording)
                    raise
                if outcome is not None:
                    outcomes.append(outcome)
                    if outcome.line is not None:
                        step.line_ids.append(outcome.line.id)
                        step.others.extend(outcome.line.others)
            if outcomes:
                fresh = desk.listed(list(dict.fromkeys([*names, *step.others])))
                self._bridge.tell(lambda: VerdictGiven(verdict, outcomes, fresh, number))

        self._bridge.do(verdict, work, LANE)

    def undo(self) -> Step | None:
        """Takes back what the last key did; where none did, the last verdict of the journal."""
        step = self.steps.pop() if self.steps else None
        if step is not None and step.verdict == "skip":
            return step

        number = self._number([row.id for row in step.before] if step else [])

        def work() -> None:
            desk = self._bridge.source.desk
            # Known only now: what was decided before is written by the time this runs.
            if step is None:
                others = [o for one in desk.undoable(1) for o in one.others]
                self._take_back([""], others, number)
                return
            names = [*(row.id for row in step.before), *step.others]
            try:
                self._take_back(step.line_ids, names, number)
            except Exception as error:
                self.steps.append(step)  # the next undo is on this one again
                self._refuse("undo", names, str(error), Wording())
                if not isinstance(error, HelixError):
                    raise
                self._bridge.note_failure("undo", error.what, error.todo)

        self._bridge.do("undo", work, LANE)
        return step

    def take_back(self, line: Line) -> None:
        """Takes back one verdict of the journal, whenever it was given."""
        for step in self.steps:
            if line.id in step.line_ids:
                step.line_ids.remove(line.id)
                if not step.line_ids:
                    self.steps.remove(step)
                break
        number = self._number([line.candidate, *line.others])
        self._bridge.do("undo", lambda: self._take_back([line.id], line.others, number), LANE)

    def _take_back(self, line_ids: list[str], others: Sequence[str], number: int) -> None:
        """Takes lines back, the last one first; what is done is no longer among them."""
        desk = self._bridge.source.desk
        outcomes: list[Outcome] = []
        while line_ids:
            outcome = desk.undo(line_ids[-1])
            line_ids.pop()
            if outcome is not None:
                outcomes.append(outcome)
        names = [one.line.candidate for one in outcomes if one.line is not None]
        fresh = desk.listed(list(dict.fromkeys([*names, *others])))
        self._bridge.tell(lambda: VerdictUndone(outcomes, fresh, number))

    def forget(self, candidate_ids: Sequence[str]) -> None:
        """Drops steps that came to nothing."""
        gone = set(candidate_ids)
        self.steps = [
            step
            for step in self.steps
            if step.line_ids or not gone.issuperset(row.id for row in step.before)
        ]

    def _decide(
        self,
        desk: Verdicts,
        verdict: Verdict,
        names: Sequence[str],
        wording: Wording,
        is_shown: bool,
    ) -> Outcome | None:
        """Writes one verdict; of several candidates that one key decides on, few were shown."""
        name = names[0]
        if verdict == "approve":
            if not wording.is_looked_at:
                card = desk.card(name)
                if card.words_of_log:
                    self._bridge.tell(lambda: LookNeeded(card))
                    return None
            return desk.approve(
                name,
                note=wording.note,
                words=wording.words,
                shown=wording.shown,
                look="page" if wording.is_looked_at else "list" if is_shown else "none",
            )
        if verdict == "reject":
            return desk.reject(name, note=wording.note)
        if verdict == "discuss":
            return desk.discuss(name, note=wording.note)
        if verdict == "merge":
            return desk.merge(name, names[1:], look="page")  # the question showed all of them
        if verdict == "split":
            return desk.split(name)
        return desk.snooze(name, wording.until, note=wording.note)

    def _refuse(
        self,
        verdict: Verdict | Literal["undo"],
        names: Sequence[str],
        reason: str,
        wording: Wording,
    ) -> None:
        if wording.note or wording.until:
            self.unsent[names[0]] = wording
        self._bridge.tell(lambda: VerdictRefused(verdict, names, reason))
