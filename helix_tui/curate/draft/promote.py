"""What approving a candidate makes of a pattern: a new one, an update, or nothing."""

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
from helix_tui.curate.page.why import why_text, with_its_line
from helix_tui.schema.curation import Floors
from helix_tui.schema.review import JournalLine

_STANDING = re.compile(r"^(?:status|distribution_ready): .*$", re.MULTILINE)
_STANDING_FIELDS = ("status", "distribution_ready", "superseded_by")
FIRST_VERSION = "1.0.0"
# What a reviewer words; the rest of a page is measured or decided elsewhere.
_WORDS = (
    *("title", "problem", "applies", "does_not_apply", "guidance", "why"),
    *("rendering", "related", "sections", "extra"),
)
PromotionAction = Literal["created", "updated", "unchanged"]


class Promotion(NamedTuple):
    """A pattern as it is to stand in the catalog, and what is new about that.

    `others` are patterns that lose candidates to it; `page` is its text once it is rendered.
    """

    pattern: Pattern
    action: PromotionAction
    conflicts: list[Conflict]
    others: Sequence[Promotion] = ()
    page: str = ""


class KnownPattern(NamedTuple):
    """A pattern that is there: as Helix last wrote it, as it stands, and who set its status."""

    written: Pattern
    current: Pattern
    is_status_by_hand: bool


def create(draft: Pattern, verdict: GateVerdict, after: str = "") -> Promotion:
    """A first version, with the standing that the gate gives it.

    `after` is the version of a page of that name which is gone: its history may be there.
    """
    made = replace(
        draft,
        version=bump(after, "minor") if after else FIRST_VERSION,
        status=verdict.status,
        distribution_ready=verdict.distribution_ready,
    )
    made = replace(made, why=why_text(made.evidence, made.kind))
    return Promotion(tidy(made), "created", [])


def update(
    known: KnownPattern, draft: Pattern, floors: Floors, candidates: Sequence[str]
) -> Promotion:
    """A pattern with what its candidates show now; the words that were approved stay.

    Evidence is only replaced by more, unless it is that of other candidates: a colleague who saw
    less of it, or a store that was made anew from fewer logs, takes nothing away.
    """
    known = _counted(known, floors)
    written, current = known.written, known.current
    listed = [*candidates] or written.candidates
    is_regathered = not set(current.candidates) <= set(listed)
    evidence = draft.evidence if is_regathered else grown(current.evidence, draft.evidence)
    ours = replace(
        written,
        candidates=listed,
        evidence=evidence,
        excerpts=written.excerpts or draft.excerpts,
        why=_why(written, evidence),
    )
    if not known.is_status_by_hand or current.status == "deprecated":
        # By the evidence that the file will show, which may be more than this machine has.
        verdict = gate(weight_of_evidence(evidence), floors)
        ours = replace(
            ours,
            status=verdict.status,
            distribution_ready=verdict.distribution_ready,
            superseded_by="",
        )
    return settle(known, ours)


def _counted(known: KnownPattern, floors: Floors) -> KnownPattern:
    """What a file says that follows from its own evidence is nobody's word: it is counted anew.

    So it is when a colleague's Helix wrote the file, who had seen more.
    """
    written, current, is_by_hand = known
    if current.why == why_text(current.evidence, current.kind):
        written = replace(written, why=current.why, evidence=current.evidence)
    if is_by_hand and current.status != "deprecated":
        verdict = gate(weight_of_evidence(current.evidence), floors)
        standing = (verdict.status, verdict.distribution_ready)
        is_by_hand = (current.status, current.distribution_ready) != standing
    return KnownPattern(written, current, is_by_hand)


def settle(known: KnownPattern, ours: Pattern) -> Promotion:
    """Joins a wanted state with what a person wrote into the file, and gives it its version."""
    written, current = known.written, known.current
    merged = merge(written, current, ours)
    is_untouched = merged.pattern.guidance == written.guidance
    settled = with_its_line(merged.pattern, is_untouched=is_untouched)
    # A version that a person has raised already counts for the change that they made.
    before = current if compare_versions(current.version, written.version) > 0 else written
    unversioned = replace(settled, version=before.version)
    wanted = tidy(replace(unversioned, version=next_version(before, unversioned)))
    action: PromotionAction = "unchanged" if wanted == current else "updated"
    return Promotion(wanted, action, merged.conflicts)


