"""The reviewer's desk: verdicts on candidates, each durable before anything follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, date, datetime

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.curate.draft.promote import Promotion
from helix_tui.curate.draft.wording import is_named_by_log
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project
from helix_tui.curate.journal.snooze import parse_until
from helix_tui.curate.journal.standings import ReviewState, last_undoable, snapshot_of, undoable
from helix_tui.engine.catalog.differences import differences_of, found_files
from helix_tui.engine.review.approval_preview import preview_of
from helix_tui.engine.review.promotion import Promoter, Wish
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates, listed_of
from helix_tui.engine.review.seen import (
    concerned,
    is_page_seen,
    is_seen,
    news_told,
    seen_of,
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
    LookNeededError,
    NotFoundError,
    RefusedError,
    RefusedPlace,
    UsageError,
)
from helix_tui.schema.board import (
    ApprovalPreview,
    AutoReport,
    Board,
    Listed,
    Listing,
    Look,
    News,
    Outcome,
    Reviewed,
)
from helix_tui.schema.candidate import CandidateFilter, Ranked, Standing
from helix_tui.schema.review import VERDICT_ACTIONS, JournalLine, Seen, Snapshot
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import renamed_ids
from helix_tui.text.refuse import refusals

Reading = Callable[[], AbstractContextManager[Database]]
_NOTHING_WRITTEN = "Nothing was written; look at how it stands now, and decide again."


class Verdicts:
    """Where verdicts are given on the candidates of one store."""

    def __init__(self, config: Config, reading: Reading) -> None:
        self._config = config
        self._reading = reading
        # The lines that were written here: whoever decides here knows of them.
        self._own: set[str] = set()
        self._open: tuple[ReviewedCandidates, ReviewTransaction] | None = None

    def board(self, wanted: CandidateFilter, stale: str = "") -> Board:
        """Every candidate with how it stands; nothing is written for that."""
        with self._reading() as database:
            state, troubles = self.state()
            return Board(self._candidates(database, state).board(wanted), stale, troubles)

    def listing(self, stale: str = "") -> Listing:
        """Every candidate as a list shows it; nothing is written for that."""
        with self._reading() as database:
            found = found_files(self._config).files
            lines, troubles = self._lines()
            seen = seen_of(lines, project(lines), found)
            listed = self._candidates(database, self._state_of(lines)).listing()
            return Listing(listed, stale, troubles, seen)

    def state(self) -> tuple[ReviewState, list[str]]:
        """How everything stands, and what of the journal cannot be read."""
        lines, troubles = self._lines()
        return self._state_of(lines), troubles

    def _lines(self) -> tuple[list[JournalLine], list[str]]:
        path = self._config.curate.review_log
        read = Journal(path).lines()
        unread = (*read.damaged, *read.unknown)
        return read.lines, [f"{path}, line {one.number}: {one.reason}" for one in unread]

    def _state_of(self, lines: Sequence[JournalLine]) -> ReviewState:
        """How everything stands by lines, and by pages that no line knows yet."""
        from helix_tui.engine.catalog.adoption import adopted_lines

        return ReviewState([*lines, *adopted_lines(self._config, lines)])

    def news(self, seen: Seen) -> News | None:
        """What others did since somebody looked, in the journal and to pages; None if nothing."""
        found = found_files(self._config)
        lines, _ = self._lines()
        theirs = [one for one in lines if not (one.id in self._own or is_seen(one, seen))]
        differences = differences_of(self._config, lines, found)
        touched = [(name, files.text) for name, files in differences.edited.items()]
        touched += [(name, None) for name in differences.removed]
        pages = [name for name, text in touched if not is_page_seen(name, text, seen)]
        now = seen_of(lines, project(lines), found.files)
        if not theirs and not pages:
            return None
        names = concerned(lines, theirs, pages)
        return News(self.listed(names), now, news_told(theirs, pages), pages)

    def standings(self, database: Database, listed: Sequence[Ranked]) -> dict[str, Standing]:
        """How listed candidates stand, by id, with their own evidence alone."""
        state, _ = self.state()
        return self._candidates(database, state).standings(listed)

    def approve_all(self) -> AutoReport:
        """Promotes all that clears the bar, and nothing else."""
        from helix_tui.engine.review.batch import Batch

        with self._transaction() as (candidates, held):
            return Batch(held, candidates).run()

    def listed(self, names: Sequence[str]) -> list[Listed]:
        """How candidates stand now, those of them that are still there."""
        if self._open is not None:
            return _listed(self._candidates_of_open(*self._open), names)
        with self._reading() as database:
            state, _ = self.state()
            return _listed(self._candidates(database, state), names)

    def undoable(self, most: int) -> list[JournalLine]:
        """The last verdicts that can be taken back, the newest first."""
        if self._open is not None:
            return undoable(self._open[1].lines, most)
        return undoable(Journal(self._config.curate.review_log).lines().lines, most)

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
        with self._transaction(seen, name) as (candidates, held):
            preview = preview_of(held, candidates, candidates.decidable(name), wish)
            return preview._replace(seen=seen_of(held.lines, held.files))

    def approve(
        self,
        name: str,
        *,
        note: str = "",
        is_new: bool = False,
        into: str = "",
        words: str | None = None,
        shown: str = "",
        seen: Seen | None = None,
        look: Look = "none",
    ) -> Outcome:
        """Makes a candidate a pattern, or adds it to one that it resembles.

        `words` is a page that the reviewer made of the one that was `shown`. Words of a log are
        written only where they looked at the page, pieces of sessions where they saw these.
        """
        _refuse_note(note)
        wish = Wish(is_new=is_new, into=into, words=words, shown=shown, is_batch=look == "none")
        with self._transaction(seen, name) as (candidates, held):
            reviewed = candidates.decidable(name)
            promoter = Promoter(held, candidates)
            plan = promoter.plan(promoter.aim(reviewed, wish), [reviewed], wish)
            if plan.words_of_log and look != "page":
                texts = [(one.session, one.text) for one in plan.origins]
                raise LookNeededError(reviewed.ranked.candidate.id, plan.words_of_log, texts)
            promoted = promoter.carry_out(plan, wish)
            pattern = promoted.pattern
            told = held.outcomes(promoted)
            if not writes_of(promoted) and is_told(reviewed, pattern.id) and not note:
                return Outcome(None, told, held.untold())
            line = held.promotion_line(reviewed, promoted, note)
            line = self._keep(held, line, f"approve {pattern.id} {pattern.version}")
            return Outcome(line, told, held.untold())

    def reject(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Decides that a candidate is not to be taught; what it alone made is deprecated."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, held):
            reviewed = candidates.decidable(name)
            if reviewed.verdict == "rejected" and not note and not reviewed.changed:
                return Outcome(None, [], held.untold())
            name, snapshot = _on(reviewed)
            made = Promoter(held, candidates).retire([name, *reviewed.review.merged])
            line = held.line("reject", name, snapshot, note=note, writes=writes_of(*made))
            line = self._keep(held, line, f"reject {name}")
            return Outcome(line, held.outcomes(*made), held.untold())

    def discuss(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Adds to the thread of a candidate, which stays open."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, held):
            reviewed = candidates.decidable(name)
            line = held.line("discuss", *_on(reviewed), note=note)
            line = self._keep(held, line)
            return Outcome(line, [], held.untold())

    def snooze(self, name: str, until: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Puts a candidate off until a day, a number of sessions, or one agent more."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, held):
            reviewed = candidates.decidable(name)
            waits = parse_until(until, snapshot_of(reviewed.ranked), _today())
            line = held.line("snooze", *_on(reviewed), note=note, until=waits)
            line = self._keep(held, line)
            return Outcome(line, [], held.untold())

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
        with self._transaction(seen, name, *others) as (candidates, held):
            target = candidates.decidable(name)
            those = [candidates.alone(other) for other in others]
            alone = candidates.alone(target.ranked.candidate.id)
            refusal = held.state.merge_refusal(alone, those, candidates.owners)
            if refusal is not None:
                raise UsageError(refusal)
            names = list(dict.fromkeys(one.id for one in those))
            merged = candidates.together([alone.id, *names]) or target.ranked
            along = [below for one in those for below in candidates.review(one).merged]
            snapshot = snapshot_of(merged) if target.review.snapshot else None
            line = held.line("merge", alone.id, snapshot, others=names, note=note)
            promoter = Promoter(held, candidates)
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
                made = _let_go(held, candidates, line, moved)
            told = [one for one in held.outcomes(*made) if one.action != "unchanged"]
            line = replace(line, writes=writes_of(*made))
            line = self._keep(held, line, f"merge into {alone.id}")
            return Outcome(line, told, held.untold())

    def split(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Takes a candidate out of the one that it was merged into, or all out of this one."""
        _refuse_note(note)
        with self._transaction(seen, name) as (candidates, held):
            candidate = candidates.alone(name)
            kept, free = held.state.let_go(candidate, candidates.owners)
            if not free:
                raise UsageError(f"{candidate.id} is not merged, and nothing is merged into it.")
            line = held.line("split", kept, others=free, note=note)
            made = _let_go(held, candidates, line, free)
            line = replace(line, writes=writes_of(*made))
            apart = candidates.seen_by(ReviewState([*held.lines, line]))
            if (left := _standing_alone(apart, kept)) is not None:
                line = replace(line, snapshot=snapshot_of(left.ranked))
            line = self._keep(held, line, f"split {', '.join(free)} from {kept}")
            return Outcome(line, held.outcomes(*made), held.untold())

    def undo(self, line_id: str = "", *, seen: Seen | None = None) -> Outcome | None:
        """Takes back the last verdict, or a named one; None where there is none left.

        The last one is that which its author saw as the last.
        """
        with self._journal() as held:
            line = _to_undo(held.lines, line_id)
            if line is None:
                return None
            if not line_id and seen and not (line.id in self._own or is_seen(line, seen)):
                what = f"The last verdict is {line.author}'s {line.action} of {line.candidate} now"
                raise ChangedError(f"{what}, given since you looked.", _NOTHING_WRITTEN)
            before = {write.pattern: held.files.get(write.pattern) for write in line.writes}
            made = held.line("undo", line.candidate, undoes=line.id)
            made = self._keep(held, made, f"take back the verdict on {line.candidate}")
            return Outcome(made, held.restored(before), held.untold())

    @contextmanager
    def together(self) -> Iterator[Verdicts]:
        """A desk for several verdicts: each is durable when it is given, their files come last.

        What goes wrong with these is told by `untold` behind it: the verdicts stand.
        """
        with self._transaction() as (candidates, held), held.files_put_off():
            verdicts = Verdicts(self._config, self._reading)
            verdicts._own, verdicts._open = self._own, (candidates, held)
            yield verdicts

    def untold(self) -> list[str]:
        """What a person should know of verdicts that were given together, and was not told yet."""
        return self._open[1].untold() if self._open is not None else []

    @contextmanager
    def _transaction(
        self, seen: Seen | None = None, *names: str
    ) -> Iterator[tuple[ReviewedCandidates, ReviewTransaction]]:
        """The journal, held; refused where others changed what is decided on since it was seen."""
        if self._open is not None:
            candidates, held = self._candidates_of_open(*self._open), self._open[1]
            self._refuse_changed(candidates, held, seen, names)
            yield candidates, held
            return
        with (
            self._reading() as database,
            review_transaction(self._config, renamed_ids(database.connection())) as held,
        ):
            candidates = self._candidates(database, held.state)
            self._refuse_changed(candidates, held, seen, names)
            yield candidates, held

    @contextmanager
    def _journal(self) -> Iterator[ReviewTransaction]:
        """The journal, held, for what needs no store."""
        if self._open is not None:
            yield self._open[1]
            return
        with review_transaction(self._config) as held:
            yield held

    def _keep(self, held: ReviewTransaction, line: JournalLine, message: str = "") -> JournalLine:
        (line,) = held.record([line], message)
        self._own.add(line.id)
        return line

    def _refuse_changed(
        self,
        candidates: ReviewedCandidates,
        held: ReviewTransaction,
        seen: Seen | None,
        names: Sequence[str],
    ) -> None:
        if seen is None:
            return
        known = [one for one in held.lines if one.id in self._own or is_seen(one, seen)]
        if len(known) == len(held.lines):
            return
        for candidate in map(candidates.alone, names):
            if told := what_changed(candidate, candidates.owners, held.lines, known):
                what = f"{candidate.id} has changed since you looked: {told}."
                raise ChangedError(what, _NOTHING_WRITTEN)

    def _candidates_of_open(
        self, candidates: ReviewedCandidates, held: ReviewTransaction
    ) -> ReviewedCandidates:
        if candidates.state is not held.state:
            candidates = candidates.seen_by(held.state)
            self._open = candidates, held
        return candidates

    def _candidates(self, database: Database, state: ReviewState) -> ReviewedCandidates:
        return ReviewedCandidates(database, self._config, state, _today())


