"""What one machine measured of patterns, as it is told to the team: numbers by conversation.

Which conversations saw a rule is known where they lie: by their logs, the ledger, the files of
today. So each machine says of its own what they count as, and whoever asks counts them together.
What others distributed counts here too, where the page of their pattern has come by git.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.distribute.stays import Stay, stays_of
from helix_tui.engine.context.exposure import plain
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.engine.distribute.teachings import rule_of
from helix_tui.engine.effect.measurement import Measurement
from helix_tui.engine.effect.sessions import members
from helix_tui.engine.team.places import list_layout
from helix_tui.engine.team.repos import RepoNames, is_named
from helix_tui.schema import DAY_MS
from helix_tui.schema.distribute import USER
from helix_tui.schema.effect import EffectFilter, Peer
from helix_tui.schema.team import (
    EffectRow,
    SharedEffect,
    SharedPeers,
    SharedStay,
    SharedWatched,
)
from helix_tui.store.database import reading
from helix_tui.store.detection.candidates import candidates_by_id, sampled_candidates
from helix_tui.store.detection.grouping_state import grouping_number
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read import shared
from helix_tui.text.hashing import hash64
from helix_tui.text.redact import redact

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.engine.effect.before_after_control import Built
    from helix_tui.schema.candidate import Candidate
    from helix_tui.schema.context import ExposureState
    from helix_tui.store.database import Database
    from helix_tui.team.carrier import Carrier
    from helix_tui.team.outbox import Outbox
    from helix_tui.team.secret import TeamSecret

# Where the rates of candidates stand among what is measured of patterns.
PEERS = "-"
_SENT, _EVERYWHERE = "effects", "*"
_encode = msgspec.json.Encoder().encode
_effect = msgspec.json.Decoder(SharedEffect).decode


def pattern_name(secret: TeamSecret, name: str) -> str:
    """What a pattern is called in the team's store: its id may hold words."""
    return secret.name_of("pattern", name)


def effect_rows(ask: Callable[..., list[tuple[Any, ...]]]) -> Iterator[tuple[str, EffectRow]]:
    """All that was measured on any machine, with its origin."""
    after = ("", "", "")
    while page := ask("effects", *after):
        for origin, *row in page:
            if row[2]:
                yield origin, EffectRow(*row)
        after = page[-1][:3]


def tell_effects(
    config: Config,
    origin: str,
    secret: TeamSecret,
    outbox: Outbox,
    carrier: Carrier,
    uid_of: Callable[[str], str],
) -> None:
    """Measure anew what may have changed and tell the team, once a day in any case."""
    with reading(StoreLayout(config.store)) as database:
        if database is None:
            return
        others = []
        if carrier.ask("reads_all")[0][0]:
            others = [row for whose, row in effect_rows(carrier.ask) if whose != origin]
        book = DistributionLedger(config).path
        is_taught = book.exists()
        if not is_taught and not others and not outbox.fact(_SENT):
            return
        stamp = (
            grouping_number(database.connection()),
            book.stat().st_mtime_ns if is_taught else 0,
            sorted((row.pattern, row.version, _stays(row)) for row in others),
            config.team[:4],
            len(outbox.tombstones()),
            time.time_ns() // 1_000_000 // DAY_MS,
        )
        sealed = str(hash64(repr(stamp).encode()))
        if sealed == outbox.fact(_SENT):
            return
        rows = measured_rows(config, database, secret, others, uid_of)
    carrier.tell_effects(origin, rows)
    outbox.set_fact(_SENT, sealed)


def _stays(row: EffectRow) -> str:
    return "" if row.pattern == PEERS else repr(_effect(row.figures).stays)


def measured_rows(
    config: Config,
    database: Database,
    secret: TeamSecret,
    others: Sequence[EffectRow],
    uid_of: Callable[[str], str],
) -> list[EffectRow]:
    """All that can be measured here, of sessions in repositories that are shared."""
    folders = shared.repositories(database.connection())
    allowed = {name: some for name, some in folders.items() if is_named(name, config.team.repos)}
    repos = RepoNames(allowed, secret, ())
    ids = {name: repos.of(name, some[0] if some else None).id for name, some in allowed.items()}
    patterns = Catalog(config.curate.catalog_dir).read().patterns
    elsewhere = _stays_elsewhere(patterns, others, secret, ids, allowed)
    taught = {*elsewhere, *stays_of(DistributionLedger(config).read()[0])}
    pages = [one for name, one in patterns.items() if name in taught]
    wider = _team_candidates(config, pages) if pages else {}
    wanted = EffectFilter(repos=frozenset(allowed))
    look = Measurement(config, database, wanted, wider=wider, elsewhere=elsewhere)
    built, peers = look.shared()
    rows = []
    for one in built:
        found = _effect_of(one, look, secret, ids, uid_of)
        name = pattern_name(secret, one.subject.id)
        rows.append(EffectRow(name, one.subject.version, _encode(found).decode()))
    if rows:
        named: dict[str, dict[str, tuple[int, int, int, int]]] = {
            sort: {secret.name_of("candidate", name): _counts(peer) for name, peer in some}
            for sort, some in peers.items()
        }
        rows.append(EffectRow(PEERS, "", _encode(SharedPeers(named)).decode()))
    return rows


