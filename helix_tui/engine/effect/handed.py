"""Which conversations were handed a pattern by recall: at their start, when they asked, by a rules
file that Grok reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from helix_tui.engine.effect.sessions import Sessions, members, set_of
from helix_tui.schema.context import Exposure
from helix_tui.schema.recall import HandedBy, HandedOut
from helix_tui.text.times import iso

_SAID: dict[HandedBy, str] = {
    "hook": "handed to it when it started",
    "mcp": "handed to it when it asked",
    "rules": "in the rules file that recall keeps for Grok there",
}


class Handed(NamedTuple):
    """The conversations that were handed one pattern, and how that is known of each."""

    observed: int = 0
    assumed: int = 0
    proofs: Mapping[int, str] = {}

    def proof(self, at: int) -> Exposure | None:
        """How it is known of one conversation; None where it was not handed it."""
        if at not in self.proofs:
            return None
        is_sure = bool(self.observed >> at & 1)
        return Exposure("observed_yes" if is_sure else "assumed_yes", self.proofs[at])


NOT_HANDED = Handed()


def handed_by_pattern(rows: Sequence[HandedOut], sessions: Sessions) -> dict[str, Handed]:
    """Who was handed what, by pattern.

    A session that is named was handed it. Where an agent asked and its session is not known, it was
    the one conversation that was under way there; where there were several nobody knows. A rules
    file holds until the next one is written in its place.
    """
    proofs: dict[str, dict[int, str]] = {}
    assumed: dict[str, set[int]] = {}
    for row in rows:
        if row.by == "rules" or not row.patterns:
            continue
        at = _conversation(row, sessions)
        if at is not None:
            for name in row.patterns:
                proofs.setdefault(name, {}).setdefault(at, _said(row))
    for row, until in _rules_files(rows):
        here = sessions.at_places((row.repo,), (row.flavor,)) & ~sessions.before(row.at)
        here &= -1 if until is None else sessions.before(until)
        for name in row.patterns:
            for at in members(here):
                if at not in proofs.setdefault(name, {}):
                    proofs[name][at] = _said(row)
                    assumed.setdefault(name, set()).add(at)
    return {
        name: Handed(
            set_of(known.keys() - assumed.get(name, set())),
            set_of(assumed.get(name, ())),
            known,
        )
        for name, known in proofs.items()
    }


def _said(row: HandedOut) -> str:
    return f"{_SAID[row.by]}, {(iso(row.at) or '')[:16]}"


def _conversation(row: HandedOut, sessions: Sessions) -> int | None:
    if row.session:
        return sessions.number_of(f"{row.flavor}:{row.session}")
    under_way = [
        at
        for at in members(sessions.at_places((row.repo,), (row.flavor,)))
        if sessions.all[at].at <= row.at <= sessions.all[at].last
    ]
    return under_way[0] if len(under_way) == 1 else None


def _rules_files(rows: Iterable[HandedOut]) -> list[tuple[HandedOut, int | None]]:
    """Each rules file with the time at which another took its place."""
    by_folder: dict[str, list[HandedOut]] = {}
    for row in rows:
        if row.by == "rules":
            by_folder.setdefault(row.cwd, []).append(row)
    handed: list[tuple[HandedOut, int | None]] = []
    for some in by_folder.values():
        some.sort(key=lambda row: row.at)
        ends = [*(row.at for row in some[1:]), None]
        handed += zip(some, ends, strict=True)
    return handed
