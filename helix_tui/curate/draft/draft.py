"""Draft the page of a candidate without a language model; words from logs are marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from helix_tui.curate.draft.log_words import LogWords, Wording
from helix_tui.curate.draft.names import block, is_plain, quoted
from helix_tui.curate.draft.ways import Standing, unadvised_sessions
from helix_tui.curate.draft.wording import worded
from helix_tui.curate.page.pattern import Excerpt, Pattern, PatternEvidence, Provenance
from helix_tui.curate.page.why import line_mark, why_text
from helix_tui.schema.candidate import Candidate, Evidence, Ranked
from helix_tui.schema.curation import EvidenceDetail
from helix_tui.text.times import iso

__all__ = ["Draft", "Excerpts", "LogWords", "draft", "evidence_of"]

# The texts of evidence by candidate, session and fingerprint, as detection returns them.
Excerpts = Mapping[tuple[str, str, int], str]

_FIRST_VERSION = "1.0.0"
_MOST_EXCERPTS = 3
_EXCERPT_LENGTH = 600
_MOST_REPOS = 20
_SUBJECT_LENGTH = 120


class Draft(NamedTuple):
    """A pattern to decide on, the fields of it that hold words from a log, and their origin.

    A draft with such fields is shown with their origin before it is approved. `remedy` is how the
    way out of the problem was judged, where there is one.
    """

    pattern: Pattern
    log_fields: list[str]
    origin: list[LogWords]
    remedy: Standing | None = None


def draft(
    ranked: Ranked,
    excerpts: Excerpts,
    *,
    author: str,
    at: str,
    detail: EvidenceDetail,
    is_reviewed: bool,
) -> Draft:
    """Draft the page that an approval would write; the gate decides status and readiness.

    It cites excerpts of sessions only where a person reviews it first.
    """
    candidate = ranked.candidate
    texts = {
        occurrence: text
        for occurrence in candidate.evidence
        if (text := excerpts.get((candidate.id, occurrence.session, occurrence.fingerprint)))
    }
    words = worded(ranked, texts, is_reviewed=is_reviewed)
    evidence = evidence_of(ranked, words, detail if is_reviewed else "counts")
    is_cited = detail == "excerpts" and is_reviewed
    pattern = Pattern(
        id=candidate.id,
        version=_FIRST_VERSION,
        kind=candidate.kind,
        status="provisional",
        signal=candidate.signal,
        error_class=candidate.error_class,
        subject=quoted(candidate.subject, _SUBJECT_LENGTH),
        scope=_scope(candidate, evidence),
        candidates=[candidate.id],
        evidence=evidence,
        provenance=_provenance(ranked, words, author, at),
        title=words.title,
        problem=words.problem,
        applies=words.applies,
        does_not_apply=words.does_not_apply,
        guidance=words.guidance,
        why=why_text(evidence, candidate.kind, candidate.signal),
        excerpts=list(_cited(texts)) if is_cited else [],
    )
    return Draft(pattern, words.log_fields, words.origin, words.remedy)


def evidence_of(ranked: Ranked, words: Wording, detail: EvidenceDetail) -> PatternEvidence:
    """Sum up the evidence of a candidate; only repositories with plain names are named.

    The sessions in which a way out helped are counted for the line of guidance that names it.
    """
    names = [name for name in ranked.repos if is_plain(name)][:_MOST_REPOS]
    return PatternEvidence(
        sessions=ranked.brief.sessions,
        frequency=ranked.frequency,
        flavors={name: rate.having for name, rate in sorted(ranked.flavors.items())},
        repos=len(ranked.repos),
        cost_impact=ranked.cost_impact,
        first_seen=iso(ranked.first_ts),
        last_seen=iso(ranked.last_ts),
        repo_names=sorted(names) if detail == "excerpts" else [],
        remedied=_remedied(ranked) if words.helped else 0,
        remedied_line=line_mark(words.helped),
        unadvised=_unadvised(ranked),
    )


def _remedied(ranked: Ranked) -> int:
    """Count the conversations in which the remedy worked, to the end."""
    return ranked.remedy.sessions - ranked.remedy.further if ranked.remedy else 0


def _unadvised(ranked: Ranked) -> int:
    """Count the conversations that overcame it in a way that is never proposed."""
    remedy = ranked.remedy
    if remedy is None:
        return 0
    if remedy.is_weakening:
        return remedy.sessions
    ways = remedy.ways or {remedy.verb: remedy.sessions}
    return min(unadvised_sessions(ways, remedy.ran), remedy.of)


def _scope(candidate: Candidate, evidence: PatternEvidence) -> str:
    """Name the repository where it was seen, or mostly was, if the page names any."""
    repos = Counter(member.repo for member in candidate.members.values())
    repo = min(repos, key=lambda name: (-repos[name], name))
    is_named = candidate.scope == "repo" and repo in evidence.repo_names
    return f"repo:{repo}" if is_named else candidate.scope


def _provenance(ranked: Ranked, words: Wording, author: str, at: str) -> Provenance:
    return Provenance(
        author=author,
        at=at,
        candidate=ranked.candidate.id,
        score=ranked.score,
        guidance="log" if "guidance" in words.log_fields else "advice",
    )


def _cited(texts: Mapping[Evidence, str]) -> Iterator[Excerpt]:
    """Choose a few occurrences, from as many agents and sessions as possible."""
    remaining = list(texts)
    cited: set[str] = set()
    for _ in range(_MOST_EXCERPTS):
        fresh = [occurrence for occurrence in remaining if occurrence.session not in cited]
        if not fresh:
            return
        occurrence = next(
            (occurrence for occurrence in fresh if _agent(occurrence) not in cited), fresh[0]
        )
        remaining.remove(occurrence)
        cited |= {occurrence.session, _agent(occurrence)}
        if text := block(texts[occurrence], _EXCERPT_LENGTH):
            yield Excerpt(
                session=occurrence.session,
                fingerprint=f"{occurrence.fingerprint & 0xFFFFFFFFFFFFFFFF:016x}",
                at=iso(occurrence.ts),
                text=text,
            )


def _agent(occurrence: Evidence) -> str:
    return occurrence.session.partition(":")[0]
