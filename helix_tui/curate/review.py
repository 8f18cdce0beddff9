"""How candidates stand: a fold over the journal's lines that were not taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from helix_tui.curate.awake import is_awake, new_flavors
from helix_tui.curate.links import Graph, Link, Said, graph_of, named_in, said_in
from helix_tui.schema.candidate import Candidate, Ranked, VerdictName
from helix_tui.schema.review import VERDICT_ACTIONS, Line, Note, Review, Snapshot
from helix_tui.text.times import iso

_NOBODY: Mapping[str, str] = {}
_VERDICTS: dict[str, VerdictName] = {
    "approve": "approved",
    "edit": "approved",  # only those that adopt a file are in a thread
    "reject": "rejected",
    "discuss": "discussed",
    "snooze": "snoozed",
}
_GROWTH = 1.5
_MORE_SESSIONS = 2


class ReviewState:
    """Verdicts as they stand after some lines; takes one line more at any time."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._position = 0
        self._of: dict[str, dict[int, Said]] = {}
        self._linking: dict[int, Said] = {}
        self._undoable: dict[str, Said] = {}
        self._graph: Graph | None = None
        for line in lines:
            self.apply(line)

    def apply(self, line: Line) -> None:
        """Takes in the next line of the journal."""
        self._position += 1
        if line.action == "undo":
            taken_back = self._undoable.pop(line.undoes, None)
            if taken_back is not None:
                self._forget(taken_back)
            return
        said = said_in(self._position, line)
        if line.action in VERDICT_ACTIONS:
            self._undoable[line.id] = said
        for name in named_in(said):
            self._of.setdefault(name, {})[said.position] = said
        if said.action in ("merge", "split", "rename"):
            self._linking[said.position] = said
            self._graph = None

    def _forget(self, said: Said) -> None:
        for name in named_in(said):
            self._of[name].pop(said.position)
        if self._linking.pop(said.position, None) is not None:
            self._graph = None

    def review_of(self, candidate: Candidate, owners: Mapping[str, str] = _NOBODY) -> Review:
        """How a candidate stands, by all ids that it has had.

        `owners` says whose id an id is now (`owners_of`), where other candidates have aliases.
        """
        ids = self._ids_of(candidate)
        review = self._own_review(ids)
        merged = self._merged_into(ids, owners)
        link, chain = self._link_of(ids), self._chain(ids, owners)
        if link is None or not chain:
            return msgspec.structs.replace(review, merged=merged)
        whole = self._own_review(self._with_old_ids([chain[-1]]))
        return msgspec.structs.replace(
            review,
            verdict="merged",
            at=link.said.at,
            author=link.said.author,
            until=None,
            pattern=whole.pattern or review.pattern,
            merged_into=chain[-1],
            merged=merged,
        )

    def reviews(self, candidates: Sequence[Candidate]) -> dict[str, Review]:
        """How every one of many candidates stands, by id."""
        owners = owners_of(candidates)
        return {one.id: self.review_of(one, owners) for one in candidates}

    def let_go(self, candidate: Candidate) -> list[str]:
        """Whom a split of a candidate sets free: itself, or those merged into it directly."""
        graph, ids = self._links(), self._ids_of(candidate)
        merged = [name for name in ids if name in graph.links]
        return merged or [child for name in ids for child in graph.children.get(name, ())]

    def merge_refusal(
        self,
        target: Candidate,
        others: Sequence[Candidate],
        owners: Mapping[str, str] = _NOBODY,
    ) -> str | None:
        """Why candidates cannot be merged into another, or None where they can."""
        if not others:
            return f"Nothing was named that is to be merged into {target.id}."
        target_ids = set(self._ids_of(target))
        above = set(self._chain(sorted(target_ids), owners))
        for other in others:
            ids = set(self._ids_of(other))
            if ids & target_ids:
                return f"{other.id} is {target.id}; there is nothing to merge."
            if ids & above:
                return f"{target.id} is merged into {other.id}; split it first."
            link = self._link_of(sorted(ids))
            if link is not None and owners.get(link.target, link.target) in target_ids:
                return f"{other.id} is merged into {target.id} already."
        return None

    def _links(self) -> Graph:
        if self._graph is None:
            self._graph = graph_of(self._linking.values())
        return self._graph

    def _ids_of(self, candidate: Candidate) -> list[str]:
        return self._with_old_ids([candidate.id, *candidate.aliases])

    def _with_old_ids(self, names: list[str]) -> list[str]:
        """Ids with those that they replaced, each once."""
        old_ids = self._links().old_ids
        found: dict[str, None] = {}
        waiting = names[::-1]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = None
                waiting += old_ids.get(name, ())
        return list(found)

    def _own_review(self, ids: list[str]) -> Review:
        """How a candidate stands by what was said of it, merged or not."""
        thread: dict[int, Said] = {}
        for name in ids:
            thread.update(self._of.get(name, {}))
        return _fold([thread[position] for position in sorted(thread)], frozenset(ids))

    def _link_of(self, ids: list[str]) -> Link | None:
        """The link by which a candidate is merged, if nothing newer was said of its free ids."""
        links = self._links().links
        found = [links[name] for name in ids if name in links and links[name].target not in ids]
        if not found:
            return None
        last = max(found, key=lambda link: link.said.position)
        free = (self._of.get(name, {}) for name in ids if name not in links)
        verdicts = (
            said.position
            for thread in free
            for said in thread.values()
            if said.action not in ("merge", "split")
        )
        return last if max(verdicts, default=0) < last.said.position else None

    def _chain(self, ids: list[str], owners: Mapping[str, str]) -> list[str]:
        """Into what a candidate is merged, and into what that is, and so on."""
        links = self._links().links
        chain: list[str] = []
        link = self._link_of(ids)
        while link is not None:
            target = owners.get(link.target, link.target)
            if target in ids or target in chain:
                return []  # it would count as itself, by an alias: then it counts as nobody else
            chain.append(target)
            link = links.get(target) or links.get(link.target)
        return chain

    def _merged_into(self, ids: list[str], owners: Mapping[str, str]) -> list[str]:
        """The candidates that count as one, directly or through others."""
        children = self._links().children
        found: dict[str, None] = {}
        waiting = list(ids)
        while waiting:
            for child in children.get(waiting.pop(), ()):
                name = owners.get(child, child)
                if name not in found and name not in ids:
                    found[name] = None
                    waiting += {child, name}
        return sorted(found)


