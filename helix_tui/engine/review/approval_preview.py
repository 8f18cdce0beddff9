"""What a reviewer is shown of one candidate before they decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from helix_tui.config import Config
from helix_tui.curate.draft.gate import gate, weight_of_evidence
from helix_tui.engine.review.promotion import Promoter, Wish
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates, today
from helix_tui.engine.review.seen import seen_of
from helix_tui.engine.review.transaction import supposed_transaction
from helix_tui.errors import HelixError
from helix_tui.schema.board import ApprovalPreview, Reviewed
from helix_tui.schema.effect import Returned
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import renamed_ids
from helix_tui.text.times import iso

_UNSHOWN = "(it holds a hidden sign or a secret, and is not shown)"


def previews(
    config: Config,
    database: Database,
    names: Sequence[str],
    returned: Mapping[str, Returned] = {},
) -> Iterator[tuple[str, ApprovalPreview | HelixError]]:
    """What approving each of some candidates alone would write, or why it could not be.

    The journal and the catalog are read once for all of them; nothing is held.
    """
    transaction = supposed_transaction(config, renamed_ids(database.connection()))
    candidates = ReviewedCandidates(database, config, transaction.state, today(), returned=returned)
    promoter = Promoter(transaction, candidates)
    for name in names:
        try:
            yield name, preview_of(promoter, candidates, candidates.decidable(name), Wish())
        except HelixError as error:
            yield name, error


def preview_of(
    promoter: Promoter, candidates: ReviewedCandidates, reviewed: Reviewed, wish: Wish
) -> ApprovalPreview:
    """The candidate, what approving it would write, and what should be looked at first."""
    transaction = promoter.transaction
    aim = promoter.aim(reviewed, wish)
    plan = promoter.plan(aim, [reviewed], wish)
    made = promoter.carry_out(plan, wish)
    pattern = made.pattern
    verdict = gate(
        weight_of_evidence(pattern.evidence),
        transaction.config.curate.floors,
        has_words=bool(pattern.guidance),
    )
    candidate = reviewed.ranked.candidate
    told = candidates.excerpts(candidate)
    return ApprovalPreview(
        reviewed,
        made.page,
        pattern.title,
        made.action,
        "" if aim.target == candidate.id else aim.target,
        [(one.name, one.actual, one.needed, one.is_met) for one in verdict.floors],
        pattern.status,
        [(one.pattern_id, one.reason) for one in aim.resemblances],
        plan.words_of_log,
        [(one.session, one.text or _UNSHOWN) for one in plan.origins],
        [
            (cited.session, iso(cited.ts), told[key])
            for cited in candidate.evidence
            if (key := (candidate.id, cited.session, cited.fingerprint)) in told
        ],
        transaction.notices,
        seen=seen_of(transaction.lines, transaction.files),
        told=candidates.told(candidate.id),
    )