def reword(
    known: KnownPattern | None, made: Promotion, words: Pattern, shown: Pattern
) -> Promotion:
    """A promotion in a reviewer's own words, which they put over the page that they were shown.

    What somebody changed in the file meanwhile stays, and is told where both changed it.
    """
    own = {name: getattr(words, name) for name in _WORDS}
    seen = {name: getattr(shown, name) for name in _WORDS}
    there = made.pattern
    merged = merge(replace(there, **seen), there, replace(there, **own))
    is_untouched = merged.pattern.guidance == there.guidance
    pattern = tidy(with_its_line(merged.pattern, is_untouched=is_untouched))
    if pattern.guidance != there.guidance:
        is_program = words.provenance.guidance == "command"
        source: GuidanceSource = "command" if is_program else "person"
        provenance = replace(pattern.provenance, guidance=source)
        pattern = replace(pattern, provenance=provenance)
    conflicts = [*made.conflicts, *merged.conflicts]
    if known is None:
        return made._replace(pattern=pattern, conflicts=conflicts)
    unversioned = replace(pattern, version=known.current.version)
    version = next_version(known.current, unversioned)
    if change_of(known.current, pattern) == "none":
        return made._replace(pattern=known.current, action="unchanged", conflicts=conflicts)
    # What else was changed in the file may be worth more than these words.
    pattern = replace(pattern, version=higher_version(version, there.version))
    return made._replace(pattern=pattern, action="updated", conflicts=conflicts)


def grown(known: PatternEvidence, seen: PatternEvidence) -> PatternEvidence:
    """The evidence that shows more; repositories that a person saw named stay named."""
    is_more = (seen.sessions, seen.frequency) > (known.sessions, known.frequency)
    has_agent = seen.sessions >= known.sessions and bool(seen.flavors.keys() - known.flavors.keys())
    if not is_more and not has_agent:
        return known
    return replace(seen, repo_names=seen.repo_names or known.repo_names)


def deprecate(known: KnownPattern, superseded_by: str = "") -> Promotion:
    """A pattern that agents are no longer to follow; its file stays, and says so.

    A verdict goes before a status that somebody gave it in its file before.
    """
    written, current, _ = known
    standing = {name: getattr(current, name) for name in _STANDING_FIELDS}
    ours = replace(
        written,
        status="deprecated",
        distribution_ready=False,
        superseded_by=superseded_by or current.superseded_by,
        candidates=current.candidates,
        evidence=current.evidence,
    )
    return settle(known._replace(written=replace(written, **standing)), ours)


def supersede(
    known: KnownPattern | None, made: Promotion, others: Sequence[Promotion]
) -> Promotion:
    """A promotion with what it takes from other patterns; those that it replaces are named."""
    old = [one.pattern.id for one in others if one.pattern.superseded_by == made.pattern.id]
    supersedes = list(dict.fromkeys([*made.pattern.supersedes, *old]))
    made = made._replace(others=[one for one in others if one.action != "unchanged"])
    if supersedes == made.pattern.supersedes:
        return made
    pattern = replace(made.pattern, supersedes=supersedes)
    if known is not None and made.action == "unchanged":
        version = next_version(known.current, pattern)
        return made._replace(pattern=replace(pattern, version=version), action="updated")
    return made._replace(pattern=pattern)


def is_status_by_hand(lines: Iterable[JournalLine], pattern_id: str) -> bool:
    """Whether the last to change a pattern's standing was a person in its file."""
    standing, by_hand = None, False
    for line in lines:
        for write in line.writes:
            if write.pattern == pattern_id and write.text is not None:
                now = _STANDING.findall(write.text.partition("\n---\n")[0])
                if standing is not None and now != standing:
                    by_hand = line.action == "edit"
                standing = now
    return by_hand


def _why(pattern: Pattern, evidence: PatternEvidence) -> str:
    """What the evidence shows, unless somebody put it in their own words."""
    is_ours = pattern.why in ("", why_text(pattern.evidence, pattern.kind))
    return why_text(evidence, pattern.kind) if is_ours else pattern.why
