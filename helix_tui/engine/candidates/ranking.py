"""What recurs, as stored candidates have it: ranked, filtered, traced to sessions and excerpts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.detect import regrouping
from helix_tui.detect.quality import GATES
from helix_tui.detect.rank import Population, rank
from helix_tui.digest.codec import unpack_fold
from helix_tui.digest.evidence import excerpts
from helix_tui.digest.merge import NamedFold, facts_of
from helix_tui.engine.candidates.there_since import with_what_is_there
from helix_tui.errors import NotFoundError
from helix_tui.schema import Facts
from helix_tui.schema.candidate import Brief, Candidate, CandidateFilter, Dropped, Order, Ranked
from helix_tui.schema.effect import Returned
from helix_tui.schema.signal import SignalName
from helix_tui.schema.team import MOST_MEMBERS
from helix_tui.store.database import Database
from helix_tui.store.detection import candidates as stored
from helix_tui.store.detection import eligible
from helix_tui.store.detection.signals import folds_by_session
from helix_tui.store.detection.team_list import (
    briefs_by_id,
    is_team_list,
    shared_excerpts,
    spans_of,
)
from helix_tui.store.digests.folds import StoredFold
from helix_tui.text.times import latest_believed
from helix_tui.yielding import yielding

_NAMED = 6
# An event that a candidate cites: its session, its fingerprint, and for what it is cited.
CitedEvent = tuple[str, int, SignalName]


def ranked_candidates(
    database: Database,
    config: Config,
    wanted: CandidateFilter,
    returned: Mapping[str, Returned] = {},
) -> list[Ranked]:
    """Candidates above the floors, the one most worth a person's time first.

    A filter chooses which are listed; what they count and how they rank does not depend on it.
    `returned` are those that were taught and did not help.
    """
    settings = config.detect
    floor = settings.floor(is_all=wanted.is_all)
    stored_ones = stored.list_candidates(database, floor, settings.least)
    listed = as_they_stand(database, stored_ones, returned)
    ranked = rank_all(database, listed, order=wanted.order)
    above = [one for one in ranked if is_above_floor(one.brief, config, is_all=wanted.is_all)]
    return [one for one in above if is_wanted(one, wanted)]


def as_they_stand(
    database: Database, candidates: Sequence[Candidate], returned: Mapping[str, Returned]
) -> list[Candidate]:
    """Candidates in the tiers that follow from the sessions since: nothing of that is stored."""
    told = [_back_again(one, returned) for one in yielding(candidates)]
    return with_what_is_there(database, told)


def _back_again(candidate: Candidate, returned: Mapping[str, Returned]) -> Candidate:
    """A candidate in the tier of what was taught and did not help, where it is one."""
    back = returned.get(candidate.id)
    if back is None:
        return candidate
    return replace(candidate, tier="again", tier_reason=back.reason)


def is_above_floor(brief: Brief, config: Config, *, is_all: bool = False) -> bool:
    """Whether a candidate has the sessions that a list asks for; a sure fix needs fewer."""
    return regrouping.is_above_floor(brief, config.detect, is_all=is_all)


def find_candidate(database: Database, name: str, returned: Mapping[str, Returned] = {}) -> Ranked:
    """The candidate of an id, of one that it once had, or of the beginning of one, ranked."""
    found = as_they_stand(database, [named_candidate(database, name)], returned)
    (ranked,) = rank_all(database, found)
    return ranked


def named_candidate(database: Database, name: str) -> Candidate:
    """The candidate of an id, of one that it once had, or of the beginning of one."""
    for find in (_exactly, _formerly, stored.ids_with_alias, stored.ids_beginning):
        found = find(database, name) if name else []
        if len(found) == 1:
            (candidate,) = stored.candidates_by_id(database, found)
            return candidate
        if found:
            raise NotFoundError(
                f"{name!r} fits several candidates: {', '.join(found)}."
                if len(found) <= _NAMED
                else f"{name!r} fits {len(found):,} candidates.",
                "Say more of the id.",
            )
    raise NotFoundError(f"There is no candidate {name!r}.", "`helix detect --all` lists them.")


def _exactly(database: Database, name: str) -> list[str]:
    return sorted(stored.are_there(database.connection(), [name]))


def _formerly(database: Database, name: str) -> list[str]:
    return _exactly(database, stored.current_id(database, name))


def rank_all(
    database: Database,
    listed: Sequence[Candidate],
    among: Population | None = None,
    order: Order = "band",
) -> list[Ranked]:
    """Candidates with what they come to among all sessions, by rank."""
    among = among or population_of(database)
    if not is_team_list(database.connection()):
        return rank(listed, among, order)
    # What has as many members as are kept may have more; a merged one has others besides.
    kept = [one.id for one in listed if one.drawn or len(one.members) == MOST_MEMBERS]
    briefs = briefs_by_id(database.connection(), kept)
    spans = spans_of(database.connection(), [one for one in listed if one.id not in briefs])
    return [
        one
        if one.brief.id in briefs
        else replace(one, brief=replace(one.brief, team=spans[one.brief.id]))
        for one in rank(listed, among, order, briefs)
    ]


def population_of(database: Database) -> Population:
    """The sessions among which candidates are ranked."""
    by_flavor: Counter[str] = Counter()
    by_repo: Counter[str] = Counter()
    latest = latest_believed(int(time.time() * 1000))
    rows, newest = eligible.eligible_sessions(database, latest)
    for one in rows:
        by_flavor[one.flavor] += one.sessions
        by_repo[one.repo] += one.sessions
    return Population(by_flavor, by_repo, by_flavor.total(), newest)


def is_wanted(one: Ranked, wanted: CandidateFilter) -> bool:
    """Whether a filter lets a candidate through."""
    return (
        (wanted.is_all or one.brief.tier != "rest")
        and one.frequency >= wanted.min_frequency
        and (wanted.flavor is None or wanted.flavor in one.flavors)
        and (wanted.repo is None or wanted.repo in one.repos)
        and (wanted.since_ts is None or (one.last_ts or 0) >= wanted.since_ts)
    )


def cited_excerpts(
    database: Database,
    listed: Iterable[Candidate],
    config: Config,
    known: dict[CitedEvent, str] | None = None,
) -> dict[tuple[str, str, int], str]:
    """What evidence says, by candidate, session and fingerprint, from digests alone.

    What is `known` is not read again, and what is read is put there.
    """
    if is_team_list(database.connection()):
        return shared_excerpts(database.connection(), listed)
    known = {} if known is None else known
    citations = [(one, cited) for one in listed for cited in one.evidence]
    unread: dict[str, set[tuple[int, SignalName]]] = {}
    for one, cited in citations:
        if (cited.session, cited.fingerprint, one.signal) not in known:
            unread.setdefault(cited.session, set()).add((cited.fingerprint, one.signal))
    read_facts = facts_reader(config)
    for _, session, folds in folds_by_session(database.connection(), unread):
        facts = read_facts(folds)
        signals = {signal for _, signal in unread[session]}
        texts = {signal: excerpts(facts, signal) for signal in signals}
        for fingerprint, signal in unread[session]:
            known[session, fingerprint, signal] = texts[signal].get(fingerprint, "")
    return {
        (one.id, cited.session, cited.fingerprint): known[key]
        for one, cited in citations
        if (key := (cited.session, cited.fingerprint, one.signal)) in known
    }


def facts_reader(config: Config) -> Callable[[Iterable[StoredFold]], Facts]:
    """How the facts of a session are read from its folds, with a model's labels where one reads."""
    if config.detect.reader == "rules":
        return lambda folds: facts_of(NamedFold(one.name, unpack_fold(one.data)) for one in folds)
    from helix_tui.digest.reader.labelled import labelled
    from helix_tui.engine.reader.label_book import labels_of
    from helix_tui.engine.sweep.analysis import digest_of_stored

    labels = labels_of(config)
    return lambda folds: labelled(digest_of_stored(folds), labels).facts


def dropped_sessions(database: Database, wanted: CandidateFilter | None = None) -> list[Dropped]:
    """The sessions that the quality gate drops, with the rule."""
    wanted = wanted or CandidateFilter()
    return [
        one
        for one in eligible.dropped_sessions(database, GATES)
        if wanted.flavor in (None, one.flavor)
        and wanted.repo in (None, one.repo)
        and (wanted.since_ts is None or (one.last_ts or 0) >= wanted.since_ts)
    ]
