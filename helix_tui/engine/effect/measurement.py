"""One look at a store, a catalog and a ledger: everything that can be measured, judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.page.pattern import Pattern
from helix_tui.detect.combine import combine
from helix_tui.distribute.stays import Stay, moments_of, stays_of
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.engine.distribute.teachings import rule_of, teaching_of
from helix_tui.engine.effect.before_after_control import Built, Saw, Since, Subject, build
from helix_tui.engine.effect.detail import detailed
from helix_tui.engine.effect.exposed import Exposed, Folders, Records, is_user
from helix_tui.engine.effect.handed import NOT_HANDED, handed_by_pattern
from helix_tui.engine.effect.opportunities import Opportunities
from helix_tui.engine.effect.sessions import Sessions
from helix_tui.engine.guard.firings import fired_by_pattern
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.measure.next_step import Means, next_step
from helix_tui.measure.verdict import settle, verdict_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.handed import handed_out
from helix_tui.schema.candidate import Candidate, Sort
from helix_tui.schema.context import Exposure
from helix_tui.schema.effect import (
    Effect,
    EffectFilter,
    Measured,
    Peer,
    Unmeasured,
)
from helix_tui.store.database import Database
from helix_tui.store.detection.candidates import candidates_by_id, sampled_candidates
from helix_tui.store.detection.grouping_state import renamed_ids


class Measurement:
    """What a store, a catalog and a ledger say of patterns at one moment."""

    def __init__(
        self,
        config: Config,
        database: Database,
        wanted: EffectFilter,
        *,
        wider: Mapping[str, Candidate] = {},
        elsewhere: Mapping[str, Sequence[Stay]] = {},
    ) -> None:
        """`wider` are candidates as a whole team has them, `elsewhere` what others distributed."""
        self._wider = wider
        self._config = config
        self._database = database
        self._wanted = wanted
        self.sessions = Sessions(database, wanted)
        self._opportunities = Opportunities(self.sessions)
        self._records, self._folders = Records(self.sessions), Folders()
        self.patterns = Catalog(config.curate.catalog_dir).read().patterns
        self._own_stays = stays_of(DistributionLedger(config).read()[0])
        self._stays = {name: list(some) for name, some in elsewhere.items()} | self._own_stays
        self._peers: dict[Sort, list[Peer]] = {}
        self._fired = fired_by_pattern(config.store)
        rows = handed_out(MemoryPlaces(config.store.absolute()))
        self._handed = handed_by_pattern(rows, self.sessions) if rows else {}
        self.unmeasured: list[Unmeasured] = []
        self._known = self._candidates(self.patterns.values(), wider)

    def _candidates(
        self, patterns: Iterable[Pattern], wider: Mapping[str, Candidate]
    ) -> dict[str, Candidate]:
        """The candidates of patterns by the ids that their pages have."""
        renamed = renamed_ids(self._database.connection())
        names = {name for pattern in patterns for name in pattern.candidates}
        current = {name: renamed.get(name, name) for name in names}
        candidates = {
            one.id: one for one in candidates_by_id(self._database, {*current.values(), *names})
        }
        known = {
            name: candidates.get(name) or candidates[new]
            for name, new in current.items()
            if name in candidates or new in candidates
        }
        return known | {
            name: _widened(wider[name], known.get(name)) for name in names & wider.keys()
        }

    def subjects(self) -> list[Subject]:
        """All patterns that the ledger knows and the store has candidates of."""
        subjects = []
        for name, stays in sorted(self._stays.items()):
            pattern = self.patterns.get(name)
            if pattern is None:
                self.unmeasured.append(Unmeasured(name, "", "its page is not in the catalog"))
                continue
            candidate = self._candidate_of(pattern)
            if candidate is None:
                why = "the store has none of the sessions that it was made of"
                self.unmeasured.append(Unmeasured(name, pattern.title, why))
                continue
            subjects.append(self._subject(pattern, candidate, stays))
        return subjects

    def _candidate_of(self, pattern: Pattern) -> Candidate | None:
        behind = {one.id: one for name in pattern.candidates if (one := self._known.get(name))}
        return combine(list(behind.values())) if behind else None

    def _subject(self, pattern: Pattern, candidate: Candidate, stays: Sequence[Stay]) -> Subject:
        handed = self._handed.get(pattern.id, NOT_HANDED)
        exposed = Exposed(stays, self.sessions, self._records, self._folders, handed)
        repos = None if is_user(stays) else tuple(sorted({one.site for one in stays}))

        last = stays[-1].text
        teaching = teaching_of(pattern, self._config.distribute.floors)
        return Subject(
            id=pattern.id,
            version=stays[-1].version,
            title=pattern.title,
            fired=frozenset(self._fired.get(pattern.id, ())),
            rule=stays[-1].words,
            rung=teaching.rung,
            candidate=candidate,
            repos=repos,
            how="ledger",
            since=min(one.since for one in stays if one.text == last),
            since_at=exposed.since_at,
            saw=exposed.saw,
            proof=exposed.proof,
            moments=moments_of(stays),
            has_files=bool(teaching.scope.globs),
        )

    def _rung(self, pattern: Pattern) -> str:
        return teaching_of(pattern, self._config.distribute.floors).rung

    def _given(self, name: str, pattern: Pattern | None, candidate: Candidate, at: int) -> Subject:
        """Something that came in at a time that a person names: all since saw it, they say."""

        why = "a person says that it came in then"

        def saw(domain: int) -> Saw:
            return Saw(assumed=domain & ~self.sessions.before(at))

        def proof(number: int) -> Exposure:
            is_since = self.sessions.all[number].at >= at
            return Exposure("assumed_yes" if is_since else "assumed_no", why)

        return Subject(
            id=name,
            version=pattern.version if pattern else "",
            title=pattern.title if pattern else candidate.title,
            rule=rule_of(pattern) if pattern else "",
            rung=self._rung(pattern) if pattern else "",
            candidate=candidate,
            repos=(),
            how="given",
            since=at,
            since_at=lambda _: Since(at, at, ((at, None),)),
            saw=saw,
            proof=proof,
            moments=[],
        )

    def subject_of(self, name: str, subjects: Sequence[Subject]) -> Subject:
        """What an id names: a pattern that was taught, or with a time any pattern or candidate."""
        at = self._wanted.at
        named = [one for one in subjects if one.id == name]
        if named and at is None:
            return named[0]
        pattern = self.patterns.get(name)
        if pattern is not None:
            candidate = self._candidate_of(pattern)
            if candidate is None:
                raise NotFoundError(
                    f"The store has none of the sessions that {name} was made of.",
                    "`helix --sweep` takes in what agents logged.",
                )
            if at is None:
                raise UsageError(
                    f"{name} was never written into an agent's file by Helix.",
                    "`--at TIME` says when it came in, `--rule FILE:LINE` which line tells it.",
                )
            return self._given(name, pattern, candidate, at)
        from helix_tui.engine.candidates.ranking import named_candidate

        candidate = named_candidate(self._database, name)
        of = [one for one in subjects if candidate.id in (one.candidate.id, *one.candidate.aliases)]
        if of and at is None:
            return of[0]
        if at is None:
            raise UsageError(
                f"{candidate.id} is a candidate: nobody knows when something was done about it.",
                "`--at TIME` says when, `--rule FILE:LINE` which line tells it.",
            )
        return self._given(candidate.id, None, candidate, at)

    def measured(self, subjects: Sequence[Subject]) -> list[Measured]:
        """All of them, judged one by one and then among the others."""
        built = [self._built(one, subjects) for one in subjects]
        effects = settle([verdict_of(one.case, one.tallied) for one in built])
        return [self._measured(one, effect) for one, effect in zip(built, effects, strict=True)]

    def detailed(
        self, subject: Subject, others: Sequence[Subject], *, is_picked: bool = True
    ) -> Measured:
        """One of them, judged among the others, with the sessions behind it.

        What nobody picked by counting needs no correction for that.
        """
        subjects = [subject, *others]
        if is_picked:
            built = [self._built(one, subjects) for one in subjects]
        else:
            built = [build(one, self.sessions, self._opportunities, (), 1) for one in subjects]
        effect = settle([verdict_of(one.case, one.tallied) for one in built])[0]
        return detailed(self._measured(built[0], effect), built[0], self.sessions)

    def _built(self, subject: Subject, subjects: Sequence[Subject]) -> Built:
        sort = subject.candidate.sort
        if sort not in self._peers:
            sample = sampled_candidates(self._database)
            taught = {one.candidate.id: one.since for one in subjects}
            self._peers |= {
                name: self._opportunities.peers(sample, taught, name)
                for name in {one.candidate.sort for one in subjects}
            }
        picked = Counter(one.candidate.sort for one in subjects)[sort]
        return build(subject, self.sessions, self._opportunities, self._peers[sort], max(1, picked))

    def _measured(self, built: Built, effect: Effect) -> Measured:
        subject = built.subject
        made = Measured(
            id=subject.id,
            title=subject.title,
            rule=subject.rule,
            rung=subject.rung,
            candidates=[subject.candidate.id, *subject.candidate.aliases],
            opportunity=built.counted.opportunity.text,
            effect=effect,
            moments=subject.moments,
            fired=len(subject.fired),
        )
        means = Means(
            rung=subject.rung,
            has_files=subject.has_files,
            has_action=_has_action(subject.candidate),
            last=self._last(built.counted.could),
            now=self.sessions.times[-1] if self.sessions.times else 0,
            is_out=bool(subject.moments) and subject.moments[-1].kind == "out",
        )
        return msgspec.structs.replace(made, step=next_step(effect, means))

    def own_stays(self, name: str) -> Sequence[Stay]:
        """When a pattern was in, as this machine's ledger has it."""
        return self._own_stays.get(name, ())

    def shared(self) -> tuple[list[Built], dict[Sort, list[tuple[str, Peer]]]]:
        """All that can be measured, and by sort the candidates among which it was picked."""
        subjects = self.subjects()
        built = [self._built(one, subjects) for one in subjects]
        sample = sampled_candidates(self._database)
        if self._wider:
            # The same candidates on every machine, so that their counts can be added up.
            own = {one.id: one for one in candidates_by_id(self._database, self._wider)}
            sample = [_widened(one, own.get(name)) for name, one in sorted(self._wider.items())]
        taught = {one.candidate.id: one.since for one in subjects}
        return built, {
            sort: self._opportunities.named_peers(sample, taught, sort)
            for sort in {one.candidate.sort for one in subjects}
        }

    def _last(self, numbers: int) -> int | None:
        """When the last of some conversations began."""
        return self.sessions.times[numbers.bit_length() - 1] if numbers else None


def _widened(team: Candidate, own: Candidate | None) -> Candidate:
    """A candidate as a team has it, with the conversations of this store by their names here."""
    members = team.members | (own.members if own else {})
    return msgspec.structs.replace(team, members=members)


def _has_action(candidate: Candidate) -> bool:
    """Whether a guard could stop what it is about: a command, and no check, which has to run."""
    is_command = bool(candidate.shape) and candidate.tool_class == "shell"
    return is_command and not candidate.check
