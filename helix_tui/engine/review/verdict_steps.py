"""Steps that several verdicts share: what is refused, what else follows, what is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.curate.draft.promote import Promotion
from helix_tui.curate.journal.standings import (
    ReviewState,
    last_undoable,
    snapshot_of,
    undoable,
    undone_ids,
)
from helix_tui.curate.page.pattern import Pattern
from helix_tui.engine.review.approval_preview import preview_of
from helix_tui.engine.review.promotion import Plan, Promoter, Wish
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates
from helix_tui.engine.review.transaction import (
    ReviewTransaction,
)
from helix_tui.errors import (
    HelixError,
    LookNeededError,
    NotFoundError,
    RefusedError,
    RefusedPlace,
)
from helix_tui.schema.board import (
    Listed,
    Reviewed,
)
from helix_tui.schema.review import VERDICT_ACTIONS, JournalLine, Snapshot
from helix_tui.text.refuse import refusals


def listed_now(
    candidates: ReviewedCandidates, transaction: ReviewTransaction, names: Sequence[str]
) -> list[Listed]:
    """How candidates stand by a line that was just written, and stands whatever happens here."""
    try:
        return candidates.listed(names)
    except HelixError as error:
        transaction.notices.append(str(error))
        return []


def refuse_unread(
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


def left_out(promoter: Promoter, reviewed: Reviewed, wish: Wish, pattern: Pattern) -> list[str]:
    """Tell what a page says of a log once somebody has read it, and does not say yet."""
    if pattern.guidance:
        return []
    read = wish._replace(is_batch=False)
    plan = promoter.plan(promoter.aim(reviewed, read), [reviewed], read)
    words = " ".join(plan.draft.pattern.guidance.split())
    if plan.known is not None or not words:
        return []
    return [f"{pattern.id}: left out are words of a log, which --yes would write: {words}"]


def let_go(
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


def to_undo(lines: Sequence[JournalLine], line_id: str) -> JournalLine | None:
    """The line that an undo takes back: a named one, or the last that can be."""
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


def evidence_on(reviewed: Reviewed) -> tuple[str, Snapshot]:
    """What a verdict is given on: the candidate, and its evidence at this moment."""
    return reviewed.ranked.candidate.id, snapshot_of(reviewed.ranked)


def standing_alone(candidates: ReviewedCandidates, name: str) -> Reviewed | None:
    """A candidate by whose own evidence changes are told, if it is still there."""
    try:
        reviewed = candidates.find(name)
    except NotFoundError:
        return None  # its sessions were forgotten
    return reviewed if reviewed.review.snapshot and reviewed.verdict != "merged" else None


def refuse_note(note: str) -> None:
    """A note goes into a file that may be shared."""
    if refused := refusals(note):
        raise RefusedError([RefusedPlace("the note", one.line, one.what) for one in refused])