def _listed(candidates: ReviewedCandidates, names: Sequence[str]) -> list[Listed]:
    found: list[Listed] = []
    for name in names:
        try:
            found.append(listed_of(candidates.find(name)))
        except NotFoundError:
            continue  # its sessions were forgotten, or grouping made another of it
    return found


def _let_go(
    held: ReviewTransaction, candidates: ReviewedCandidates, line: JournalLine, names: Sequence[str]
) -> list[Promotion]:
    """What becomes of the patterns of those that candidates are no part of, behind a line."""
    if not names:
        return []
    state = ReviewState([*held.lines, line])
    apart = candidates.seen_by(state)
    below = [name for one in names for name in state.merged_below(one, apart.owners)]
    return Promoter(held, apart).release([*names, *below])


def _to_undo(lines: Sequence[JournalLine], line_id: str) -> JournalLine | None:
    if not line_id:
        return last_undoable(lines)
    left = undoable(lines, len(lines))
    found = [line for line in left if line.id.startswith(line_id)]
    if len(found) == 1:
        return found[0]
    if found:
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
        found = candidates.find(name)
    except NotFoundError:
        return None  # its sessions were forgotten
    return found if found.review.snapshot and found.verdict != "merged" else None


def _today() -> date:
    return datetime.now(UTC).date()


def _refuse_note(note: str) -> None:
    """A note goes into a file that may be shared."""
    if found := refusals(note):
        raise RefusedError([RefusedPlace("the note", one.line, one.what) for one in found])
