"""How candidates stand: a fold over the journal's lines that were not taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from helix_tui.curate.journal.links import LinkLine, Links, named_in, said_in
from helix_tui.curate.journal.snooze import is_awake, new_flavors
from helix_tui.schema.board import Listed
from helix_tui.schema.candidate import Brief, Candidate, Ranked, VerdictName
from helix_tui.schema.review import VERDICT_ACTIONS, JournalLine, Note, Review, Said, Snapshot
from helix_tui.text.times import iso

_VERDICTS: dict[str, VerdictName] = {
    "approve": "approved",
    "edit": "approved",  # only those that adopt a file are in a thread
    "retire": "rejected",
    "reject": "rejected",
    "discuss": "discussed",
    "snooze": "snoozed",
}
_GROWTH = 1.5
_MORE_SESSIONS = 2


class ReviewState:
    """Verdicts as they stand after some lines; takes one line more at any time."""

    def __init__(self, lines: Iterable[JournalLine] = ()) -> None:
        self._position = 0
        self._thread: dict[int, LinkLine] = {}
        self._of: dict[str, dict[int, LinkLine]] = {}
        self._undoable: dict[str, LinkLine] = {}
        self._links: tuple[Mapping[str, str], Links] | None = None
        for line in lines:
            self.apply(line)

    def apply(self, line: JournalLine) -> None:
        """Takes in the next line of the journal."""
        self._position += 1
        self._links = None
        if line.action == "undo":
            taken_back = self._undoable.pop(line.undoes, None)
            if taken_back is not None:
                self._thread.pop(taken_back.position)
                for name in named_in(taken_back):
                    self._of[name].pop(taken_back.position)
            return
        said = said_in(self._position, line)
        self._thread[said.position] = said
        for name in named_in(said):
            self._of.setdefault(name, {})[said.position] = said
        if line.action in VERDICT_ACTIONS or line.action == "rename":
            self._undoable[line.id] = said

    @property
    def position(self) -> int:
        """How many lines were taken in."""
        return self._position

    def reviews(self, candidates: Sequence[Candidate]) -> dict[str, Review]:
        """How every one of many candidates stands, by id."""
        owners = owners_of(candidates)
        return {one.id: self.review_of(one, owners) for one in candidates}

    def review_of(
        self, candidate: Candidate | Brief, owners: Mapping[str, str] | None = None
    ) -> Review:
        """How a candidate stands, by all ids that it has had.

        `owners` are those of all candidates (`owners_of`), so that ids of others are known, too.
        """
        links = self._links_of(owners_of([candidate]) if owners is None else owners)
        review = self._own_review(links.ids_of(candidate.id, *candidate.aliases))
        merged, link = links.below(candidate.id), links.link_of(candidate.id)
        if link is None:
            return msgspec.structs.replace(review, merged=merged)
        whole = links.above(candidate.id)[-1]
        return msgspec.structs.replace(
            review,
            verdict="merged",
            at=link.said.at,
            author=link.said.author,
            until=None,
            before_snooze="open",
            pattern=self._own_review(links.ids_of(whole)).pattern or review.pattern,
            merged_into=whole,
            merged=merged,
        )

    def review_of_id(self, name: str) -> Review:
        """What was said of one id, whoever has it now."""
        return self._own_review([name])

    def is_known(self, name: str) -> bool:
        """Whether anything was said of a candidate by this id that still holds."""
        return bool(self._of.get(name))

    def names(self) -> list[str]:
        """The ids of which anything was said that still holds."""
        return [name for name, thread in self._of.items() if thread]

    def has_merges(self) -> bool:
        """Whether any candidate was merged into another."""
        return any(said.action == "merge" for said in self._thread.values())

    def merged_below(self, name: str, owners: Mapping[str, str]) -> list[str]:
        """All that counts as a candidate, directly or through others."""
        return self._links_of(owners).below(name)

    def merge_targets(self, owners: Mapping[str, str]) -> list[str]:
        """The candidates into which others are merged."""
        return self._links_of(owners).targets()

    def stands_for(self, name: str, pattern_id: str, owners: Mapping[str, str]) -> bool:
        """Whether a candidate is part of a pattern: as part of another, else by itself."""
        links = self._links_of(owners)
        owner = links.owner_of(name)
        wholes = [self._own_review(links.ids_of(whole)) for whole in links.above(owner)[-1:]]
        own = self._own_review(links.ids_of(owner, name))
        return next((one.pattern for one in wholes if one.pattern), own.pattern) == pattern_id

    def owner_of(self, name: str, owners: Mapping[str, str]) -> str:
        """The candidate whose id this is by now."""
        return self._links_of(owners).owner_of(name)

    def let_go(
        self, candidate: Candidate, owners: Mapping[str, str] | None = None
    ) -> tuple[str, list[str]]:
        """Whom a split of a candidate keeps, and whom it sets free.

        That is itself, or those merged into it directly.
        """
        links = self._links_of(owners_of([candidate]) if owners is None else owners)
        link = links.link_of(candidate.id)
        if link is not None:
            return link.target, [candidate.id]
        return candidate.id, sorted(links.merged_into(candidate.id))

    def merge_refusal(
        self,
        target: Candidate,
        others: Sequence[Candidate],
        owners: Mapping[str, str] | None = None,
    ) -> str | None:
        """Why candidates cannot be merged into another, or None where they can."""
        if not others:
            return f"Nothing was named that is to be merged into {target.id}."
        links = self._links_of(owners_of([target, *others]) if owners is None else owners)
        for other in others:
            if other.id == target.id:
                return f"{target.id} cannot be merged into itself."
            if other.id in links.above(target.id):
                return f"{target.id} is merged into {other.id}; split it first."
            link = links.link_of(other.id)
            if link is not None and link.target == target.id:
                return f"{other.id} is merged into {target.id} already."
        return None

    def _links_of(self, owners: Mapping[str, str]) -> Links:
        if self._links is None or self._links[0] is not owners:
            self._links = (owners, Links(self._thread.values(), owners))
        return self._links[1]

    def _own_review(self, ids: list[str]) -> Review:
        """How a candidate stands by what was said of it, merged or not."""
        thread: dict[int, LinkLine] = {}
        for name in ids:
            thread.update(self._of.get(name, {}))
        return _fold([thread[position] for position in sorted(thread)], frozenset(ids))


def _fold(thread: Sequence[LinkLine], ids: frozenset[str]) -> Review:
    """The last verdict of a thread, with what of earlier ones still holds."""
    fields: dict[str, Any] = {}
    told: list[Said] = []
    for said in thread:
        if said.action == "assign":
            fields["assigned"] = next(iter(said.others), "")
            continue
        if said.action in ("merge", "split"):
            # The evidence is another from here on, and the verdict on it holds as it was.
            if said.candidate in ids and said.snapshot is not None:
                fields["snapshot"] = said.snapshot
            if said.candidate in ids and said.pattern:
                fields["pattern"] = said.pattern
            continue
        verdict = _VERDICTS[said.action]
        told.append(Said(said.at, said.author, verdict))
        before = fields.get("verdict", "open")
        if verdict == "snoozed" and before != "snoozed":
            fields["before_snooze"] = before
        if said.pattern or verdict == "rejected":
            fields["pattern"] = said.pattern
        fields |= {
            "verdict": verdict,
            "at": said.at,
            "author": said.author,
            "snapshot": said.snapshot,
            "until": said.until,
        }
    if fields.get("verdict") != "snoozed":
        fields.pop("before_snooze", None)
    notes = [Note(said.at, said.author, said.note) for said in thread if said.note]
    return Review(**fields, notes=notes, said=told)


def owners_of(candidates: Iterable[Candidate | Brief]) -> dict[str, str]:
    """Whose every id is now; a candidate's own id is its own before it is another's alias."""
    candidates = list(candidates)
    owners = {alias: one.id for one in candidates for alias in one.aliases}
    return owners | {one.id: one.id for one in candidates}


def undone_ids(lines: Iterable[JournalLine]) -> set[str]:
    """The ids of lines that a later one takes back: verdicts, and ids that were replaced."""
    undone: set[str] = set()
    verdicts: set[str] = set()
    for line in lines:
        if line.action in VERDICT_ACTIONS or line.action == "rename":
            verdicts.add(line.id)
        elif line.action == "undo" and line.undoes in verdicts:
            undone.add(line.undoes)
    return undone


def undoable(lines: Sequence[JournalLine], most: int) -> list[JournalLine]:
    """The last verdicts that can be taken back, the newest first."""
    undone = undone_ids(lines)
    found: list[JournalLine] = []
    for line in reversed(lines):
        if len(found) >= most:
            break
        if line.action in VERDICT_ACTIONS and line.id not in undone:
            found.append(line)
    return found


def last_undoable(lines: Sequence[JournalLine]) -> JournalLine | None:
    """The verdict that an undo without further word takes back: never another member's."""
    own = [line for line in lines if not line.order or line.action == "undo"]
    return next(iter(undoable(own, 1)), None)


