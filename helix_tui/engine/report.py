"""Gather what a report is computed from: sessions, spending, digests, candidates, patterns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helix_tui.detect.rank import brief_of
from helix_tui.engine.candidates.ranking import facts_reader
from helix_tui.engine.catalog.catalog_reader import CatalogReader
from helix_tui.engine.digest_figures import DigestFigures, clean, figures_of
from helix_tui.report.tables import UNKNOWN, days_at_work, report_of
from helix_tui.schema import Session, SessionFilter
from helix_tui.schema.candidate import Candidate, CandidateFilter
from helix_tui.schema.report import (
    Gathered,
    Period,
    Report,
    Spent,
    TaughtPattern,
    Wasting,
    WorkedSession,
)
from helix_tui.store.database import Database
from helix_tui.store.detection.signals import folds_by_session
from helix_tui.store.read.costs import spent_rows
from helix_tui.text.redact import redact
from helix_tui.yielding import yielding

if TYPE_CHECKING:
    from helix_tui.engine.facade import Engine
    from helix_tui.pricing import PriceTable
    from helix_tui.schema.board import Reviewed

_MOST_QUOTED = 15
_QUOTED_LENGTH = 200


def make_report(
    engine: Engine,
    reading: Callable[[], AbstractContextManager[Database]],
    prices: PriceTable,
    period: Period,
    *,
    has_excerpts: bool = False,
) -> Report:
    """The report of a period, redacted; with `has_excerpts` the greatest waste is quoted."""
    listed = engine.sessions(SessionFilter(repo=period.repo))
    sessions = [_worked(session) for session in yielding(listed)]
    with reading() as database:
        spent = spent_rows(database, prices, period.repo)
        at_work = days_at_work(sessions, spent, period).keys()
        digested = dict(_digested(engine, database, at_work))
    sessions = [
        replace(session, corrections=counted.corrections, runs=counted.runs)
        if (counted := digested.get(session.id))
        else session
        for session in sessions
    ]
    roots = {session.conversation or session.id for session in listed if session.id in at_work}
    return finished(engine, period, sessions, spent, roots, has_excerpts=has_excerpts)


def finished(
    engine: Engine,
    period: Period,
    sessions: list[WorkedSession],
    spent: list[Spent],
    roots: Collection[str],
    *,
    has_excerpts: bool,
) -> Report:
    """The report of sessions and what they spent, with what recurs in these conversations."""
    board = engine.candidates.board(CandidateFilter()).reviewed
    wasting = [one for reviewed in yielding(board) if (one := _wasting(reviewed, roots))]
    gathered = Gathered(period, sessions, spent, wasting, list(_patterns(engine)))
    report = report_of(gathered)
    # Titles differ from session to session: only those that are shown are worth the time.
    dearest = [replace(row, title=redact(row.title)) for row in report.sessions]
    report = replace(report, sessions=dearest)
    if not has_excerpts:
        return report
    whole = {one.ranked.candidate.id: one.ranked.candidate for one in board}
    quoted = [
        one._replace(excerpt=_quote(engine, whole[one.id])) if number < _MOST_QUOTED else one
        for number, one in enumerate(report.waste)
    ]
    return replace(report, waste=quoted)


def _worked(session: Session) -> WorkedSession:
    return WorkedSession(
        session.id,
        session.title or "",
        session.flavor,
        clean(session.repo or UNKNOWN),
        session.model or UNKNOWN,
        session.outcome,
        session.last_ts,
        session.tool_calls,
        session.failures,
        None,
    )


def _digested(
    engine: Engine, database: Database, names: Iterable[str]
) -> Iterator[tuple[str, DigestFigures]]:
    read_facts = facts_reader(engine.config)
    for _, name, folds in yielding(folds_by_session(database.connection(), names)):
        yield name, figures_of(read_facts(folds))


def _wasting(reviewed: Reviewed, roots: Collection[str]) -> Wasting | None:
    """A problem among the sessions of a report; None where it is none of theirs."""
    candidate = reviewed.ranked.candidate
    members = {name: one for name, one in candidate.members.items() if name in roots}
    if candidate.kind != "problem" or not members:
        return None
    brief = reviewed.ranked.brief
    if len(members) < len(candidate.members):
        brief = brief_of(replace(candidate, members=members))
    return Wasting(
        candidate.id,
        redact(candidate.title),
        reviewed.verdict,
        candidate.tier,
        brief.frequency,
        brief.cost_impact,
        tuple(sorted(members)),
    )


def _quote(engine: Engine, candidate: Candidate) -> str:
    said = engine.candidates.excerpts(candidate)
    text = next((said[key] for key in sorted(said)), "")
    return redact(text)[:_QUOTED_LENGTH]


def _patterns(engine: Engine) -> Iterator[TaughtPattern]:
    for pattern in CatalogReader(engine.config).listing().patterns.values():
        yield TaughtPattern(
            pattern.id,
            redact(pattern.title),
            pattern.version,
            pattern.status,
            pattern.distribution_ready,
            pattern.provenance.at,
            pattern.evidence.sessions,
            tuple(pattern.evidence.repo_names),
        )
