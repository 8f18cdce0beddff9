"""What lines say of how candidates belong together: merged, let go, renamed. Never a cycle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from helix_tui.schema.review import JournalLine, Snapshot, Until

# Who decides on a merged candidate by itself takes it out of what it was merged into.
_ON_ITSELF = frozenset({"approve", "reject", "discuss", "snooze"})


# `retire` is an edit that takes in a page which is deprecated.
_OF_SEVERAL = frozenset({"merge", "split", "edit", "retire"})


class LinkLine(NamedTuple):
    """What a line says of candidates, without the texts that it wrote."""

    position: int
    action: str
    at: str
    author: str
    candidate: str
    others: list[str]
    note: str
    snapshot: Snapshot | None
    until: Until | None
    pattern: str


class Link(NamedTuple):
    """Into what a candidate was merged, and by which line."""

    target: str
    said: LinkLine


def is_adoption(line: JournalLine) -> bool:
    """Whether a line takes in a file that a person made: that counts as an approve.

    It names the pattern, which an edit of a file that is known already does not.
    """
    return line.action == "edit" and line.pattern is not None


def said_in(position: int, line: JournalLine) -> LinkLine:
    """What a line says of candidates."""
    # A page that somebody deprecated tells that its candidates are not to be taught.
    status = line.pattern.status if line.pattern is not None else ""
    is_retired = line.action == "edit" and status == "deprecated"
    return LinkLine(
        position,
        "retire" if is_retired else line.action,
        line.at,
        line.author,
        line.candidate,
        line.others,
        line.note,
        line.snapshot,
        line.until,
        line.pattern.id if line.pattern is not None and not is_retired else "",
    )


def named_in(said: LinkLine) -> list[str]:
    """The candidates in whose threads a line stands."""
    if said.action == "rename" or (said.action == "edit" and not said.pattern):
        return []
    others = said.others if said.action in _OF_SEVERAL else []
    if not others:
        return [said.candidate] if said.candidate else []
    return [name for name in dict.fromkeys([said.candidate, *others]) if name]


def new_ids(lines: Iterable[JournalLine]) -> dict[str, str]:
    """By which id every renamed one goes on."""
    found: dict[str, str] = {}
    for line in lines:
        if line.action == "rename" and line.others:
            _rename(found, line.candidate, line.others[0])
    return found


def _rename(new_ids: dict[str, str], old: str, new: str) -> None:
    if old != new:
        # An id that is given again is nobody's old one any more.
        new_ids.pop(new, None)
        new_ids[old] = new


class Links:
    """How candidates belong together after some lines.

    `owners` says whose an id is now. An id that nobody has now is that of the one that replaced it.
    """

    def __init__(self, thread: Iterable[LinkLine], owners: Mapping[str, str]) -> None:
        self._owners = owners
        self._new_ids: dict[str, str] = {}
        self._old_ids: dict[str, list[str]] = {}
        self._links: dict[str, Link] = {}
        self._merged: dict[str, list[str]] = {}
        thread = list(thread)
        for said in thread:
            if said.action == "rename" and said.others:
                _rename(self._new_ids, said.candidate, said.others[0])
        for old, new in (*self._new_ids.items(), *owners.items()):
            if old != new:
                self._old_ids.setdefault(new, []).append(old)
        for said in thread:
            self._take_in(said)
        for name, link in self._links.items():
            self._merged.setdefault(link.target, []).append(name)

    def owner_of(self, name: str) -> str:
        """The candidate whose id this is by now."""
        while name not in self._owners and name in self._new_ids:
            name = self._new_ids[name]
        return self._owners.get(name, name)

    def ids_of(self, owner: str, *aliases: str) -> list[str]:
        """All ids that a candidate has had, each once."""
        found: dict[str, None] = {}
        waiting = [*aliases, owner]
        while waiting:
            name = waiting.pop()
            if name not in found and self.owner_of(name) == owner:
                found[name] = None
                waiting += self._old_ids.get(name, ())
        return list(found)

    def link_of(self, owner: str) -> Link | None:
        """Into what a candidate is merged."""
        return self._links.get(owner)

    def merged_into(self, owner: str) -> list[str]:
        """What is merged into a candidate directly."""
        return self._merged.get(owner, [])

    def targets(self) -> list[str]:
        """The candidates into which others are merged."""
        return sorted(self._merged)

    def above(self, owner: str) -> list[str]:
        """Into what a candidate is merged, and into what that is, and so on."""
        chain: list[str] = []
        while (link := self._links.get(owner)) is not None:
            owner = link.target
            chain.append(owner)
        return chain

    def below(self, owner: str) -> list[str]:
        """All that is merged into a candidate, directly or through others."""
        found: list[str] = []
        waiting = [owner]
        while waiting:
            merged = self.merged_into(waiting.pop())
            found += merged
            waiting += merged
        return sorted(found)

    def _take_in(self, said: LinkLine) -> None:
        target = self.owner_of(said.candidate)
        others = [self.owner_of(name) for name in said.others]
        if said.action == "merge":
            for other in others:
                # What would become part of itself, after an undo in between, stays as it is.
                if other != target and other not in self.above(target):
                    self._links[other] = Link(target, said)
        elif said.action == "split":
            for name in others or self._let_go(target):
                link = self._links.get(name)
                if name == target or (link is not None and link.target == target):
                    self._links.pop(name, None)
        elif said.action in _ON_ITSELF:
            self._links.pop(target, None)

    def _let_go(self, name: str) -> list[str]:
        if name in self._links:
            return [name]
        return [other for other, link in self._links.items() if link.target == name]