def snapshot_of(one: Ranked | Listed) -> Snapshot:
    """What the evidence of a candidate is now."""
    brief = one.brief
    return Snapshot(
        sessions=brief.sessions,
        frequency=brief.frequency,
        flavors=sorted(brief.flavors),
        repos=sum(1 for name in brief.repos if name),
        cost_impact=brief.cost_impact,
        score=one.score,
        state=one.state,
        first_seen=iso(brief.first_ts),
        last_seen=iso(brief.last_ts),
    )


def has_changed(snapshot: Snapshot | None, now: Snapshot) -> str:
    """Why a verdict should be looked at again, or nothing where the evidence is what it was."""
    if snapshot is None:
        return ""
    if new := new_flavors(snapshot, now):
        return f"also seen with {', '.join(new)}"
    more = now.sessions - snapshot.sessions
    if more >= _MORE_SESSIONS and now.sessions >= snapshot.sessions * _GROWTH:
        return f"{now.sessions} sessions, {snapshot.sessions} when it was decided"
    if now.state == "regressed" and snapshot.state != "regressed":
        return "it came back"
    return ""


def standing(review: Review, now: Snapshot, today: date) -> VerdictName:
    """The verdict as it holds today: what was snoozed may be awake again."""
    if review.verdict != "snoozed" or review.until is None:
        return review.verdict
    if not is_awake(review.until, review.snapshot, now, today):
        return "snoozed"
    return "discussed" if review.before_snooze == "discussed" else "open"


def is_asked(review: Review, now: Snapshot, today: date) -> bool:
    """Whether a candidate belongs on the list of those that wait for a verdict."""
    verdict = standing(review, now, today)
    if verdict == "approved":
        return bool(has_changed(review.snapshot, now))
    return verdict in ("open", "discussed")


def is_rejected_changed(review: Review, now: Snapshot) -> bool:
    """Whether a candidate was rejected on evidence that has changed since."""
    return review.verdict == "rejected" and bool(has_changed(review.snapshot, now))
