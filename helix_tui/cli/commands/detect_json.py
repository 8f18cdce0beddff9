"""Candidates as scripts see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from helix_tui.cli.commands.told_json import told_json
from helix_tui.schema.board import Could, Detection
from helix_tui.schema.context import NOT_TOLD
from helix_tui.schema.review import Review
from helix_tui.text.leads import is_plain_way
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.schema.candidate import Ranked, Rate, Remedy


def candidates_json(detection: Detection) -> list[dict[str, Any]]:
    """The candidates in their order."""
    return list(each_json(detection))


def each_json(detection: Detection) -> Iterator[dict[str, Any]]:
    """The candidates one by one, since there may be very many."""
    return (_candidate(ranked, detection) for ranked in detection.ranked)


def _candidate(ranked: Ranked, detection: Detection) -> dict[str, Any]:
    candidate = ranked.candidate
    remedy = ranked.remedy
    reviewed = detection.reviewed.get(candidate.id)
    review = reviewed.review if reviewed else Review()
    could = detection.could.get(candidate.id)
    return {
        "id": candidate.id,
        "kind": candidate.kind,
        "signal": candidate.signal,
        "signals": candidate.signals,
        "class": candidate.error_class or None,
        "subject": candidate.subject or None,
        "tool_class": candidate.tool_class or None,
        "title": candidate.title,
        "frequency": ranked.frequency,
        "sessions": ranked.brief.sessions,
        "conversations": ranked.brief.sessions,
        "repos": [name for name in ranked.repos if name],
        "flavors": list(ranked.flavors),
        "opportunities": could.sessions if could else None,
        "opportunity": could.text if could else None,
        "rates": _rates(ranked.flavors, could),
        "repo_rates": _rates(ranked.repos),
        "cross_flavor": ranked.is_cross_flavor,
        "cross_flavor_firm": ranked.is_cross_flavor_firm,
        "cost_impact": ranked.cost_impact,
        "score": ranked.score,
        "score_parts": ranked.parts._asdict(),
        "first_seen": iso(ranked.first_ts),
        "last_seen": iso(ranked.last_ts),
        "trend": ranked.trend,
        "state": ranked.state,
        "verdict": reviewed.verdict if reviewed else review.verdict,
        "notes": [{"at": at, "author": by, "text": text} for at, by, text in review.notes],
        "pattern": review.pattern or None,
        "decided": [one._asdict() for one in review.said],
        "assigned": review.assigned or None,
        "team": brief.team._asdict() if (brief := ranked.brief).team else None,
        "merged_into": review.merged_into or None,
        "was_part_of": detection.was_part_of.get(candidate.id),
        "changed": (reviewed.changed if reviewed else "") or None,
        "sort": candidate.sort,
        "tier": candidate.tier,
        "tier_reason": candidate.tier_reason,
        "scope": candidate.scope,
        "distributable": _distributable(detection, candidate.id),
        "shape": candidate.shape or None,
        "kinds": candidate.kinds,
        "remedy": _remedy(remedy) if remedy else None,
        "told": told_json(detection.told.get(candidate.id, NOT_TOLD)),
        "resolves": None,
        "ways": candidate.ways,
        "hints": candidate.hints,
        "read": len(candidate.drawn) or None,
        "seen_once": [one.text for one in candidate.leads if is_plain_way(one)],
        "templates": candidate.templates,
        "aliases": candidate.aliases,
        "similar": detection.similar.get(candidate.id, []),
        "evidence": [
            {
                "session": cited.session,
                "fingerprint": f"{cited.fingerprint & 0xFFFFFFFFFFFFFFFF:016x}",
                "ts": iso(cited.ts),
                "excerpt": detection.excerpts.get(
                    (candidate.id, cited.session, cited.fingerprint), ""
                ),
            }
            for cited in candidate.evidence
        ],
        "members": list(candidate.members),
    }


def _distributable(detection: Detection, name: str) -> dict[str, Any]:
    may = detection.distributable.get(name)
    return may._asdict() if may else {"repo": False, "user": False, "reason": ""}


def _remedy(remedy: Remedy) -> dict[str, Any]:
    # What gives up a safeguard is counted, and handed to nobody.
    is_shown = not remedy.is_weakening
    return {
        "id": remedy.id,
        "title": remedy.text,
        "text": remedy.text,
        "verb": remedy.verb if is_shown else "",
        "failed": remedy.failed if is_shown else "",
        "works": remedy.works if is_shown else "",
        "advised": is_shown,
        "sessions": remedy.sessions,
        "of": remedy.of,
        "share": remedy.share,
        "lift": remedy.lift,
        "members": remedy.members,
        "ways": remedy.ways if is_shown else {},
    }


def _rates(rates: dict[str, Rate], could: Could | None = None) -> dict[str, dict[str, int]]:
    made = {name: {"with": rate.having, "eligible": rate.eligible} for name, rate in rates.items()}
    for name, row in made.items() if could else ():
        row["opportunities"] = could.flavors.get(name, 0) if could else 0
    return made
