"""Promotes in one go all that clears the bar, and nothing that wants a person's look."""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.curate.draft.gate import gate, weight_of
from helix_tui.curate.draft.promote import KnownPattern
from helix_tui.curate.page.mistakes import BadFileError
from helix_tui.engine.review.promotion import Aim, Promoter, Wish
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates
from helix_tui.engine.review.transaction import ReviewTransaction, is_told, writes_of
from helix_tui.errors import RefusedError
from helix_tui.schema.board import AutoReport, Missed, PatternOutcome, Reviewed
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.schema.review import JournalLine

_BATCH = Wish(is_batch=True)
_LOOK = "a person's look"
_UNADVISED = "switches a safeguard off or destroys something"
_NEVER = "a way that does not"


class Batch:
    """One batch promotion: first which candidate goes into which pattern, then the patterns."""

    def __init__(self, transaction: ReviewTransaction, candidates: ReviewedCandidates) -> None:
        self._transaction = transaction
        self._candidates = candidates
        self._promoter = Promoter(transaction, candidates)
        self._floors = transaction.config.curate.floors
        self._skipped = 0
        self._missed: list[Missed] = []
        self._groups: dict[str, tuple[Aim, list[Reviewed]]] = {}

    def run(self) -> AutoReport:
        """Writes what is new with one line for each candidate; where nothing is, nothing."""
        for reviewed in self._candidates.board(CandidateFilter()):
            self._sort(reviewed)
        lines: list[JournalLine] = []
        outcomes: list[PatternOutcome] = []
        for target, (aim, group) in list(self._groups.items()):
            try:
                made = self._promoter.carry_out(self._promoter.plan(aim, group, _BATCH), _BATCH)
            except (BadFileError, RefusedError) as error:
                self._miss(group, error)
                del self._groups[target]
                continue
            outcomes += self._transaction.outcomes(made)
            fresh = [one for one in group if not is_told(one, made.pattern.id)]
            if writes_of(made) and not fresh:
                fresh = group[:1]
            self._skipped += len(group) - len(fresh)
            for number, reviewed in enumerate(fresh):
                kept = made if number == 0 else made._replace(action="unchanged", others=())
                lines.append(self._transaction.promotion_line(reviewed, kept))
        if lines:
            self._transaction.record(lines, f"approve {len(lines)} candidates")
        promoted = [one for one in outcomes if one.action != "unchanged"]
        return AutoReport(
            len(promoted),
            sum(1 for one in promoted if one.pattern.status == "provisional"),
            self._skipped,
            self._missed,
            dict(self._merged()),
            outcomes,
            self._transaction.notices,
        )

    def _sort(self, reviewed: Reviewed) -> None:
        name = reviewed.ranked.candidate.id
        if reviewed.verdict not in ("open", "approved"):
            self._skipped += 1
            return
        verdict = gate(weight_of(reviewed.ranked), self._floors)
        if not verdict.clears_promotion:
            if reviewed.verdict == "approved":
                self._skipped += 1
            else:
                self._missed += [
                    Missed(name, one.name, one.actual, one.needed) for one in verdict.missed()
                ]
            return
        try:
            aim = self._promoter.aim(reviewed, _BATCH)
            known = self._transaction.known(aim.target)
        except (BadFileError, RefusedError) as error:
            self._miss([reviewed], error)
            return
        if known is None and reviewed.review.pattern and reviewed.verdict == "approved":
            self._skipped += 1  # somebody took its page away
            return
        if known is not None and known.current.status == "deprecated":
            self._missed.append(Missed(name, "status", "deprecated", _LOOK))
            return
        if not self._is_free_of_log(reviewed, aim, known):
            return
        if known is None and aim.draft.remedy == "unadvised":
            self._missed.append(Missed(name, "safeguard", _UNADVISED, _NEVER))
        has_words = bool((aim.draft.pattern if known is None else known.current).guidance)
        if self._floors.require_words and not has_words:
            self._missed.append(Missed(name, "words", 0, 1))
            return
        self._promoter.reserve(aim)
        self._groups.setdefault(aim.target, (aim, []))[1].append(reviewed)

    def _is_free_of_log(self, reviewed: Reviewed, aim: Aim, known: KnownPattern | None) -> bool:
        """Whether no word of a log would reach the catalog, in a new page or one that is there."""
        fields = aim.draft.log_fields if known is None else []
        fields = fields or [one.field for one in self._promoter.brought(reviewed, known)]
        if fields:
            told = f"words of a log: {', '.join(fields)}"
            self._missed.append(Missed(reviewed.ranked.candidate.id, "origin", told, _LOOK))
        return not fields

    def _miss(self, group: Iterable[Reviewed], error: BadFileError | RefusedError) -> None:
        """Leaves out what one page holds up, so that it holds up nothing else."""
        if str(error) not in self._transaction.notices:
            self._transaction.notices.append(str(error))
        is_bad = isinstance(error, BadFileError)
        told = "cannot be read" if is_bad else "holds what may not be written"
        self._missed += [Missed(one.ranked.candidate.id, "page", told, _LOOK) for one in group]

    def _merged(self) -> Iterable[tuple[str, str]]:
        for target, (_, group) in self._groups.items():
            for one in group:
                if one.ranked.candidate.id != target:
                    yield one.ranked.candidate.id, target
