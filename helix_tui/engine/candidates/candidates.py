"""What recurs in one store: ranked, filtered, traced to sessions; grouped first where it is due."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence

from helix_tui.config import Config
from helix_tui.curate.draft.gate import gate, weight_of
from helix_tui.detect.combine import combine
from helix_tui.detect.suggest import suggestions
from helix_tui.distribute.scope import distributable
from helix_tui.engine.candidates.grouping import group_changes, is_grouping_due
from helix_tui.engine.candidates.ranking import (
    cited_excerpts,
    dropped_sessions,
    find_candidate,
    named_candidate,
    ranked_candidates,
)
from helix_tui.engine.context.told_book import told_of
from helix_tui.engine.effect.effects import Effects
from helix_tui.engine.review.review_reading import ReviewReading, read_review
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates, today
from helix_tui.engine.review.verdicts import Reading, Verdicts
from helix_tui.errors import StoreBusyError, StoreError
from helix_tui.schema.board import AutoReport, Board, Could, Detection, Listing
from helix_tui.schema.candidate import Candidate, CandidateFilter, Dropped, Ranked
from helix_tui.schema.curation import DistributeFloors
from helix_tui.schema.distribute import Distributable
from helix_tui.schema.effect import Returned
from helix_tui.store.database import Database, writing
from helix_tui.store.detection.candidates import candidates_by_id
from helix_tui.store.detection.team_list import is_team_list
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock

log = logging.getLogger(__name__)


class Candidates:
    """The candidates of one store, as the last grouping left them or as one now makes them."""

    def __init__(
        self,
        config: Config,
        layout: StoreLayout,
        reading: Reading,
        verdicts: Verdicts,
        effects: Effects,
    ) -> None:
        self._config = config
        self._layout = layout
        self._reading = reading
        self._verdicts = verdicts
        self._effects = effects

    def detect(self, wanted: CandidateFilter, *, has_excerpts: bool = True) -> Detection:
        """Ranked candidates with what their evidence says, unless nobody is to read that."""
        stale = self._group_if_due()
        with self._reading() as database:
            back = self._effects.returned(database)
            found = ranked_candidates(database, self._config, wanted, back)
            listed = [one.candidate for one in found] if has_excerpts else []
            said = cited_excerpts(database, listed, self._config)
            desk = self._reviewed(database, read_review(self._config), back)
            reviewed, parts = desk.reviewed(found), desk.parts_of_decided(found)
            told = told_of(database, [one.candidate for one in found])
            could = _could(database, listed)
        alike = suggestions([one.candidate for one in found])
        may = self._distributable(found)
        return Detection(found, said, alike, stale, reviewed, parts, told, may, could)

    def one(self, name: str) -> Detection:
        """One candidate, by its id or an earlier one, with what its evidence says."""
        stale = self._group_if_due()
        with self._reading() as database:
            back = self._effects.returned(database)
            found = find_candidate(database, name, back)
            said = cited_excerpts(database, [found.candidate], self._config)
            listed = ranked_candidates(database, self._config, CandidateFilter())
            desk = self._reviewed(database, read_review(self._config), back)
            reviewed, parts = desk.reviewed([found]), desk.parts_of_decided([found])
            told = told_of(database, [found.candidate])
            could = _could(database, [found.candidate])
        others = [one.candidate for one in listed if one.candidate.id != found.candidate.id]
        alike = suggestions([found.candidate, *others])
        may = self._distributable([found])
        return Detection([found], said, alike, stale, reviewed, parts, told, may, could)

    def _distributable(self, found: Iterable[Ranked]) -> dict[str, Distributable]:
        """Where each might go once it is approved with words that say what to do."""
        floors, repo_floors = self._config.curate.floors, self._config.distribute.floors
        return {
            one.candidate.id: distributable(
                is_retired=False,
                is_ready=gate(weight_of(one), floors).distribution_ready,
                has_words=True,
                word="",
                figures=DistributeFloors(one.frequency, one.brief.sessions, one.cost_impact),
                floors=repo_floors,
            )
            for one in found
        }

    def dropped(self, wanted: CandidateFilter | None = None) -> tuple[list[Dropped], str]:
        """The sessions that do not count, each with the rule, and why that may be of before."""
        stale = self._group_if_due()
        with self._reading() as database:
            return dropped_sessions(database, wanted), stale

    def board(self, wanted: CandidateFilter) -> Board:
        """Candidates by rank with how they stand, grouped first where that is due."""
        stale, review = self._group_if_due(), read_review(self._config)
        with self._reading() as database:
            reviewed = self._reviewed(database, review, self._effects.returned(database)).board(
                wanted
            )
        return Board(reviewed, stale, review.troubles)

    def listing(self) -> Listing:
        """Candidates above the floor by rank, as a list shows them, grouped first where due."""
        stale, review = self._group_if_due(), read_review(self._config)
        with self._reading() as database:
            listed = self._reviewed(database, review, self._effects.returned(database)).listing()
        return Listing(listed, stale, review.troubles, review.seen())

    def approve_all(self) -> tuple[AutoReport, str]:
        """Promotes all that clears the bar, grouped first where that is due; and why it was not."""
        stale = self._group_if_due()
        return self._verdicts.approve_all(), stale

    def whole(self, name: str, merged: Iterable[str] = ()) -> Candidate:
        """A candidate with all of its evidence, and that of those which count as it."""
        with self._reading() as database:
            found = named_candidate(database, name)
            others = candidates_by_id(database, merged)
        return combine([found, *(one for one in others if one.id != found.id)])

    def excerpts(self, candidate: Candidate) -> dict[tuple[str, int], str]:
        """What the evidence of a candidate says, and of all that counts as it."""
        with self._reading() as database:
            several = [candidate, *candidates_by_id(database, candidate.aliases)]
            told = cited_excerpts(database, several, self._config)
        return {(session, mark): text for (_, session, mark), text in told.items() if text}

    def _reviewed(
        self, database: Database, review: ReviewReading, returned: Mapping[str, Returned]
    ) -> ReviewedCandidates:
        state = review.state()
        return ReviewedCandidates(database, self._config, state, today(), returned=returned)

    def _group_if_due(self) -> str:
        """Groups what a sweep was stopped before, or what other settings group otherwise.

        Where nothing can be written, what was grouped before is shown; returns why.
        """
        with self._reading() as database:
            if not is_grouping_due(self._config, database):
                return ""
        try:
            with writer_lock(self._layout), writing(self._layout) as database:
                group_changes(self._config, database)
        except (StoreBusyError, StoreError) as error:
            log.warning("candidates are shown as they were grouped before: %s", error)
            return error.what
        return ""


def _could(database: Database, candidates: Sequence[Candidate]) -> dict[str, Could]:
    """In which sessions candidates could have happened."""
    if not candidates or is_team_list(database.connection()):
        return {}  # what a team's sessions could have done lies with them
    from helix_tui.engine.effect.opportunities import Opportunities
    from helix_tui.engine.effect.sessions import Sessions
    from helix_tui.schema.effect import EffectFilter

    return Opportunities(Sessions(database, EffectFilter())).could(candidates)