def _fold(thread: Sequence[Said], ids: frozenset[str]) -> Review:
    """The last verdict of a thread, with what of earlier ones still holds."""
    fields: dict[str, Any] = {}
    for said in thread:
        if said.action in ("merge", "split"):
            # The evidence is another from here on, and the verdict on it holds as it was.
            if said.candidate in ids and said.snapshot is not None:
                fields["snapshot"] = said.snapshot
            if said.candidate in ids and said.pattern:
                fields["pattern"] = said.pattern
            continue
        verdict = _VERDICTS[said.action]
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
    return Review(**fields, notes=notes)


def owners_of(candidates: Iterable[Candidate]) -> dict[str, str]:
    """Whose every id is now; a candidate's own id is its own before it is another's alias."""
    candidates = list(candidates)
    owners = {alias: one.id for one in candidates for alias in one.aliases}
    return owners | {one.id: one.id for one in candidates}


def undone_ids(lines: Iterable[Line]) -> set[str]:
    """The ids of lines that a later one takes back; only a verdict can be taken back."""
    undone: set[str] = set()
    verdicts: set[str] = set()
    for line in lines:
        if line.action in VERDICT_ACTIONS:
            verdicts.add(line.id)
        elif line.action == "undo" and line.undoes in verdicts:
            undone.add(line.undoes)
    return undone


def undoable(lines: Sequence[Line], most: int) -> list[Line]:
    """The last verdicts that can be taken back, the newest first."""
    undone = undone_ids(lines)
    found: list[Line] = []
    for line in reversed(lines):
        if len(found) >= most:
            break
        if line.action in VERDICT_ACTIONS and line.id not in undone:
            found.append(line)
    return found


def last_undoable(lines: Sequence[Line]) -> Line | None:
    """The verdict that an undo without further word takes back."""
    return next(iter(undoable(lines, 1)), None)


def snapshot_of(ranked: Ranked) -> Snapshot:
    """What the evidence of a candidate is now."""
    return Snapshot(
        sessions=len(ranked.candidate.members),
        frequency=ranked.frequency,
        flavors=sorted(ranked.flavors),
        repos=sum(1 for name in ranked.repos if name),
        cost_impact=ranked.cost_impact,
        score=ranked.score,
        state=ranked.state,
        first_seen=iso(ranked.first_ts),
        last_seen=iso(ranked.last_ts),
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