def _counts(peer: Peer) -> tuple[int, int, int, int]:
    return peer.did, peer.could, peer.odd_did, peer.odd_could


def _effect_of(
    built: Built,
    look: Measurement,
    secret: TeamSecret,
    ids: Mapping[str, str],
    uid_of: Callable[[str], str],
) -> SharedEffect:
    sessions, subject, saw = look.sessions, built.subject, built.saw
    models = {at: name for (_, name), some in sessions.models.items() for at in members(some)}
    versions = {
        at: name for (_, name), some in sessions.agent_versions.items() for at in members(some)
    }
    states: tuple[tuple[int, ExposureState], ...] = (
        (saw.observed, "observed_yes"),
        (saw.assumed, "assumed_yes"),
        (saw.unknown, "unknown"),
        (saw.observed_not, "observed_no"),
    )
    watched = []
    for at in members(built.counted.could & ~built.beside):
        one = sessions.all[at]
        uid = uid_of(one.root)
        if not uid:
            continue  # held back, forgotten, or not yet sent
        watched.append(
            SharedWatched(
                uid,
                one.at,
                one.agent,
                ids.get(one.repo, ""),
                bool(built.counted.did >> at & 1),
                bool(built.later >> at & 1),
                next((state for some, state in states if some >> at & 1), "assumed_no"),
                _plain_name(models.get(at, "")),
                _plain_name(versions.get(at, "")),
            )
        )
    return SharedEffect(
        since=subject.since,
        sort=subject.candidate.sort,
        is_in=not subject.moments or subject.moments[-1].kind != "out",
        seen=(built.later & saw.seen).bit_count(),
        fired=len(subject.fired),
        watched=watched,
        stays=[
            SharedStay(_EVERYWHERE if stay.site == USER else ids[stay.site], *words)
            for stay in look.own_stays(subject.id)
            if stay.site == USER or stay.site in ids
            for words in [(_named_words(secret, stay.words), stay.since, stay.until)]
        ],
    )


def _plain_name(text: str) -> str:
    """The name of a model or the number of a version; whatever else stands there stays at home."""
    kept = text[:60]
    return kept if kept.replace("/", "").replace(".", "").replace("-", "").isalnum() else ""


def _named_words(secret: TeamSecret, words: str) -> str:
    return secret.name_of("rule", plain(redact(words)))


def _stays_elsewhere(
    patterns: Mapping[str, Pattern],
    others: Sequence[EffectRow],
    secret: TeamSecret,
    ids: Mapping[str, str],
    folders: Mapping[str, Sequence[str]],
) -> dict[str, list[Stay]]:
    """What other members distributed into repositories of this machine.

    Which of this machine's agents load it there, the files of today tell.
    """
    known = {pattern_name(secret, name): one for name, one in patterns.items()}
    here: dict[str, list[str]] = {}
    for repo, name in ids.items():
        here.setdefault(name, []).append(repo)
    found: dict[str, list[Stay]] = {}
    for row in others:
        pattern = known.get(row.pattern)
        if pattern is None:
            continue
        rule = rule_of(pattern)
        for stay in _effect(row.figures).stays:
            # What is for all of somebody's work lies in their home alone.
            if stay.words != _named_words(secret, rule):
                continue
            for repo in here.get(stay.repo, ()):
                root = folders[repo][0] if folders[repo] else ""
                made = Stay(
                    *(pattern.id, repo, root, "", rule, row.version, (), stay.since, stay.until)
                )
                found.setdefault(pattern.id, []).append(made)
    return {name: sorted(set(some), key=lambda one: one.since) for name, some in found.items()}


def _team_candidates(config: Config, patterns: Sequence[Pattern]) -> dict[str, Candidate]:
    """What patterns are about, and what they were picked among, as the team's list here has it."""
    names = {name for pattern in patterns for name in pattern.candidates}
    layout = list_layout(config)
    with reading(layout) as database:
        if database is None:
            return {}
        some = [*candidates_by_id(database, names), *sampled_candidates(database)]
        return {one.id: one for one in some}
