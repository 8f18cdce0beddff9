"""What lines say of how candidates belong together: merged, let go, renamed. Never a cycle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from helix_tui.schema.review import Line, Snapshot, Until


class Said(NamedTuple):
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
    said: Said


class Graph(NamedTuple):
    """Which ids replaced which, into what each candidate is merged, and what into it."""

    old_ids: dict[str, list[str]]
    links: dict[str, Link]
    children: dict[str, list[str]]


def is_adoption(line: Line) -> bool:
    """Whether a line takes in a file that a person made: that counts as an approve.

    It names the pattern, which an edit of a file that is known already does not.
    """
    return line.action == "edit" and line.pattern is not None


def said_in(position: int, line: Line) -> Said:
    """What a line says of candidates."""
    return Said(
        position,
        line.action,
        line.at,
        line.author,
        line.candidate,
        line.others,
        line.note,
        line.snapshot,
        line.until,
        line.pattern.id if line.pattern is not None else "",
    )


def named_in(said: Said) -> list[str]:
    """The candidates in whose threads a line stands."""
    if said.action == "rename" or (said.action == "edit" and not said.pattern):
        return []
    others = said.others if said.action in ("merge", "split", "edit") else []
    return [name for name in dict.fromkeys([said.candidate, *others]) if name]


def graph_of(linking: Iterable[Said]) -> Graph:
    """How candidates belong together after some lines."""
    linking = list(linking)
    new_ids = _new_ids(linking)
    links: dict[str, Link] = {}
    for said in linking:
        target = _newest(said.candidate, new_ids)
        others = [_newest(name, new_ids) for name in said.others]
        if said.action == "merge":
            for other in others:
                if other not in _upwards(target, links):
                    links[other] = Link(target, said)
        elif said.action == "split":
            for name in others or _let_go(target, links):
                if name == target or (name in links and links[name].target == target):
                    links.pop(name, None)
    graph = Graph({}, links, {})
    for old, new in new_ids.items():
        graph.old_ids.setdefault(new, []).append(old)
    for name, link in links.items():
        graph.children.setdefault(link.target, []).append(name)
    return graph


def _let_go(name: str, links: dict[str, Link]) -> list[str]:
    if name in links:
        return [name]
    return [child for child, link in links.items() if link.target == name]


def _upwards(name: str, links: dict[str, Link]) -> list[str]:
    """A candidate and all that it counts as."""
    chain = [name]
    while (link := links.get(chain[-1])) is not None:
        chain.append(link.target)
    return chain


def _new_ids(linking: Iterable[Said]) -> dict[str, str]:
    """What replaced each id; an id that is given again is nobody's old one any more."""
    new_ids: dict[str, str] = {}
    for said in linking:
        if said.action == "rename" and said.others and said.others[0] != said.candidate:
            new_ids.pop(said.others[0], None)
            new_ids[said.candidate] = said.others[0]
    return new_ids


def _newest(name: str, new_ids: dict[str, str]) -> str:
    while name in new_ids:
        name = new_ids[name]
    return name
