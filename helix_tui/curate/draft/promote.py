"""Work out what approving a candidate does to a pattern: create, update or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from helix_tui.curate.draft.gate import GateVerdict, gate, weight_of_evidence
from helix_tui.curate.page.page import tidy
from helix_tui.curate.page.pattern import GuidanceSource, Pattern, PatternEvidence
from helix_tui.curate.page.threeway import Conflict, merge
from helix_tui.curate.page.versions import (
    bump,
    change_of,
    compare_versions,
    higher_version,
    next_version,
)
from helix_tui.curate.page.why import drop_stale_remedy, is_our_why, why_of, why_text
from helix_tui.schema.curation import Floors
from helix_tui.schema.review import JournalLine

_STANDING = re.compile(r"^(?:status|distribution_ready): .*$", re.MULTILINE)
_STANDING_FIELDS = ("status", "distribution_ready", "superseded_by")
FIRST_VERSION = "1.0.0"
# The fields that a reviewer words; the rest of a page is measured or decided elsewhere.
_WORDS = (
    *("title", "problem", "applies", "does_not_apply", "guidance", "why"),
    *("scope", "rung", "rule", "allowed", "guard", "shape"),
    *("rendering", "related", "sections", "extra"),
)
PromotionAction = Literal["created", "updated", "unchanged"]


class Promotion(NamedTuple):
    """A pattern as the catalog should have it, and what changes by that.

    `others` are patterns that lose candidates to it; `page` is its text once it is rendered.
    """

    pattern: Pattern
    action: PromotionAction
    conflicts: list[Conflict]
    others: Sequence[Promotion] = ()
    page: str = ""


class KnownPattern(NamedTuple):
    """An existing pattern: as Helix last wrote it, as its file is now, and who set its status."""

    written: Pattern
    current: Pattern
    is_status_by_hand: bool


def create(draft: Pattern, verdict: GateVerdict, after: str = "") -> Promotion:
    """Make a first version, with the status that the gate gives it.

    `after` is the version of a deleted page of that name, whose history may still exist.
    """
    pattern = replace(
        draft,
        version=bump(after, "minor") if after else FIRST_VERSION,
        status=verdict.status,
        distribution_ready=verdict.distribution_ready,
    )
    pattern = replace(pattern, why=why_of(pattern))
    return Promotion(tidy(pattern), "created", [])


def update(
    existing: KnownPattern, draft: Pattern, floors: Floors, candidates: Sequence[str]
) -> Promotion:
    """Bring a pattern up to date with its candidates; the approved words stay.

    Evidence is only replaced by more, unless the candidates differ: a colleague who has seen less,
    or a store rebuilt from fewer logs, removes nothing.
    """
    existing = _recognise_own(existing, floors)
    written, current = existing.written, existing.current
    candidate_ids = [*candidates] or written.candidates
    is_regathered = not set(current.candidates) <= set(candidate_ids)
    evidence = draft.evidence if is_regathered else grown(current.evidence, draft.evidence)
    ours = replace(
        written,
        candidates=candidate_ids,
        evidence=evidence,
        excerpts=written.excerpts or draft.excerpts,
        why=_why(written, evidence),
    )
    if not existing.is_status_by_hand or current.status == "deprecated":
        # By the evidence in the file, which may be more than this machine has.
        verdict = gate(weight_of_evidence(evidence), floors, has_words=_has_words(current))
        ours = replace(
            ours,
            status=verdict.status,
            distribution_ready=verdict.distribution_ready,
            superseded_by="",
        )
    return settle(existing, ours)


def _recognise_own(existing: KnownPattern, floors: Floors) -> KnownPattern:
    """Treat texts and status that follow from the file's own evidence as written by Helix.

    A colleague's Helix that has seen more writes such a file; nobody edited it by hand.
    """
    written, current, is_by_hand = existing
    if is_our_why(current):
        written = replace(written, why=current.why, evidence=current.evidence)
    if is_by_hand and current.status != "deprecated":
        has_words = _has_words(current)
        verdict = gate(weight_of_evidence(current.evidence), floors, has_words=has_words)
        standing = (verdict.status, verdict.distribution_ready)
        is_by_hand = (current.status, current.distribution_ready) != standing
    return KnownPattern(written, current, is_by_hand)


def settle(existing: KnownPattern, ours: Pattern) -> Promotion:
    """Merge our state with a person's edits of the file, and set the version."""
    written, current = existing.written, existing.current
    merged = merge(written, current, ours)
    is_untouched = merged.pattern.guidance == written.guidance
    settled = drop_stale_remedy(merged.pattern, is_untouched=is_untouched)
    # A version that a person raised already covers the change that they made.
    before = current if compare_versions(current.version, written.version) > 0 else written
    unversioned = replace(settled, version=before.version)
    wanted = tidy(replace(unversioned, version=next_version(before, unversioned)))
    action: PromotionAction = "unchanged" if wanted == current else "updated"
    return Promotion(wanted, action, merged.conflicts)


