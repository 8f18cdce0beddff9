"""What recurs, as stored candidates have it: ranked, filtered, traced to sessions and excerpts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from helix_tui.config import Config
from helix_tui.detect.quality import GATES, count_sessions
from helix_tui.detect.rank import population_of, rank
from helix_tui.digest.evidence import excerpts, recovery_excerpts
from helix_tui.engine.analysis import digest_of_stored
from helix_tui.errors import NotFoundError
from helix_tui.schema.candidate import Candidate, CandidateFilter, Dropped, Ranked
from helix_tui.store import candidates as stored
from helix_tui.store.database import Database
from helix_tui.store.folds import folds_of


def ranked_candidates(database: Database, config: Config, wanted: CandidateFilter) -> list[Ranked]:
    """Candidates above the floors, the one most worth a person's time first.

    A filter chooses which are listed; what they count and how they rank does not depend on it.
    """
    floor = 0 if wanted.is_all else config.detect.min_sessions
    listed = stored.list_candidates(database, floor)
    return [one for one in _rank(database, config, listed) if _is_wanted(one, wanted)]


def find_candidate(database: Database, config: Config, name: str) -> Ranked:
    """The candidate of an id, of the beginning of one, or of one that it once had."""
    everything = stored.list_candidates(database, 0)
    name = stored.current_id(database, name)
    for found in (
        [one for one in everything if one.id == name],
        [one for one in everything if name in one.aliases],
        [one for one in everything if name and one.id.startswith(name)],
    ):
        if len(found) == 1:
            (ranked,) = _rank(database, config, found)
            return ranked
        if found:
            raise NotFoundError(
                f"{name!r} begins several candidates: {', '.join(sorted(one.id for one in found))}."
                if len(found) <= 6
                else f"{name!r} begins {len(found):,} candidates.",
                "Say more of the id.",
            )
    raise NotFoundError(f"There is no candidate {name!r}.", "`helix detect --all` lists them.")


def _rank(database: Database, config: Config, listed: Sequence[Candidate]) -> list[Ranked]:
    sessions = count_sessions(stored.sessions_to_gate(database.connection()), config.detect.quality)
    linked = {one.remedy or one.resolves for one in listed} - {one.id for one in listed} - {""}
    others = stored.candidates_by_id(database, linked)
    names = {one.id for one in listed}
    ranked = rank([*listed, *others], population_of(list(sessions.values())))
    return [one for one in ranked if one.candidate.id in names]


def _is_wanted(one: Ranked, wanted: CandidateFilter) -> bool:
    return (
        one.frequency >= wanted.min_frequency
        and (wanted.flavor is None or wanted.flavor in one.flavors)
        and (wanted.repo is None or wanted.repo in one.repos)
        and (wanted.since_ts is None or (one.last_ts or 0) >= wanted.since_ts)
    )


def cited_excerpts(
    database: Database, listed: Iterable[Candidate]
) -> dict[tuple[str, str, int], str]:
    """What evidence says, by candidate, session and fingerprint, from digests alone."""
    connection: sqlite3.Connection = database.connection()
    by_session: dict[str, list[tuple[Candidate, int]]] = {}
    for one in listed:
        for cited in one.evidence:
            by_session.setdefault(cited.session, []).append((one, cited.fingerprint))
    keys = dict(connection.execute("SELECT id, key FROM session"))
    said: dict[tuple[str, str, int], str] = {}
    for session, citations in by_session.items():
        facts = digest_of_stored(folds_of(connection, keys[session]).values()).facts
        fingerprints = {fingerprint for _, fingerprint in citations}
        plain, cured = excerpts(facts, fingerprints), recovery_excerpts(facts, fingerprints)
        for one, fingerprint in citations:
            table = cured if one.signal == "recovery" else plain
            said[one.id, session, fingerprint] = table.get(fingerprint, "")
    return said


def dropped_sessions(database: Database, config: Config) -> list[Dropped]:
    """The sessions that the quality gate drops, with the rule; children are not asked."""
    rows = stored.sessions_to_gate(database.connection())
    counted = count_sessions(rows, config.detect.quality)
    return [
        Dropped(row.id, row.flavor, row.repo, row.last_ts, row.events, gate, GATES[gate])
        for row in sorted(rows, key=lambda row: (-(row.last_ts or 0), row.id))
        if (gate := counted[row.key].gate) is not None and counted[row.key].root == row.id
    ]
