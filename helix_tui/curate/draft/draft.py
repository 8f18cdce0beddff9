"""A candidate written up without any model: words of ours, and those of a log marked as such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from helix_tui.curate.draft.advice import topic_of
from helix_tui.curate.draft.names import block, is_plain, quoted
from helix_tui.curate.draft.ways import Standing, unadvised_sessions
from helix_tui.curate.draft.wording import LogWords, Wording, worded
from helix_tui.curate.page.pattern import Excerpt, Pattern, PatternEvidence, Provenance
from helix_tui.curate.page.why import line_mark, why_text
from helix_tui.schema.candidate import Candidate, Evidence, Ranked
from helix_tui.schema.curation import EvidenceDetail
from helix_tui.text.times import iso

__all__ = ["Draft", "Excerpts", "LogWords", "draft", "evidence_of"]

# What evidence says, by candidate, session and fingerprint, as detection gives it.
Excerpts = Mapping[tuple[str, str, int], str]

_FIRST_VERSION = "1.0.0"
_MOST_EXCERPTS = 3
_EXCERPT_LENGTH = 600
_MOST_REPOS = 20
_SUBJECT_LENGTH = 120


class Draft(NamedTuple):
    """A pattern to be decided on, which of its fields hold words of a log, and whose they are.

    What has such a field is shown with its origin before it is approved. `remedy` says how what
    overcame the problem was judged, where something did.
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
    """The page that an approve would write; status and readiness are the gate's to say.

    Pieces of sessions are in it only where a person looks at it first.
    """
    candidate = ranked.candidate
    said = {
        one: text
        for one in candidate.evidence
        if (text := excerpts.get((candidate.id, one.session, one.fingerprint)))
    }
    words = worded(ranked, said)
    evidence = evidence_of(ranked, words, detail if is_reviewed else "counts")
    is_cited = detail == "excerpts" and is_reviewed
    pattern = Pattern(
        id=candidate.id,
        version=_FIRST_VERSION,
        kind=candidate.kind,
        status="provisional",
        signal=candidate.signal,
        error_class=candidate.error_class,
        subject=quoted(_subject(candidate), _SUBJECT_LENGTH),
        candidates=[candidate.id],
        evidence=evidence,
        provenance=_provenance(ranked, words, author, at),
        title=words.title,
        problem=words.problem,
        applies=words.applies,
        does_not_apply=words.does_not_apply,
        guidance=words.guidance,
        why=why_text(evidence, candidate.kind),
        excerpts=list(_cited(said)) if is_cited else [],
    )
    return Draft(pattern, words.log_fields, words.origin, words.remedy)


def _subject(candidate: Candidate) -> str:
    """What a candidate is about: the topic in words of ours where users speak of a known one."""
    is_said = candidate.signal in ("user_correction", "user_reaction")
    return (topic_of(candidate) if is_said else "") or candidate.subject


def evidence_of(ranked: Ranked, words: Wording, detail: EvidenceDetail) -> PatternEvidence:
    """What a candidate's figures come to; repositories are named by plain names only.

    What helped is counted of the line of the guidance that says it.
    """
    names = [name for name in ranked.repos if is_plain(name)][:_MOST_REPOS]
    return PatternEvidence(
        sessions=len(ranked.candidate.members),
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
    """In how many sessions the way out helped that most of them took."""
    candidate, remedy = ranked.candidate, ranked.remedy
    if candidate.signal == "recovery":
        sessions = len(candidate.members)
        return min(sessions, next(iter(candidate.ways.values()), sessions))
    return remedy.ways.get(remedy.verb, remedy.sessions) if remedy else 0


def _unadvised(ranked: Ranked) -> int:
    """In how many sessions it was overcome in a way that is never proposed."""
    candidate, remedy = ranked.candidate, ranked.remedy
    if candidate.signal == "recovery":
        found = unadvised_sessions(candidate.ways, candidate.remedy_text)
        return min(found, len(candidate.members))
    if remedy is None:
        return 0
    ways = remedy.ways or {remedy.verb: remedy.sessions}
    return min(unadvised_sessions(ways, remedy.text), remedy.sessions)


def _provenance(ranked: Ranked, words: Wording, author: str, at: str) -> Provenance:
    return Provenance(
        author=author,
        at=at,
        candidate=ranked.candidate.id,
        score=ranked.score,
        guidance="log" if "guidance" in words.log_fields else "advice",
    )


def _cited(said: Mapping[Evidence, str]) -> Iterator[Excerpt]:
    """A few occurrences, of as many agents and sessions as there are."""
    left = list(said)
    met: set[str] = set()
    for _ in range(_MOST_EXCERPTS):
        fresh = [one for one in left if one.session not in met]
        if not fresh:
            return
        one = next((one for one in fresh if _agent(one) not in met), fresh[0])
        left.remove(one)
        met |= {one.session, _agent(one)}
        if text := block(said[one], _EXCERPT_LENGTH):
            yield Excerpt(
                session=one.session,
                fingerprint=f"{one.fingerprint & 0xFFFFFFFFFFFFFFFF:016x}",
                at=iso(one.ts),
                text=text,
            )


def _agent(one: Evidence) -> str:
    return one.session.partition(":")[0]
