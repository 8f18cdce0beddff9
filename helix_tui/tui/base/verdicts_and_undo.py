"""Verdicts since Helix was opened: each goes to the journal in order, and can be taken back."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.errors import ChangedError, HelixError, LookNeededError, NotFoundError
from helix_tui.tui.jobs import Jobs
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.messages import (
    LookNeeded,
    VerdictGiven,
    VerdictRefused,
    VerdictsFollowed,
    VerdictUndone,
)
from helix_tui.yielding import urgently

if TYPE_CHECKING:
    from helix_tui.engine.review.page_check import Written
    from helix_tui.schema.board import Listed, Look, Outcome
    from helix_tui.schema.candidate import VerdictName
    from helix_tui.schema.review import JournalLine, RejectReason, Seen
    from helix_tui.tui.ports import VerdictsPort

Verdict = Literal["approve", "reject", "discuss", "snooze", "skip", "merge", "split"]
LANE = "verdicts"
# How long one transaction may hold the journal, so that others come to write, too.
_SECONDS_HELD = 0.5
# In which the frame of a verdict is drawn, and the next key of a fast typist comes.
_SECONDS_FOR_MORE = 0.06
_LOGGED = "The log has the details."
log = logging.getLogger(__name__)
# What leaves a candidate open leaves the cursor on it, too.
STAYING: tuple[Verdict, ...] = ("discuss",)
BECOMES: dict[Verdict, VerdictName] = {
    "approve": "approved",
    "reject": "rejected",
    "discuss": "discussed",
    "snooze": "snoozed",
    "merge": "merged",
    "split": "open",
}


class UndoStep(NamedTuple):
    """What one key did: to which rows, as they were, and the lines that it wrote.

    `others` are the candidates that these lines merged or split besides.
    """

    verdict: Verdict
    before: list[ReviewRow]
    line_ids: list[str]
    others: list[str]


class VerdictDetails(NamedTuple):
    """What goes with a verdict: a note, until when, and whether the origin was looked at.

    `words` is a page that the reviewer made of the one that was `shown`; `seen` is what was before
    them, where that is not what the list shows by now. `reason` is why it is rejected, `into` the
    pattern that it is approved into.
    """

    note: str = ""
    reason: RejectReason = ""
    into: str = ""
    until: str = ""
    is_looked_at: bool = False
    words: str | None = None
    shown: str = ""
    seen: Seen | None = None


NO_DETAILS = VerdictDetails()


class PendingVerdict(NamedTuple):
    """A verdict on its way: what its author saw, and what came of it so far."""

    verdict: Verdict
    step: UndoStep
    number: int
    wording: VerdictDetails
    seen: Seen | None
    outcomes: list[Outcome]


class _Job(NamedTuple):
    """A line that waits to be written, and what becomes of it where nobody can write."""

    write: Callable[[VerdictsPort], None]
    refuse: Callable[[Exception], None]


class PageDraft(NamedTuple):
    """What somebody wrote of a candidate, and the page that they wrote it over."""

    page: str
    written: Written


class VerdictQueue:
    """Gives verdicts behind the screen, one after the other, and remembers what each key did.

    What waits is written under one lock: a line for each, then the files of all of them.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._waiting: deque[_Job] = deque()
        self._came = threading.Event()
        self.steps: list[UndoStep] = []
        # What was typed and could not be written, or was taken back, by candidate.
        self.unsent: dict[str, VerdictDetails] = {}
        self.drafts: dict[str, PageDraft] = {}
        # What the list shows by now; a verdict carries it from the moment of its key on.
        self.seen: Seen | None = None
        self._keys = 0
        self._last_keys: dict[str, int] = {}

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits to be written."""
        return not self._waiting

    def saw(self, seen: Seen | None) -> None:
        """Take note that more is shown."""
        if seen is not None:
            self.seen = self.seen.and_also(seen) if self.seen is not None else seen

    def is_overtaken(self, name: str, number: int) -> bool:
        """Whether a later key than this one has said something of a candidate."""
        return self._last_keys.get(name, 0) > number

    def _number(self, names: Sequence[str]) -> int:
        """The number of a key that says something of candidates."""
        self._keys += 1
        self._last_keys.update(dict.fromkeys(names, self._keys))
        return self._keys

    def skip(self, rows: Sequence[ReviewRow]) -> None:
        """Remember that rows were skipped until Helix is closed; nothing is written."""
        self.steps.append(UndoStep("skip", list(rows), [], []))

    def give(
        self,
        verdict: Verdict,
        rows: Sequence[ReviewRow],
        wording: VerdictDetails = NO_DETAILS,
    ) -> None:
        """Write a verdict on candidates, which are those of the moment the key was pressed."""
        step = UndoStep(verdict, list(rows), [], [])
        self.steps.append(step)
        names = [row.id for row in rows]
        pending = PendingVerdict(
            verdict, step, self._number(names), wording, wording.seen or self.seen, []
        )
        # One line merges all of them; else each has a line of its own.
        groups = [names] if verdict == "merge" else [[name] for name in names]
        for group in groups:
            self._waiting.append(
                _Job(
                    partial(self._write, pending, group, is_last=group is groups[-1]),
                    partial(self._refuse, verdict, group, wording=wording),
                )
            )
        self._came.set()
        self._jobs.do(verdict, self._write_all, LANE)

    def _write_all(self) -> None:
        """Write all that waits, and what more keys bring meanwhile, then what follows from it."""
        while self._waiting:
            try:
                self._write_some()
            except HelixError as error:
                # Nobody could open the journal: nothing of what waits was written.
                waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
                self._jobs.note_failure("verdicts", error.what, error.todo)
                for job in waiting:
                    job.refuse(error)

    def _write_some(self) -> None:
        with urgently():
            opened = self._jobs.source.verdicts.together()
            verdicts = opened.__enter__()
        until = time.monotonic() + _SECONDS_HELD
        with ExitStack() as ending:
            ending.push(opened)
            while time.monotonic() < until and self._has_more():
                with urgently():
                    self._waiting.popleft().write(verdicts)
        for notice in verdicts.untold():
            self._jobs.fail("catalog", notice, "The next verdict or sweep tries again.")
        self._jobs.tell(VerdictsFollowed)

    def _has_more(self) -> bool:
        """Whether something waits, or comes in a moment: it goes before the files of the others."""
        self._came.clear()
        if self._waiting or self._jobs.is_closed:
            return bool(self._waiting)
        return self._came.wait(_SECONDS_FOR_MORE)

    def _write(
        self,
        pending: PendingVerdict,
        group: Sequence[str],
        verdicts: VerdictsPort,
        *,
        is_last: bool,
    ) -> None:
        verdict, step = pending.verdict, pending.step
        try:
            outcome = self._decide(verdicts, pending, group)
        except HelixError as error:
            self._jobs.note_failure(verdict, error.what, error.todo)
            self._refuse(verdict, group, error, pending.wording, pending.seen, verdicts)
        except Exception as error:
            log.exception("%s failed", verdict)
            self._jobs.fail(verdict, f"{type(error).__name__}: {error}", _LOGGED)
            self._refuse(verdict, group, error, pending.wording)
        else:
            if outcome is not None:
                pending.outcomes.append(outcome)
                if outcome.line is not None:
                    step.line_ids.append(outcome.line.id)
                    step.others.extend(outcome.line.others)
        if is_last and pending.outcomes:
            names = list(dict.fromkeys([*(row.id for row in step.before), *step.others]))
            listed = _listed(pending.outcomes)
            self._jobs.tell(
                lambda: VerdictGiven(verdict, pending.outcomes, listed, pending.number, names)
            )

    def undo(self) -> UndoStep | None:
        """Take back what the last key did; where none did, the last verdict of the journal."""
        step = self.steps.pop() if self.steps else None
        if step is not None and step.verdict == "skip":
            return step

        number = self._number([row.id for row in step.before] if step else [])
        seen = self.seen

        def write(verdicts: VerdictsPort) -> None:
            # Known only now: what was decided before is written by the time this runs.
            if step is None:
                linked = [name for line in verdicts.undoable(1) for name in line.others]
                self._take_back(verdicts, [""], linked, number, seen)
            else:
                names = [*(row.id for row in step.before), *step.others]
                self._take_back(verdicts, step.line_ids, names, number, seen)

        def refuse(error: Exception) -> None:
            names = [row.id for row in step.before] if step is not None else []
            if step is not None and step.line_ids:
                self.steps.append(step)  # the next undo is on this one again
            self._refuse("undo", names, error, NO_DETAILS, seen)

        self._take(write, refuse)
        return step

    def take_back(self, line: JournalLine) -> None:
        """Take back one verdict of the journal, whenever it was given."""
        for step in self.steps:
            if line.id in step.line_ids:
                step.line_ids.remove(line.id)
                if not step.line_ids:
                    self.steps.remove(step)
                break
        number = self._number([line.candidate, *line.others])
        self._take(
            lambda verdicts: self._take_back(verdicts, [line.id], line.others, number, None),
            lambda error: self._refuse("undo", [line.candidate], error, NO_DETAILS),
        )

    def _take(
        self, write: Callable[[VerdictsPort], None], refuse: Callable[[Exception], None]
    ) -> None:
        """Have something taken back behind all that was given before."""

        def guarded(verdicts: VerdictsPort) -> None:
            try:
                write(verdicts)
            except HelixError as error:
                self._jobs.note_failure("undo", error.what, error.todo)
                refuse(error)
            except Exception as error:
                log.exception("undo failed")
                self._jobs.fail("undo", f"{type(error).__name__}: {error}", _LOGGED)
                refuse(error)

        self._waiting.append(_Job(guarded, refuse))
        self._came.set()
        self._jobs.do("undo", self._write_all, LANE)

    def _take_back(
        self,
        verdicts: VerdictsPort,
        line_ids: list[str],
        linked: Sequence[str],
        number: int,
        seen: Seen | None,
    ) -> None:
        """Take lines back, the last one first; what is done is no longer among them."""
        outcomes: list[Outcome] = []
        already: NotFoundError | None = None
        while line_ids:
            outcome = None
            try:
                outcome = verdicts.undo(line_ids[-1], seen=seen)
            except NotFoundError as error:
                already = error  # somebody else took it back
            line_ids.pop()
            if outcome is not None:
                outcomes.append(outcome)
        if already is not None and not outcomes:
            raise already
        candidates = [undone.line.candidate for undone in outcomes if undone.line is not None]
        names = list(dict.fromkeys([*candidates, *linked]))
        listed = _listed(outcomes)
        self._jobs.tell(lambda: VerdictUndone(outcomes, listed, number, names))

    def forget(self, candidate_ids: Sequence[str]) -> None:
        """Drop steps that came to nothing."""
        gone = set(candidate_ids)
        self.steps = [
            step
            for step in self.steps
            if step.line_ids or not gone.issuperset(row.id for row in step.before)
        ]

    def _decide(
        self,
        verdicts: VerdictsPort,
        pending: PendingVerdict,
        names: Sequence[str],
    ) -> Outcome | None:
        verdict, wording, seen = pending.verdict, pending.wording, pending.seen
        name, note = names[0], wording.note
        if verdict == "approve":
            words, shown = wording.words, wording.shown
            # Of several candidates that one key decides on, few were shown.
            is_alone = len(pending.step.before) == 1
            look: Look = "page" if wording.is_looked_at else "list" if is_alone else "rows"
            try:
                return verdicts.approve(
                    name, note=note, into=wording.into, words=words, shown=shown, seen=seen,
                    look=look,
                )  # fmt: skip
            except LookNeededError as needed:
                if (preview := needed.preview) is None:
                    raise
                self._jobs.tell(lambda: LookNeeded(preview))
                return None
        if verdict == "reject":
            return verdicts.reject(name, note=note, reason=wording.reason, seen=seen)
        if verdict == "discuss":
            return verdicts.discuss(name, note=note, seen=seen)
        if verdict == "merge":
            # The question showed all of them.
            return verdicts.merge(name, names[1:], seen=seen, look="page")
        if verdict == "split":
            return verdicts.split(name, seen=seen)
        return verdicts.snooze(name, wording.until, note=note, seen=seen)

    def _refuse(
        self,
        verdict: Verdict | Literal["undo"],
        names: Sequence[str],
        error: Exception,
        wording: VerdictDetails,
        seen: Seen | None = None,
        verdicts: VerdictsPort | None = None,
    ) -> None:
        """Say why a verdict was not given; what was typed for it is kept."""
        if wording.note or wording.until:
            self.unsent[names[0]] = wording._replace(seen=None)
        is_ours = isinstance(error, HelixError)
        reason = str(error) if is_ours else f"{type(error).__name__}: {error}"
        news = None
        if isinstance(error, ChangedError) and seen is not None:
            news = (verdicts or self._jobs.source.verdicts).news(seen)
        self._jobs.tell(lambda: VerdictRefused(verdict, names, reason, news))


def _listed(outcomes: Sequence[Outcome]) -> list[Listed]:
    """How the candidates of several verdicts stand now; the last one says it."""
    return list({listed.brief.id: listed for one in outcomes for listed in one.listed}.values())
