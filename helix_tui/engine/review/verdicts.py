"""Verdicts on candidates, each durable before anything follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.curate.draft.log_words import is_named_by_log
from helix_tui.curate.draft.promote import Promotion
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.reasons import VerdictCounts, counted_verdicts
from helix_tui.curate.journal.snooze import parse_until
from helix_tui.curate.journal.standings import (
    ReviewState,
    last_undoable,
    snapshot_of,
    undoable,
    undone_ids,
)
from helix_tui.curate.page.pattern import Pattern
from helix_tui.engine.review.approval_preview import preview_of, previews
from helix_tui.engine.review.journal_state import KeptJournal
from helix_tui.engine.review.promotion import Plan, Promoter, Wish, is_as_shown
from helix_tui.engine.review.review_reading import read_review
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates, listed_of, today
from helix_tui.engine.review.seen import (
    concerned,
    is_page_seen,
    is_seen,
    news_told,
    what_changed,
)
from helix_tui.engine.review.transaction import (
    ReviewTransaction,
    is_told,
    review_transaction,
    writes_of,
)
from helix_tui.engine.review.undo_preview import Restored, restored_patterns, with_undone
from helix_tui.errors import (
    ChangedError,
    HelixError,
    LookNeededError,
    NotFoundError,
    RefusedError,
    RefusedPlace,
    UsageError,
)
from helix_tui.schema.board import (
    ApprovalPreview,
    AutoReport,
    Listed,
    Look,
    News,
    Outcome,
    Reviewed,
)
from helix_tui.schema.effect import Returned
from helix_tui.schema.review import VERDICT_ACTIONS, JournalLine, RejectReason, Seen, Snapshot
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import renamed_ids
from helix_tui.text.refuse import refusals

Reading = Callable[[], AbstractContextManager[Database]]
# What was taught and did not help, as far as that is known.
ReturnedBy = Callable[[Database], Mapping[str, Returned]]
_NOTHING_WRITTEN = "Nothing was written; look at how it stands now, and decide again."


def _nothing_returned(_: Database) -> Mapping[str, Returned]:
    return {}


class Verdicts:
    """Give verdicts on the candidates of one store, and take them back."""

    def __init__(
        self, config: Config, reading: Reading, returned: ReturnedBy = _nothing_returned
    ) -> None:
        self._config = config
        self._reading = reading
        self._returned = returned
        # The lines that were written here: whoever decides here knows of them.
        self._own: set[str] = set()
        self._open: tuple[ReviewedCandidates, ReviewTransaction] | None = None
        self._kept = KeptJournal()

    def news(self, seen: Seen) -> News | None:
        """What others did since somebody looked, in the journal and to pages; None if nothing."""
        review = read_review(self._config)
        theirs = [line for line in review.lines if not self._is_known(line, seen)]
        differences = review.differences()
        touched = [(name, files.text) for name, files in differences.edited.items()]
        touched += [(name, None) for name in differences.removed]
        pages = [name for name, text in touched if not is_page_seen(name, text, seen)]
        if not theirs and not pages:
            return None
        names = concerned(review.lines, theirs, pages)
        return News(self.listed(names), review.seen(), news_told(theirs, pages), pages)

    def approve_all(self) -> AutoReport:
        """Promotes all that clears the bar, and nothing else."""
        from helix_tui.engine.review.auto_approve import Batch

        with self._transaction() as (candidates, transaction):
            return Batch(transaction, candidates).run()

    def listed(self, names: Sequence[str]) -> list[Listed]:
        """How candidates stand now, those of them that are still there."""
        if self._open is not None:
            return self._open[0].listed(names)
        with self._reading() as database:
            return self._candidates(database, read_review(self._config).state()).listed(names)

    def undoable(self, most: int) -> list[JournalLine]:
        """The last verdicts that can be taken back, the newest first."""
        if self._open is not None:
            return undoable(self._open[1].lines, most)
        return undoable(Journal(self._config.curate.review_log).lines().lines, most)

    def counted(self) -> VerdictCounts:
        """The last verdicts on candidates by action, and why those that were rejected were."""
        return counted_verdicts(Journal(self._config.curate.review_log).lines().lines)

    def restores(self, line: JournalLine) -> Restored:
        """What taking a verdict back would restore; nothing is written."""
        lines = Journal(self._config.curate.review_log).lines().lines
        with self._reading() as database:
            without = self._candidates(database, ReviewState(with_undone(lines, line)))
            verdict = without.find(line.candidate).verdict
        return Restored(verdict, restored_patterns(lines, line))

    def preview(
        self, name: str, *, is_new: bool = False, into: str = "", seen: Seen | None = None
    ) -> ApprovalPreview:
        """A candidate with all that a reviewer needs to decide on it."""
        wish = Wish(is_new=is_new, into=into)
        with self._transaction(seen, name) as (candidates, transaction):
            promoter = Promoter(transaction, candidates)
            return preview_of(promoter, candidates, candidates.decidable(name), wish)

    def previews(self, names: Sequence[str]) -> Iterator[tuple[str, ApprovalPreview | HelixError]]:
        """What approving each of some candidates would write, or why not; nothing is held."""
        with self._reading() as database:
            yield from previews(self._config, database, names, self._returned(database))

    def approve(
        self,
        name: str,
        *,
        note: str = "",
        is_new: bool = False,
        into: str = "",
        words: str | None = None,
        shown: str = "",
        guidance: str = "",
        seen: Seen | None = None,
        look: Look = "none",
    ) -> Outcome:
        """Make a candidate a pattern, or add it to one that it resembles.

        `words` is a page that the reviewer made of the one that was `shown`, `guidance` what to do
        in their words. Words of a log are written only where they looked at the page, and as that
        had them: else `LookNeededError` brings its preview. Pieces of sessions are written where
        they saw these.
        """
        _refuse_note(note)
        is_batch = look in ("none", "rows")
        wish = Wish(is_new, into, words, shown, is_batch, guidance)
        with self._transaction(seen, name) as (candidates, transaction):
            reviewed = candidates.decidable(name)
            promoter = Promoter(transaction, candidates)
            aim = promoter.aim(reviewed, wish)
            plan = promoter.plan(aim, [reviewed], wish)
            if look == "rows":
                # Shown by their titles alone: what a look at one would bring up is asked for.
                _refuse_unread(promoter, candidates, reviewed, wish._replace(is_batch=False))
            elif plan.words_of_log and look != "page":
                # All that --yes would write is shown, also what only a reader's draft has.
                _refuse_unread(promoter, candidates, reviewed, wish._replace(is_batch=False))
                _refuse_unread(promoter, candidates, reviewed, wish, plan)
            promotion = promoter.carry_out(plan, wish)
            pattern = promotion.pattern
            if plan.words_of_log and words is None and not is_as_shown(pattern, shown):
                _refuse_unread(promoter, candidates, reviewed, wish, plan)
            if look == "none":
                transaction.notices += _left_out(promoter, reviewed, wish, pattern)
            outcomes = transaction.outcomes(promotion)
            if not writes_of(promotion) and is_told(reviewed, pattern.id) and not note:
                return Outcome(None, outcomes, transaction.untold(), [listed_of(reviewed)])
            line = transaction.promotion_line(reviewed, promotion, note)
            line = self._keep(transaction, line, f"approve {pattern.id} {pattern.version}")
            listed = [candidates.listed_again(reviewed)]
            return Outcome(line, outcomes, transaction.untold(), listed)

    def reject(
        self,
        name: str,
        *,
        note: str = "",
        reason: RejectReason = "",
        seen: Seen | None = None,
    ) -> Outcome:
        """Decides that a candidate is not to be taught; what it alone made is deprecated."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, transaction):
            reviewed = candidates.decidable(name)
            is_said = bool(note or reason)
            if reviewed.verdict == "rejected" and not is_said and not reviewed.changed:
                return Outcome(None, [], transaction.untold(), [listed_of(reviewed)])
            name, snapshot = _on(reviewed)
            made = Promoter(transaction, candidates).retire([name, *reviewed.review.merged])
            line = transaction.line(
                "reject", name, snapshot, note=note, reason=reason, writes=writes_of(*made)
            )
            line = self._keep(transaction, line, f"reject {name}")
            listed = [candidates.listed_again(reviewed)]
            return Outcome(line, transaction.outcomes(*made), transaction.untold(), listed)

    def discuss(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Adds to the thread of a candidate, which stays open."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, transaction):
            reviewed = candidates.decidable(name)
            line = transaction.line("discuss", *_on(reviewed), note=note)
            line = self._keep(transaction, line)
            return Outcome(line, [], transaction.untold(), [candidates.listed_again(reviewed)])

    def snooze(self, name: str, until: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Puts a candidate off until a day, a number of sessions, or one agent more."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, transaction):
            reviewed = candidates.decidable(name)
            waits = parse_until(until, snapshot_of(reviewed.ranked), today())
            line = transaction.line("snooze", *_on(reviewed), note=note, until=waits)
            line = self._keep(transaction, line)
            return Outcome(line, [], transaction.untold(), [candidates.listed_again(reviewed)])

    def assign(self, name: str, whom: str, *, note: str = "") -> JournalLine:
        """Says who is to look at a candidate; how it stands is as it was."""
        _refuse_note(note)
        with self._transaction() as (candidates, transaction):
            reviewed = candidates.find(name)
            line = transaction.line(
                "assign", reviewed.ranked.candidate.id, others=[whom] if whom else [], note=note
            )
            return self._keep(transaction, line)

    def merge(
        self,
        name: str,
        others: Sequence[str],
        *,
        note: str = "",
        seen: Seen | None = None,
        look: Look = "none",
    ) -> Outcome:
        """Counts candidates as the first one from now on, with all that they will show."""
        _refuse_note(note)
        with self._transaction(seen, name, *others) as (candidates, transaction):
            target = candidates.decidable(name)
            those = [candidates.alone(other) for other in others]
            alone = candidates.alone(target.ranked.candidate.id)
            refusal = transaction.state.merge_refusal(alone, those, candidates.owners)
            if refusal is not None:
                raise UsageError(refusal)
            names = list(dict.fromkeys(one.id for one in those))
            merged = candidates.together([alone.id, *names]) or target.ranked
            along = [below for one in those for below in candidates.review(one).merged]
            snapshot = snapshot_of(merged) if target.review.snapshot else None
            line = transaction.line("merge", alone.id, snapshot, others=names, note=note)
            promoter = Promoter(transaction, candidates)
            if target.verdict == "rejected":
                made = promoter.retire([*names, *along])
            else:
                made = promoter.absorb(target, [*names, *along])
            named = [one for one in those if is_named_by_log(one)]
            if made and named and look != "page":
                texts = [(next(iter(one.members), ""), one.id) for one in named]
                raise LookNeededError(target.ranked.candidate.id, ["candidates"], texts)
            if not made:
                moved = [one.id for one in those if candidates.review(one).merged_into]
                made = _let_go(transaction, candidates, line, moved)
            told = [one for one in transaction.outcomes(*made) if one.action != "unchanged"]
            line = replace(line, writes=writes_of(*made))
            line = self._keep(transaction, line, f"merge into {alone.id}")
            listed = _listed(candidates, transaction, [alone.id, *names])
            return Outcome(line, told, transaction.untold(), listed)

    def split(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Takes a candidate out of the one that it was merged into, or all out of this one."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, transaction):
            candidate = candidates.alone(name)
            kept, free = transaction.state.let_go(candidate, candidates.owners)
            if not free:
                raise UsageError(f"{candidate.id} is not merged, and nothing is merged into it.")
            line = transaction.line("split", kept, others=free, note=note)
            made = _let_go(transaction, candidates, line, free)
            line = replace(line, writes=writes_of(*made))
            apart = candidates.seen_by(ReviewState([*transaction.lines, line]))
            if (left := _standing_alone(apart, kept)) is not None:
                line = replace(line, snapshot=snapshot_of(left.ranked))
            line = self._keep(transaction, line, f"split {', '.join(free)} from {kept}")
            listed = _listed(candidates, transaction, [kept, *free])
            return Outcome(line, transaction.outcomes(*made), transaction.untold(), listed)

    def undo(self, line_id: str = "", *, seen: Seen | None = None) -> Outcome | None:
        """Takes back the last verdict, or a named one; None where there is none left.

        The last one is that which its author saw as the last.
        """
        with self._journal() as transaction:
            line = _to_undo(transaction.lines, line_id)
            if line is None:
                return None
            if not line_id and seen and not self._is_known(line, seen):
                what = f"The last verdict is {line.author}'s {line.action} of {line.candidate} now"
                raise ChangedError(f"{what}, given since you looked.", _NOTHING_WRITTEN)
            before = {write.pattern: transaction.files.get(write.pattern) for write in line.writes}
            made = transaction.undo_line(line)
            made = self._keep(transaction, made, f"take back the verdict on {line.candidate}")
            listed: Sequence[Listed] = ()
            if self._open is not None:
                listed = _listed(self._open[0], transaction, [line.candidate, *line.others])
            return Outcome(made, transaction.restored(before), transaction.untold(), listed)

    @contextmanager
    def together(self) -> Iterator[Verdicts]:
        """Give several verdicts under one lock: each is durable at once, their files come last.

        What goes wrong with the files is told by `untold` afterwards: the verdicts stand.
        """
        with self._transaction() as (candidates, transaction), transaction.files_put_off():
            verdicts = Verdicts(self._config, self._reading, self._returned)
            verdicts._own, verdicts._open = self._own, (candidates, transaction)
            yield verdicts

    def untold(self) -> list[str]:
        """What a person should know of verdicts that were given together, and was not told yet."""
        return self._open[1].untold() if self._open is not None else []

    @contextmanager
    def _transaction(
        self, seen: Seen | None = None, *names: str
    ) -> Iterator[tuple[ReviewedCandidates, ReviewTransaction]]:
        """Hold the journal; refuse where others changed what is decided on since it was seen."""
        if self._open is not None:
            self._refuse_changed(*self._open, seen, names)
            yield self._open
            return
        with (
            self._reading() as database,
            review_transaction(
                self._config, renamed_ids(database.connection()), kept=self._kept
            ) as transaction,
        ):
            candidates = self._candidates(database, transaction.state)
            self._refuse_changed(candidates, transaction, seen, names)
            yield candidates, transaction

    @contextmanager
    def _journal(self) -> Iterator[ReviewTransaction]:
        """Hold the journal, for what needs no store."""
        if self._open is not None:
            yield self._open[1]
            return
        with review_transaction(self._config, kept=self._kept) as transaction:
            yield transaction

    def _keep(
        self, transaction: ReviewTransaction, line: JournalLine, message: str = ""
    ) -> JournalLine:
        (line,) = transaction.record([line], message)
        self._own.add(line.id)
        return line

    def _refuse_changed(
        self,
        candidates: ReviewedCandidates,
        transaction: ReviewTransaction,
        seen: Seen | None,
        names: Sequence[str],
    ) -> None:
        if seen is None:
            return
        known = [line for line in transaction.lines if self._is_known(line, seen)]
        if len(known) == len(transaction.lines):
            return
        for candidate in map(candidates.alone, names):
            if told := what_changed(candidate, candidates.owners, transaction.lines, known):
                what = f"{candidate.id} has changed since you looked: {told}."
                raise ChangedError(what, _NOTHING_WRITTEN)

    def _is_known(self, line: JournalLine, seen: Seen) -> bool:
        """Whether somebody who decides here has seen a line, or wrote it."""
        return line.id in self._own or is_seen(line, seen)

    def _candidates(self, database: Database, state: ReviewState) -> ReviewedCandidates:
        back = self._returned(database)
        return ReviewedCandidates(database, self._config, state, today(), returned=back)


def _listed(
    candidates: ReviewedCandidates, transaction: ReviewTransaction, names: Sequence[str]
) -> list[Listed]:
    """How candidates stand by a line that was just written, and stands whatever happens here."""
    try:
        return candidates.listed(names)
    except HelixError as error:
        transaction.notices.append(str(error))
        return []


def _refuse_unread(
    promoter: Promoter,
    candidates: ReviewedCandidates,
    reviewed: Reviewed,
    wish: Wish,
    plan: Plan | None = None,
) -> None:
    """Refuse words of a log that nobody has looked at, with a preview of the page to look at."""
    if plan is None:
        plan = promoter.plan(promoter.aim(reviewed, wish), [reviewed], wish)
    if plan.words_of_log:
        name, texts = (
            reviewed.ranked.candidate.id,
            [(one.session, one.text) for one in plan.origins],
        )
        preview = preview_of(promoter, candidates, reviewed, wish._replace(is_batch=False))
        raise LookNeededError(name, plan.words_of_log, texts, preview)


def _left_out(promoter: Promoter, reviewed: Reviewed, wish: Wish, pattern: Pattern) -> list[str]:
    """Tell what a page says of a log once somebody has read it, and does not say yet."""
    if pattern.guidance:
        return []
    read = wish._replace(is_batch=False)
    plan = promoter.plan(promoter.aim(reviewed, read), [reviewed], read)
    words = " ".join(plan.draft.pattern.guidance.split())
    if plan.known is not None or not words:
        return []
    return [f"{pattern.id}: left out are words of a log, which --yes would write: {words}"]


def _let_go(
    transaction: ReviewTransaction,
    candidates: ReviewedCandidates,
    line: JournalLine,
    names: Sequence[str],
) -> list[Promotion]:
    """What becomes of the patterns of those that candidates are no part of, behind a line."""
    if not names:
        return []
    state = ReviewState([*transaction.lines, line])
    apart = candidates.seen_by(state)
    below = [name for one in names for name in state.merged_below(one, apart.owners)]
    return Promoter(transaction, apart).release([*names, *below])


def _to_undo(lines: Sequence[JournalLine], line_id: str) -> JournalLine | None:
    if not line_id:
        return last_undoable(lines)
    # That an id was replaced is taken back by name alone: nobody decided it last.
    undone = undone_ids(lines)
    renamed = [line for line in lines if line.action == "rename" and line.id not in undone]
    left = [*undoable(lines, len(lines)), *renamed]
    fitting = [line for line in left if line.id.startswith(line_id)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise NotFoundError(f"{line_id!r} fits several verdicts.", "Say more of the id.")
    was = next((line for line in lines if line.id.startswith(line_id)), None)
    if was is not None and was.action in VERDICT_ACTIONS:
        raise NotFoundError(f"The verdict {line_id!r} is taken back already.")
    raise NotFoundError(f"There is no verdict {line_id!r}.", "`helix undo --list` shows them.")


def _on(reviewed: Reviewed) -> tuple[str, Snapshot]:
    """What a verdict is given on: the candidate, and its evidence at this moment."""
    return reviewed.ranked.candidate.id, snapshot_of(reviewed.ranked)


def _standing_alone(candidates: ReviewedCandidates, name: str) -> Reviewed | None:
    """A candidate by whose own evidence changes are told, if it is still there."""
    try:
        reviewed = candidates.find(name)
    except NotFoundError:
        return None  # its sessions were forgotten
    return reviewed if reviewed.review.snapshot and reviewed.verdict != "merged" else None


def _refuse_note(note: str) -> None:
    """A note goes into a file that may be shared."""
    if refused := refusals(note):
        raise RefusedError([RefusedPlace("the note", one.line, one.what) for one in refused])
