"""What a reviewer has before them: ranked candidates and how each of them stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
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
    CitedEvent,
    as_they_stand,
    cited_excerpts,
    is_above_floor,
    is_wanted,
    named_candidate,
    population_of,
    rank_all,
)
from helix_tui.engine.candidates.there_since import may_be_over, with_what_is_there
from helix_tui.engine.context.told_book import ToldBook, kept_book, told_states
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.schema.board import Listed, Reviewed
from helix_tui.schema.candidate import (
    Brief,
    Candidate,
    CandidateFilter,
    Ranked,
    TeamSpan,
    VerdictName,
)
from helix_tui.schema.context import NOT_TOLD, Told, ToldState
from helix_tui.schema.effect import EffectState, Returned
from helix_tui.schema.review import Review
from helix_tui.store.database import Database
from helix_tui.store.detection import candidates as stored
from helix_tui.store.detection.grouping_state import former_wholes
from helix_tui.store.detection.team_list import is_team_list, spans_of
from helix_tui.text.times import parse_iso
from helix_tui.yielding import yielding

# Of a candidate that nobody has said anything of.
_UNSEEN = Review()
_DID_NOT_HELP: dict[EffectState, str] = {
    "worse": "taught, and more frequent since",
    "no_change": "taught, and no rarer since",
    "regressed": "taught, and it has come back",
}


class ReviewedCandidates:
    """The candidates of a store as a review sees them, with what a person merged as one."""

    def __init__(
        self,
        database: Database,
        config: Config,
        state: ReviewState,
        today: date,
        among: Population | None = None,
        returned: Mapping[str, Returned] = {},
    ) -> None:
        self._database = database
        self._returned = returned
        self._among = among
        self._config = config
        self._state = state
        self._today = today
        self._alone: dict[str, Candidate] = {}
        self._known_owners: dict[str, str] = {}
        self._owners_at = -1
        # An approve drafts twice where a pattern shows several candidates: of the same events.
        self._read_excerpts: dict[CitedEvent, str] = {}

    @cached_property
    def _population(self) -> Population:
        # All sessions are looked at for it: once for a verdict is enough.
        return self._among or population_of(self._database)

    @cached_property
    def _book(self) -> ToldBook:
        return kept_book(self._database.connection())

    @cached_property
    def _told(self) -> Mapping[str, ToldState]:
        return told_states(self._database)

    @cached_property
    def _week(self) -> int:
        return self._population.week

    def board(self, wanted: CandidateFilter) -> list[Reviewed]:
        """All above the floor by rank, those that count as another one too."""
        settings = self._config.detect
        floor = settings.floor(is_all=wanted.is_all)
        listed = stored.list_candidates(self._database, floor, settings.least)
        known = {one.id for one in listed}
        targets = set(self._state.merge_targets(self.owners)) - known
        listed += stored.candidates_by_id(self._database, targets)
        whole = [self._with_merged(one) for one in yielding(listed)]
        combined = as_they_stand(self._database, whole, self._returned)
        ranked = rank_all(self._database, combined, self._population, wanted.order)
        return [
            self._reviewed(one, self.review(one.candidate))
            for one in yielding(ranked)
            if is_above_floor(one.brief, self._config, is_all=wanted.is_all)
            and is_wanted(one, self._said_of(one, wanted))
        ]

    def _said_of(self, ranked: Ranked, wanted: CandidateFilter) -> CandidateFilter:
        """The same filter; what somebody decided on is shown whatever its tier."""
        is_decided = self.review(ranked.candidate) != _UNSEEN
        return wanted._replace(is_all=True) if is_decided else wanted

    def listing(self) -> list[Listed]:
        """What `board` has above the floor, by tier, from what is kept for lists alone."""
        settings = self._config.detect
        floors = settings.min_sessions, settings.least
        stored_briefs = stored.list_briefs(self._database, *floors, brief_of)
        briefs = {one.id: one for one in stored_briefs if is_above_floor(one, self._config)}
        merged = self._state.merge_targets(self.owners)
        for one in stored.candidates_by_id(self._database, merged):
            whole = self._with_merged(one)
            together = replace(brief_of(whole), team=self._span(whole))
            if is_above_floor(together, self._config):
                briefs[one.id] = together
        for name in self._returned.keys() & briefs.keys():
            briefs[name] = replace(briefs[name], tier="again")
        ended = [one.id for one in briefs.values() if may_be_over(one)]
        known = [self._with_merged(one) for one in stored.candidates_by_id(self._database, ended)]
        for one in with_what_is_there(self._database, known):
            if one.tier == "rest" and briefs[one.id].tier != "again":
                briefs[one.id] = replace(briefs[one.id], tier="rest")
        decided = {self.owner_of(name) for name in self._state.names()}
        shown = [one for one in briefs.values() if one.tier != "rest" or one.id in decided]
        listed = (
            self._listed(brief, score, is_known=brief.id in decided)
            for brief, score in yielding(rank_briefs(shown, self._population, "tier"))
        )
        # What was merged and split again is as if nobody had decided on it.
        return [one for one in listed if one.brief.tier != "rest" or one.review != _UNSEEN]

    def _span(self, candidate: Candidate) -> TeamSpan | None:
        connection = self._database.connection()
        if not is_team_list(connection):
            return None
        return spans_of(connection, [candidate])[candidate.id]

    def _listed(self, brief: Brief, score: float, *, is_known: bool) -> Listed:
        weeks, seen, last = brief.weeks, week_of(brief.last_ts or 0), self._week
        trend, state = trend_of(weeks, last), state_of(weeks, seen, last)
        told = self._told.get(brief.id, "no")
        listed = Listed(brief, score, trend, state, _UNSEEN, "open", "", True, told)
        if not is_known:
            return listed
        review = self._state.review_of(self._alone.get(brief.id, brief), self.owners)
        evidence = snapshot_of(listed)
        verdict = standing(review, evidence, self._today)
        back = self._back(brief.id, review, verdict)
        return replace(
            listed,
            review=review,
            verdict=verdict,
            changed=back or has_changed(review.snapshot, evidence),
            is_asked=bool(back) or is_asked(review, evidence, self._today),
        )

    def _back(self, name: str, review: Review, verdict: VerdictName) -> str:
        """Why an approved candidate is to be looked at again: it was taught and did not help.

        Whatever somebody decided since then holds.
        """
        back = self._returned.get(name)
        if back is None or verdict != "approved":
            return ""
        return _DID_NOT_HELP[back.state] if back.decided_at > (parse_iso(review.at) or 0) else ""

    def find(self, name: str) -> Reviewed:
        """One candidate by its id, an earlier one, or the beginning of one."""
        candidate = named_candidate(self._database, name)
        found = as_they_stand(self._database, [self._with_merged(candidate)], self._returned)
        (ranked,) = rank_all(self._database, found, self._population)
        return self._reviewed(ranked, self.review(ranked.candidate))

    def reviewed(self, ranked: Sequence[Ranked]) -> dict[str, Reviewed]:
        """How candidates stand by their own evidence alone, by id."""
        owners = owners_of([one.candidate for one in ranked]) | self.owners
        return {
            one.candidate.id: self._reviewed(one, self._state.review_of(one.candidate, owners))
            for one in ranked
        }

    def parts_of_decided(self, ranked: Sequence[Ranked]) -> dict[str, str]:
        """What to say of candidates that hold a smaller part of one that was decided before."""
        wholes = former_wholes(self._database.connection())
        told: dict[str, str] = {}
        for one in ranked:
            whole = wholes.get(one.candidate.id, "")
            review = self._state.review_of_id(whole) if whole else _UNSEEN
            if review.verdict != "open":
                told[one.candidate.id] = (
                    f"was part of {whole}, {review.verdict} on {review.at[:10]}"
                )
        return told

    def listed(self, names: Sequence[str]) -> list[Listed]:
        """How candidates stand now, those of them that are still there."""
        listed: list[Listed] = []
        for name in names:
            try:
                listed.append(listed_of(self.find(name)))
            except NotFoundError:
                continue  # its sessions were forgotten, or grouping made another of it
        return listed

    def listed_again(self, reviewed: Reviewed) -> Listed:
        """How a candidate stands by what was just said of it; its evidence is what it was."""
        ranked = reviewed.ranked
        return listed_of(self._reviewed(ranked, self.review(ranked.candidate)))

    def alone(self, name: str) -> Candidate:
        """One candidate without what was merged into it."""
        return named_candidate(self._database, name)

    @property
    def owners(self) -> dict[str, str]:
        """The candidate that every id belongs to now, where that matters.

        That is where some were merged, or where an id is nobody's own any more.
        """
        if self._owners_at != self._state.position and not self._known_owners:
            if self._state.has_merges() or _has_aliases(self._database, self._state):
                self._known_owners = owners_of(stored.list_candidates(self._database, 0))
            self._owners_at = self._state.position
        return self._known_owners

    def owner_of(self, name: str) -> str:
        """The candidate whose id this is by now."""
        return self._state.owner_of(name, self.owners)

    def stands_for(self, name: str, pattern_id: str) -> bool:
        """Whether a candidate is part of a pattern."""
        return self._state.stands_for(name, pattern_id, self.owners)

    def seen_by(self, state: ReviewState) -> ReviewedCandidates:
        """The same candidates as they would stand by other lines."""
        return ReviewedCandidates(
            self._database, self._config, state, self._today, self._population, self._returned
        )

    def decidable(self, name: str) -> Reviewed:
        """One candidate that a verdict can be given on: not one that counts as another."""
        reviewed = self.find(name)
        if reviewed.verdict == "merged":
            raise UsageError(
                f"{reviewed.ranked.candidate.id} is merged into {reviewed.review.merged_into}.",
                "Decide on that one, or split it first.",
            )
        return reviewed

    def together(self, names: Sequence[str]) -> Ranked | None:
        """Several candidates, and what was merged into them, as one; None if there are none."""
        by_id = {one.id: one for one in stored.candidates_by_id(self._database, names)}
        those = [self._with_merged(by_id[name]) for name in names if name in by_id]
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
        return self._state.review_of(self._alone[candidate.id], self.owners)

    def excerpts(self, candidate: Candidate) -> dict[tuple[str, str, int], str]:
        """What the evidence of a candidate says, and of those that count as it."""
        several = [candidate, *stored.candidates_by_id(self._database, candidate.aliases)]
        told = cited_excerpts(self._database, several, self._config, self._read_excerpts)
        return {
            (candidate.id, session, fingerprint): text
            for (_, session, fingerprint), text in told.items()
            if text
        }

    def told(self, name: str) -> Told:
        """What instructions say of a candidate, as the last sweep found it."""
        return self._book.told.get(name, NOT_TOLD)

    def _with_merged(self, candidate: Candidate) -> Candidate:
        self._alone[candidate.id] = candidate
        merged = self.review(candidate).merged
        if not merged:
            return candidate
        return combine([candidate, *self._those(candidate, merged)])

    def _those(self, candidate: Candidate, names: Iterable[str]) -> list[Candidate]:
        candidates = stored.candidates_by_id(self._database, names)
        return [one for one in candidates if one.id != candidate.id]

    def _reviewed(self, ranked: Ranked, review: Review) -> Reviewed:
        now = snapshot_of(ranked)
        verdict = standing(review, now, self._today)
        back = self._back(ranked.candidate.id, review, verdict)
        return Reviewed(
            ranked,
            review,
            verdict,
            back or has_changed(review.snapshot, now),
            bool(back) or is_asked(review, now, self._today),
            self._told.get(ranked.candidate.id, "no"),
        )


def listed_of(one: Reviewed) -> Listed:
    """A candidate as a list shows it."""
    ranked = one.ranked
    return Listed(
        ranked.brief, ranked.score, ranked.trend, ranked.state,
        one.review, one.verdict, one.changed, one.is_asked, one.told,
    )  # fmt: skip


def _has_aliases(database: Database, state: ReviewState) -> bool:
    """Whether something was said of an id that no candidate has for its own."""
    names = state.names()
    return len(stored.are_there(database.connection(), names)) < len(names)


def today() -> date:
    """The day by which snoozes end, in UTC."""
    return datetime.now(UTC).date()
