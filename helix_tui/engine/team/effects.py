"""Did it help, over all machines of a team: what each counted at home, counted together.

A conversation that lies on two machines counts once, as that of the earliest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.engine.distribute.teachings import rule_of, teaching_of
from helix_tui.engine.team.measuring import PEERS, effect_rows, pattern_name
from helix_tui.engine.team.ways import asking, secret_of
from helix_tui.measure.groups import group_of
from helix_tui.measure.tally import tally
from helix_tui.measure.verdict import settle, verdict_of
from helix_tui.schema.effect import (
    ORDER,
    Case,
    Effect,
    EffectFilter,
    EffectReport,
    Measured,
    Peer,
    Unmeasured,
    Watched,
)
from helix_tui.schema.team import (
    SharedEffect,
    SharedPeers,
    SharedWatched,
    place_names,
)
from helix_tui.team.membership import require_membership

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.team.asking import Asker
    from helix_tui.team.secret import TeamSecret

_MANY = 1_000
_NO_FILTER = EffectFilter()
_effect = msgspec.json.Decoder(SharedEffect).decode
_peers = msgspec.json.Decoder(SharedPeers).decode


class _Told(NamedTuple):
    """What machines measured of one wording of one pattern, and of candidates."""

    effects: dict[tuple[str, str], list[SharedEffect]]
    peers: list[SharedPeers]


def team_effects(config: Config, wanted: EffectFilter = _NO_FILTER) -> EffectReport:
    """Every pattern that some member distributed, what needs a person first."""
    secret = secret_of(config, require_membership(config.store))
    with asking(config) as asker:
        return effects_from(asker, config, secret, wanted)


def effects_from(
    asker: Asker, config: Config, secret: TeamSecret, wanted: EffectFilter = _NO_FILTER
) -> EffectReport:
    """The same, asked over an open connection."""
    told = _told(asker)
    roots = _roots(asker, told)
    names = place_names(dict(asker.ask("places")))
    patterns = Catalog(config.curate.catalog_dir).read().patterns
    known = {pattern_name(secret, name): one for name, one in patterns.items()}
    peers = {
        sort: _together(told.peers, sort)
        for sort in {one.sort for some in told.effects.values() for one in some}
    }
    picked = Counter(
        sort
        for name in {pattern for pattern, _ in told.effects}
        for sort in {
            one.sort for (each, _), some in told.effects.items() if each == name for one in some
        }
    )
    found, unmeasured = [], []
    for (name, version), some in sorted(told.effects.items()):
        pattern = known.get(name)
        if pattern is None:
            why = "its page is not in the catalog here: it comes with git, or helix team sync"
            unmeasured.append(Unmeasured(f"pattern {name}", "", why))
            continue
        sort = some[0].sort
        case = Case(
            id=pattern.id,
            version=version,
            since=min(one.since for one in some),
            how="ledger",
            sessions=_watched(some, roots, names, wanted),
            peers=peers[sort],
            picked=max(1, picked[sort]),
        )
        found.append((pattern, case, some))
    effects = settle(
        [
            verdict_of(case, tally(case)._replace(sessions=sum(one.seen for one in some)))
            for _, case, some in found
        ]
    )
    measured = [
        _measured(config, pattern, some, effect)
        for (pattern, _, some), effect in zip(found, effects, strict=True)
    ]
    measured.sort(key=lambda one: (ORDER.index(one.effect.state), one.id, one.effect.version))
    return EffectReport(measured, unmeasured)


def _told(asker: Asker) -> _Told:
    told = _Told({}, [])
    for _, row in effect_rows(asker.ask):
        if row.pattern == PEERS:
            told.peers.append(_peers(row.figures))
        else:
            told.effects.setdefault((row.pattern, row.version), []).append(_effect(row.figures))
    return told


def _roots(asker: Asker, told: _Told) -> dict[str, str]:
    """The conversation that each session is of, of those that the team still has."""
    uids = sorted(
        {one.uid for some in told.effects.values() for each in some for one in each.watched}
    )
    found: dict[str, str] = {}
    for start in range(0, len(uids), _MANY):
        found.update(asker.ask("roots", uids[start : start + _MANY]))
    return found


def _watched(
    some: Sequence[SharedEffect],
    roots: Mapping[str, str],
    names: Mapping[str, str],
    wanted: EffectFilter,
) -> list[Watched]:
    """The conversations of all machines, each once."""
    rows = [one for each in some for one in each.watched if one.uid in roots]
    together: dict[str, list[SharedWatched]] = {}
    for one in sorted(rows, key=lambda one: (one.at, one.uid)):
        together.setdefault(roots[one.uid], []).append(one)
    kept = [_one(copies) for copies in together.values()]
    kept = [
        one
        for one in kept
        if wanted.repo in (None, names.get(one.repo, one.repo))
        and wanted.agent in (None, one.agent)
        and (wanted.since_ts is None or one.at >= wanted.since_ts)
    ]
    has_one = len({one.repo for one in kept}) < 2
    return [
        Watched(
            one.at,
            group_of(one.agent, names.get(one.repo, one.repo), has_one_repo=has_one),
            one.exposure,
            True,
            one.did,
            one.is_later,
            one.model,
            one.agent_version,
        )
        for one in kept
    ]


def _one(copies: Sequence[SharedWatched]) -> SharedWatched:
    """The earliest of a conversation's copies; it happened where any of them has it."""
    return replace(copies[0], did=any(one.did for one in copies))


def _together(told: Sequence[SharedPeers], sort: str) -> list[Peer]:
    """How often each candidate happened on all machines."""
    sums: dict[str, list[int]] = {}
    for one in told:
        for name, counts in one.peers.get(sort, {}).items():
            total = sums.setdefault(name, [0, 0, 0, 0])
            for at, value in enumerate(counts):
                total[at] += value
    return [Peer(*sums[name]) for name in sorted(sums)]


def _measured(
    config: Config, pattern: Pattern, some: Sequence[SharedEffect], effect: Effect
) -> Measured:
    return Measured(
        id=pattern.id,
        title=pattern.title,
        rule=rule_of(pattern),
        rung=teaching_of(pattern, config.distribute.floors).rung,
        candidates=list(pattern.candidates),
        opportunity="as each machine finds it: helix effect ID there says how",
        effect=effect,
        moments=[],
        fired=sum(one.fired for one in some),
    )
