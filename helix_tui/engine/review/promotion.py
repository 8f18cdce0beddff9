"""From a candidate to the page of a pattern: which one, of which candidates, in which words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from helix_tui.curate.catalog.scan import page_refusals
from helix_tui.curate.draft.draft import Draft, draft
from helix_tui.curate.draft.gate import GateVerdict, gate, weight_of
from helix_tui.curate.draft.log_words import LOG_FIELDS, LogWords, is_named_by_log
from helix_tui.curate.draft.lookalikes import Lookalikes, Resemblance
from helix_tui.curate.draft.promote import (
    KnownPattern,
    Promotion,
    create,
    deprecate,
    give_words,
    reword,
    stand_anew,
    supersede,
    update,
)
from helix_tui.curate.page.page import read_page, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates
from helix_tui.engine.review.transaction import ReviewTransaction, author_of, now_text
from helix_tui.errors import NotFoundError, RefusedError, RefusedPlace
from helix_tui.schema.board import Reviewed
from helix_tui.schema.candidate import Ranked


class Wish(NamedTuple):
    """What a reviewer says besides: a pattern of its own, one to add to, a page in their words.

    `shown` is the page that they were shown; `guidance` are words for what to do alone.

    A batch, or a verdict on what nobody looked at, takes no words of a log along.
    """

    is_new: bool = False
    into: str = ""
    words: str | None = None
    shown: str = ""
    is_batch: bool = False
    guidance: str = ""


class Aim(NamedTuple):
    """Which pattern a candidate goes into, and what it would be drafted like by itself."""

    target: str
    draft: Draft
    resemblances: list[Resemblance]


class Plan(NamedTuple):
    """What approving one candidate, or several that go into one pattern, would come to.

    `candidates` are those that the pattern shows, `ids` all ids that they have had.
    """

    target: str
    known: KnownPattern | None
    ids: list[str]
    candidates: list[str]
    draft: Draft
    verdict: GateVerdict
    words_of_log: list[str]
    origins: list[LogWords]


class Promoter:
    """Make patterns of candidates, within one review transaction."""

    def __init__(self, transaction: ReviewTransaction, candidates: ReviewedCandidates) -> None:
        self.transaction = transaction
        self._candidates = candidates
        self._settings = transaction.config.curate
        self._patterns = transaction.patterns()
        self._lookalikes = self._arranged()
        self._taken: set[str] = set()

    def _arranged(self) -> Lookalikes:
        return Lookalikes(list(self._patterns.values()), self._settings.alike)

    def aim(self, reviewed: Reviewed, wish: Wish) -> Aim:
        """Finds the pattern that a candidate goes into, by what was decided and what is alike."""
        candidate = reviewed.ranked.candidate
        drafted = self._drafted(reviewed.ranked, wish)
        alike = self._lookalikes.resembles(drafted.pattern, candidate, reviewed.review.merged)
        target = self._target(reviewed, wish, alike)
        others = [one for one in alike if one.pattern_id != candidate.id]
        return Aim(target, drafted, others)

    def reserve(self, aim: Aim) -> None:
        """Lets a pattern that is going to be made resemble what is aimed next."""
        self._taken.add(aim.target)
        if aim.target not in self._patterns:
            self._patterns[aim.target] = aim.draft.pattern
            self._lookalikes = self._arranged()

    def plan(self, aim: Aim, group: Sequence[Reviewed], wish: Wish) -> Plan:
        """What candidates that go into one pattern make of it together."""
        known = self.transaction.known(aim.target)
        names = self._shown_candidates(known, group)
        ranked, drafted = group[0].ranked, aim.draft
        if names != [ranked.candidate.id]:
            ranked = self._candidates.together(names) or ranked
            drafted = self._drafted(ranked, wish)
        has_words = bool(drafted.pattern.guidance)
        verdict = gate(weight_of(ranked), self._settings.floors, has_words=has_words)
        origins = drafted.origin if known is None else []
        origins = [*origins, *(one for each in group for one in self.brought(each, known))]
        fields = list(
            dict.fromkeys(
                [*(drafted.log_fields if known is None else ()), *(one.field for one in origins)]
            )
        )
        if wish.guidance:
            # The person's own words take the place of those.
            fields = [field for field in fields if field != "guidance"]
            origins = [words for words in origins if words.field != "guidance"]
        return Plan(aim.target, known, _ids_of(ranked), names, drafted, verdict, fields, origins)

    def brought(self, reviewed: Reviewed, known: KnownPattern | None) -> list[LogWords]:
        """The words of a log that a candidate brings into a page that is there: its own name."""
        candidate = reviewed.ranked.candidate
        is_there = known is None or candidate.id in known.current.candidates
        if is_there or not is_named_by_log(candidate):
            return []
        session = next((one.session for one in candidate.evidence), "")
        return [LogWords("candidates", session, candidate.id)]

    def carry_out(self, plan: Plan, wish: Wish) -> Promotion:
        """The pattern as it is to be written; refused where it holds what may not be."""
        if plan.known is None:
            fresh = replace(plan.draft.pattern, id=plan.target, candidates=plan.candidates)
            made = create(fresh, plan.verdict, self.transaction.last_version(plan.target))
        else:
            floors = self._settings.floors
            made = update(plan.known, plan.draft.pattern, floors, plan.candidates)
        made = supersede(plan.known, made, self._left(plan.target, plan.ids))
        if wish.words is not None:
            words, shown = (_read_words(text, plan.target) for text in (wish.words, wish.shown))
            made = reword(plan.known, made, words, shown)
        if wish.guidance:
            made = give_words(made, wish.guidance)
        if wish.words is not None or wish.guidance:
            made = stand_anew(plan.known, made, self._settings.floors)
        made = _rendered(made)
        for conflict in made.conflicts:
            self.transaction.notices.append(
                f"{made.pattern.id}: {conflict.field} was changed in the file and here; "
                f"{conflict.kept} was kept."
            )
        return made

    def absorb(self, target: Reviewed, names: Sequence[str]) -> list[Promotion]:
        """What merging candidates does to patterns: one takes the evidence, others give way."""
        pattern_id = target.review.pattern
        known = self.transaction.known(pattern_id) if pattern_id else None
        if known is None:
            return []
        own = [target.ranked.candidate.id, *target.review.merged, *names]
        listed = list(dict.fromkeys([*self._shown_candidates(known, [target]), *own]))
        ranked = self._candidates.together(listed) or target.ranked
        drafted = self._drafted(ranked, Wish(is_batch=True))
        made = update(known, drafted.pattern, self._settings.floors, listed)
        made = supersede(known, made, self._left(pattern_id, [*listed, *_ids_of(ranked)]))
        return [_rendered(made)]

    def release(self, names: Collection[str]) -> list[Promotion]:
        """What becomes of patterns whose candidates no longer count as another one.

        They show what is left of them; those that had given way for these are taught again.
        """
        going = self._owners(names)
        self._refuse_bad_pages_of(going, "")
        parted = [one for one in self._patterns.values() if going & self._owners(one.candidates)]
        made: dict[str, Promotion] = {}
        for pattern in sorted(parted, key=_is_deprecated):
            known = self.transaction.known(pattern.id)
            if known is None or (_is_deprecated(pattern) and pattern.superseded_by not in made):
                continue
            left = [name for name in pattern.candidates if self._stands_for(name, known)]
            if not left or (left == pattern.candidates and not _is_deprecated(pattern)):
                continue
            made[pattern.id] = self._without(known, left)
            if other := made.get(pattern.superseded_by):
                made[other.pattern.id] = other._replace(pattern=_without_old(other, pattern.id))
        return [_rendered(one) for one in made.values() if one.action != "unchanged"]

    def retire(self, ids: Collection[str]) -> list[Promotion]:
        """What becomes of patterns whose candidates are not to be taught."""
        going = self._owners(ids)
        self._refuse_bad_pages_of(going, "")
        made: list[Promotion] = []
        for pattern in self._patterns.values():
            known = self.transaction.known(pattern.id)
            is_theirs = going & self._owners(pattern.candidates)
            if known is None or not is_theirs or _is_deprecated(pattern):
                continue
            left = self._staying(known, going)
            made.append(self._without(known, left) if left else deprecate(known))
        return [_rendered(one) for one in made]

    def _left(self, target: str, ids: Collection[str]) -> list[Promotion]:
        """What becomes of patterns whose candidates go into another one.

        A pattern that keeps none gives way to it; else it shows what is left.
        """
        going = self._owners(ids)
        self._refuse_bad_pages_of(going, target)
        promotions: list[Promotion] = []
        for pattern in self._patterns.values():
            is_left = going & self._owners(pattern.candidates)
            if pattern.id == target or _is_deprecated(pattern) or not is_left:
                continue
            known = self.transaction.known(pattern.id)
            if known is None or pattern.id in self._taken:
                continue  # it is only about to be made, or is made anew besides
            left = self._staying(known, going)
            promotions.append(self._without(known, left) if left else deprecate(known, target))
        return promotions

    def _staying(self, known: KnownPattern, going: Collection[str]) -> list[str]:
        return [
            name
            for name in known.current.candidates
            if self._candidates.owner_of(name) not in going and self._stands_for(name, known)
        ]

    def _owners(self, names: Iterable[str]) -> set[str]:
        return {self._candidates.owner_of(name) for name in names}

    def _refuse_bad_pages_of(self, going: Collection[str], target: str) -> None:
        """A page that cannot be read cannot be told that its candidates are gone, either."""
        for name, error in self.transaction.bad.items():
            text = self.transaction.files[name].text if name in self.transaction.files else None
            listed = read_page(text, name).candidates if text is not None else ()
            if name != target and self._owners(listed) & set(going):
                raise error

    def _without(self, known: KnownPattern, left: Sequence[str]) -> Promotion:
        ranked = self._candidates.together(left)
        # What is not in this store can be counted by those alone who have it.
        seen = self._drafted(ranked, Wish(is_batch=True)).pattern if ranked else known.current
        return update(known, seen, self._settings.floors, left)

    def _target(self, reviewed: Reviewed, wish: Wish, alike: Sequence[Resemblance]) -> str:
        own, before = reviewed.ranked.candidate.id, reviewed.review.pattern
        # Where its page cannot be read now, it is not to have a second one.
        self._refuse_bad(before)
        if wish.into:
            self._refuse_bad(wish.into)
            if wish.into not in self._patterns:
                raise NotFoundError(
                    f"There is no pattern {wish.into!r}.", "`helix catalog list` shows them."
                )
            return wish.into
        self._refuse_bad(own)
        if before in self._patterns and not wish.is_new:
            return before
        if own in self._patterns or wish.is_new:
            return own
        live = (
            one.pattern_id
            for one in alike
            if one.kind == "same" or self._patterns[one.pattern_id].status != "deprecated"
        )
        return next(live, own)

    def _refuse_bad(self, name: str) -> None:
        if name in self.transaction.bad:
            raise self.transaction.bad[name]

    def _shown_candidates(self, known: KnownPattern | None, group: Sequence[Reviewed]) -> list[str]:
        """All whose evidence a pattern is to show, the one that it was made of first."""
        own = _own(group)
        before = [] if known is None else known.current.candidates
        stays = [
            name for name in before if known and (name in own or self._stands_for(name, known))
        ]
        return list(dict.fromkeys([*stays, *own]))

    def _stands_for(self, name: str, known: KnownPattern) -> bool:
        return self._candidates.stands_for(name, known.current.id)

    def _drafted(self, ranked: Ranked, wish: Wish) -> Draft:
        is_cited = self._settings.evidence == "excerpts" and not wish.is_batch
        return draft(
            ranked,
            self._candidates.excerpts(ranked.candidate) if is_cited else {},
            author=author_of(self.transaction.config),
            at=now_text(),
            detail=self._settings.evidence,
            is_reviewed=not wish.is_batch,
        )


def is_as_shown(pattern: Pattern, shown: str) -> bool:
    """Whether a page has the words of the one that a reviewer was shown; without one it does."""
    if not shown:
        return True
    before = read_page(shown, pattern.id)
    return all(getattr(pattern, field) == getattr(before, field) for field in LOG_FIELDS)


def _is_deprecated(pattern: Pattern) -> bool:
    return pattern.status == "deprecated"


def _without_old(made: Promotion, old: str) -> Pattern:
    """A pattern that no longer replaces another one."""
    supersedes = [name for name in made.pattern.supersedes if name != old]
    return replace(made.pattern, supersedes=supersedes)


def _ids_of(ranked: Ranked) -> list[str]:
    return [ranked.candidate.id, *ranked.candidate.aliases]


def _own(group: Sequence[Reviewed]) -> list[str]:
    """The ids of candidates, and of those that count as them."""
    return [
        name
        for reviewed in group
        for name in (reviewed.ranked.candidate.id, *reviewed.review.merged)
    ]


def _read_words(text: str, name: str) -> Pattern:
    """The words of a page that a person edited before it is approved."""
    if refused := page_refusals(text):
        raise RefusedError([RefusedPlace("the page", one.line, one.what) for one in refused])
    return read_page(text, name)


def _rendered(promotion: Promotion) -> Promotion:
    """Render the pages of a promotion; refused where one holds what may not be written."""
    pattern = promotion.pattern
    page = write_page(pattern)
    if refusals := page_refusals(page):
        places = [RefusedPlace(f"{pattern.id}.md", line, what) for line, what in refusals]
        raise RefusedError(places)
    return promotion._replace(page=page, others=[_rendered(other) for other in promotion.others])