def reword(
    existing: KnownPattern | None, promotion: Promotion, words: Pattern, shown: Pattern
) -> Promotion:
    """Put a promotion into a reviewer's words, which they wrote over the page they were shown.

    What somebody changed in the file meanwhile stays, and is a conflict where both changed it.
    """
    own_words = {name: getattr(words, name) for name in _WORDS}
    shown_words = {name: getattr(shown, name) for name in _WORDS}
    current = promotion.pattern
    merged = merge(replace(current, **shown_words), current, replace(current, **own_words))
    is_untouched = merged.pattern.guidance == current.guidance
    pattern = tidy(drop_stale_remedy(merged.pattern, is_untouched=is_untouched))
    if pattern.guidance != current.guidance:
        is_program = words.provenance.guidance == "command"
        source: GuidanceSource = "command" if is_program else "person"
        provenance = replace(pattern.provenance, guidance=source)
        pattern = replace(pattern, provenance=provenance)
    conflicts = [*promotion.conflicts, *merged.conflicts]
    if existing is None:
        return promotion._replace(pattern=pattern, conflicts=conflicts)
    unversioned = replace(pattern, version=existing.current.version)
    version = next_version(existing.current, unversioned)
    if change_of(existing.current, pattern) == "none":
        return promotion._replace(pattern=existing.current, action="unchanged", conflicts=conflicts)
    # Other changes of the file may call for a higher version than these words.
    pattern = replace(pattern, version=higher_version(version, current.version))
    return promotion._replace(pattern=pattern, action="updated", conflicts=conflicts)


def give_words(promotion: Promotion, guidance: str) -> Promotion:
    """Put a person's words where a page says what to do; the rest of it stays."""
    current = promotion.pattern
    provenance = replace(current.provenance, guidance="person")
    worded = replace(current, guidance=guidance, provenance=provenance)
    pattern = tidy(drop_stale_remedy(tidy(worded), is_untouched=False))
    if pattern.guidance == current.guidance:
        return promotion
    if promotion.action != "created":
        pattern = replace(pattern, version=next_version(current, pattern))
    action: PromotionAction = "created" if promotion.action == "created" else "updated"
    return promotion._replace(pattern=pattern, action=action)


def stand_anew(existing: KnownPattern | None, promotion: Promotion, floors: Floors) -> Promotion:
    """Give a pattern that was put into other words the status that the gate gives it now."""
    pattern = promotion.pattern
    is_by_hand = existing is not None and existing.is_status_by_hand
    if promotion.action == "unchanged" or is_by_hand or pattern.status == "deprecated":
        return promotion
    verdict = gate(weight_of_evidence(pattern.evidence), floors, has_words=_has_words(pattern))
    standing = {"status": verdict.status, "distribution_ready": verdict.distribution_ready}
    return promotion._replace(pattern=replace(pattern, **standing))


def _has_words(pattern: Pattern) -> bool:
    return bool(pattern.guidance.strip())


def grown(current: PatternEvidence, fresh: PatternEvidence) -> PatternEvidence:
    """Return the evidence that shows more; named repositories stay named."""
    is_more = (fresh.sessions, fresh.frequency) > (current.sessions, current.frequency)
    has_agent = fresh.sessions >= current.sessions and bool(
        fresh.flavors.keys() - current.flavors.keys()
    )
    if not is_more and not has_agent:
        return current
    return replace(fresh, repo_names=fresh.repo_names or current.repo_names)


def deprecate(existing: KnownPattern, superseded_by: str = "") -> Promotion:
    """Mark a pattern as one that agents no longer follow; its file stays, and says so.

    The verdict overrides a status that somebody set in the file before.
    """
    written, current, _ = existing
    standing = {name: getattr(current, name) for name in _STANDING_FIELDS}
    ours = replace(
        written,
        status="deprecated",
        distribution_ready=False,
        superseded_by=superseded_by or current.superseded_by,
        candidates=current.candidates,
        evidence=current.evidence,
    )
    return settle(existing._replace(written=replace(written, **standing)), ours)


def supersede(
    existing: KnownPattern | None, promotion: Promotion, others: Sequence[Promotion]
) -> Promotion:
    """Add to a promotion the patterns that lose candidates to it; name those it replaces."""
    old = [
        other.pattern.id for other in others if other.pattern.superseded_by == promotion.pattern.id
    ]
    supersedes = list(dict.fromkeys([*promotion.pattern.supersedes, *old]))
    promotion = promotion._replace(
        others=[other for other in others if other.action != "unchanged"]
    )
    if supersedes == promotion.pattern.supersedes:
        return promotion
    pattern = replace(promotion.pattern, supersedes=supersedes)
    if existing is not None and promotion.action == "unchanged":
        version = next_version(existing.current, pattern)
        return promotion._replace(pattern=replace(pattern, version=version), action="updated")
    return promotion._replace(pattern=pattern)


def is_status_by_hand(lines: Iterable[JournalLine], pattern_id: str) -> bool:
    """Whether the last change of a pattern's status was a person's edit of its file."""
    standing, by_hand = None, False
    for line in lines:
        for write in line.writes:
            if write.pattern == pattern_id and write.text is not None:
                current = _STANDING.findall(write.text.partition("\n---\n")[0])
                if standing is not None and current != standing:
                    by_hand = line.action == "edit"
                standing = current
    return by_hand


def _why(pattern: Pattern, evidence: PatternEvidence) -> str:
    """Word what the evidence shows, unless somebody put it in their own words."""
    is_ours = not pattern.why or is_our_why(pattern)
    return why_text(evidence, pattern.kind, pattern.signal) if is_ours else pattern.why
