"""What a reviewer has before them: ranked candidates and how each of them stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.curate.journal.standings import (
    ReviewState,
    has_changed,
    is_asked,
    owners_of,
    snapshot_of,
    standing,
)
from helix_tui.detect.combine import combine
from helix_tui.detect.rank import Population, brief_of, rank_briefs
from helix_tui.detect.states import state_of, trend_of, week_of
from helix_tui.engine.candidates.ranking import (
    cited_excerpts,
    is_wanted,
    named_candidate,
    population_of,
    rank_all,
)
from helix_tui.errors import UsageError
from helix_tui.schema.board import Listed, Reviewed
from helix_tui.schema.candidate import Brief, Candidate, CandidateFilter, Ranked, Standing
from helix_tui.schema.review import Review
from helix_tui.store.database import Database
from helix_tui.store.detection import candidates as stored
from helix_tui.yielding import yielding

# Of a candidate that nobody has said anything of.
_UNSEEN = Review()


class ReviewedCandidates:
    """The candidates of a store as a review sees them, with what a person merged as one."""

    def __init__(
        self,
        database: Database,
        config: Config,
        state: ReviewState,
        today: date,
        among: Population | None = None,
    ) -> None:
        self._database = database
        self._among = among
        self._config = config
        self._state = state
        self._today = today
        self._alone: dict[str, Candidate] = {}
        # Whose an id is matters only where some were merged, or where one is nobody's own any more.
        is_needed = state.has_merges() or _has_aliases(database, state)
        self._owners = owners_of(stored.list_candidates(database, 0) if is_needed else [])

    @cached_property
    def _population(self) -> Population:
        # All sessions are looked at for it: once for a verdict is enough.
        return self._among or population_of(self._database)

    @cached_property
    def _week(self) -> int:
        return self._population.week

    def board(self, wanted: CandidateFilter) -> list[Reviewed]:
        """All above the floor by rank, those that count as another one too."""
        floor = 0 if wanted.is_all else self._config.detect.min_sessions
        listed = stored.list_candidates(self._database, floor)
        known = {one.id for one in listed}
        targets = set(self._state.merge_targets(self._owners)) - known
        listed += stored.candidates_by_id(self._database, targets)
        together = map(self._with_merged, yielding(listed))
        combined = [one for one in together if len(one.members) >= floor]
        ranked = rank_all(self._database, combined, self._population)
        return [self._reviewed(one) for one in yielding(ranked) if is_wanted(one, wanted)]

    def listing(self) -> list[Listed]:
        """What `board` has above the floor, in its order, from what is kept for lists alone."""
        floor = self._config.detect.min_sessions
        briefs = {one.id: one for one in stored.list_briefs(self._database, floor, brief_of)}
        merged = self._state.merge_targets(self._owners)
        for one in stored.candidates_by_id(self._database, merged):
            together = brief_of(self._with_merged(one))
            if together.sessions >= floor:
                briefs[one.id] = together
        linked = {one.resolves for one in briefs.values()} - briefs.keys() - {""}
        others = map(brief_of, stored.candidates_by_id(self._database, linked))
        said = {self.owner_of(name) for name in self._state.names()}
        return [
            self._listed(brief, score, is_known=brief.id in said)
            for brief, score in yielding(rank_briefs(briefs, others, self._population))
        ]

    def _listed(self, brief: Brief, score: float, *, is_known: bool) -> Listed:
        weeks, seen, last = brief.weeks, week_of(brief.last_ts or 0), self._week
        trend, state = trend_of(weeks, last), state_of(weeks, seen, last)
        listed = Listed(brief, score, trend, state, _UNSEEN, "open", "", True)
        if not is_known:
            return listed
        review = self._state.review_of(self._alone.get(brief.id, brief), self._owners)
        evidence = snapshot_of(listed)
        return replace(
            listed,
            review=review,
            verdict=standing(review, evidence, self._today),
            changed=has_changed(review.snapshot, evidence),
            is_asked=is_asked(review, evidence, self._today),
        )

    def find(self, name: str) -> Reviewed:
        """One candidate by its id, an earlier one, or the beginning of one."""
        found = named_candidate(self._database, name)
        (ranked,) = rank_all(self._database, [self._with_merged(found)], self._population)
        return self._reviewed(ranked)

    def standings(self, listed: Sequence[Ranked]) -> dict[str, Standing]:
        """How candidates stand, by id."""
        owners = owners_of([one.candidate for one in listed]) | self._owners
        found: dict[str, Standing] = {}
        for one in listed:
            review = self._state.review_of(one.candidate, owners)
            now = snapshot_of(one)
            found[one.candidate.id] = Standing(
                standing(review, now, self._today),
                review.notes,
                review.pattern,
                review.merged_into,
                has_changed(review.snapshot, now),
            )
        return found

    def alone(self, name: str) -> Candidate:
        """One candidate without what was merged into it."""
        return named_candidate(self._database, name)

    @property
    def state(self) -> ReviewState:
        """The verdicts by which they stand."""
        return self._state

    @property
    def owners(self) -> dict[str, str]:
        """Whose every id is now, where that matters."""
        return self._owners

    def owner_of(self, name: str) -> str:
        """The candidate whose id this is by now."""
        return self._state.owner_of(name, self._owners)

    def stands_for(self, name: str, pattern_id: str) -> bool:
        """Whether a candidate is part of a pattern."""
        return self._state.stands_for(name, pattern_id, self._owners)

    def seen_by(self, state: ReviewState) -> ReviewedCandidates:
        """The same candidates as they would stand by other lines."""
        return ReviewedCandidates(
            self._database, self._config, state, self._today, self._population
        )

    def decidable(self, name: str) -> Reviewed:
        """One candidate that a verdict can be given on: not one that counts as another."""
        found = self.find(name)
        if found.verdict == "merged":
            raise UsageError(
                f"{found.ranked.candidate.id} is merged into {found.review.merged_into}.",
                "Decide on that one, or split it first.",
            )
        return found

    def together(self, names: Sequence[str]) -> Ranked | None:
        """Several candidates, and what was merged into them, as one; None if there are none."""
        found = {one.id: one for one in stored.candidates_by_id(self._database, names)}
        those = [self._with_merged(found[name]) for name in names if name in found]
        # What is part of another one of them is not counted again.
        parts = {part for one in those for part in self.review(one).merged}
        those = [one for one in those if one.id not in parts]
        if not those:
            return None
        (ranked,) = rank_all(self._database, [combine(those)], self._population)
        return ranked

    def review(self, candidate: Candidate) -> Review:
        """How a candidate stands, by what was said of itself."""
        # Verdicts on what was merged into it were given on something else.
        return self._state.review_of(self._alone[candidate.id], self._owners)

    def excerpts(self, candidate: Candidate) -> dict[tuple[str, str, int], str]:
        """What the evidence of a candidate says, and of those that count as it."""
        several = [candidate, *stored.candidates_by_id(self._database, candidate.aliases)]
        told = cited_excerpts(self._database, several)
        return {
            (candidate.id, session, fingerprint): text
            for (_, session, fingerprint), text in told.items()
            if text
        }

    def _with_merged(self, candidate: Candidate) -> Candidate:
        self._alone[candidate.id] = candidate
        merged = self.review(candidate).merged
        if not merged:
            return candidate
        return combine([candidate, *self._those(candidate, merged)])

    def _those(self, candidate: Candidate, names: Iterable[str]) -> list[Candidate]:
        found = stored.candidates_by_id(self._database, names)
        return [one for one in found if one.id != candidate.id]

    def _reviewed(self, ranked: Ranked) -> Reviewed:
        review = self.review(ranked.candidate)
        now = snapshot_of(ranked)
        changed = has_changed(review.snapshot, now)
        return Reviewed(
            ranked,
            review,
            standing(review, now, self._today),
            changed,
            is_asked(review, now, self._today),
        )


def listed_of(one: Reviewed) -> Listed:
    """A candidate as a list shows it."""
    ranked = one.ranked
    return Listed(
        ranked.brief, ranked.score, ranked.trend, ranked.state,
        one.review, one.verdict, one.changed, one.is_asked,
    )  # fmt: skip


def _has_aliases(database: Database, state: ReviewState) -> bool:
    """Whether something was said of an id that no candidate has for its own."""
    names = state.names()
    return len(stored.are_there(database.connection(), names)) < len(names)
