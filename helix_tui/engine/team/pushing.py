"""Push what is allowed to leave: find what changed, make its rows, send them in batches."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.engine.team.masking import Masking
from helix_tui.engine.team.repos import RepoNames, is_named
from helix_tui.engine.team.rows import RowMaker, encoded, texts_of_row
from helix_tui.engine.team.ways import carrier_to, secret_of
from helix_tui.errors import HelixError, StoreBusyError, StoreError
from helix_tui.files.durable import FILE_MODE
from helix_tui.schema.team import Held, Membership, TeamRow
from helix_tui.schema.team_settings import TeamSettings
from helix_tui.store.database import reading
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read import shared
from helix_tui.store.user_lists import forgotten_sessions
from helix_tui.team.carrier import EVERY_ORIGIN, Carrier
from helix_tui.team.membership import require_membership, team_folder
from helix_tui.team.outbox import Outbox, Sent
from helix_tui.team.secret import TeamSecret
from helix_tui.text.hashing import hash64
from helix_tui.text.human import plural

log = logging.getLogger(__name__)
# Counted up where rows of unchanged sessions hold more than before.
_FORM = 2
_BATCH_ROWS = 100
_BATCH_BYTES = 8 << 20
_LARGEST_ROW = 16 << 20


class Pushed(NamedTuple):
    """What a push did: how many sessions the team took, what is held, what waits, how much left."""

    pushed: int
    held: list[Held]
    pending: int
    size: int
    problem: str = ""


class _Changed(NamedTuple):
    session: shared.SharedSession
    stamp: int


def outbox_path(store: Path) -> Path:
    """The record of what was sent."""
    return team_folder(store) / "outbox.db"


class Leaving:
    """What would leave of one store, made one session at a time."""

    def __init__(
        self, config: Config, membership: Membership, secret: TeamSecret, outbox: Outbox | None
    ) -> None:
        self._config = config
        self._membership = membership
        self._secret = secret
        self._outbox = outbox
        self.held: dict[str, Sent] = {}
        self.waiting = 0

    def rows(self, *, is_all: bool = False) -> Iterator[tuple[_Changed, TeamRow]]:
        """The rows of sessions that changed since they were sent; those held are noted."""
        settings = self._config.team
        known = self._outbox.all() if self._outbox else {}
        with reading(StoreLayout(self._config.store)) as database:
            if database is None:
                return
            connection = database.connection()
            folders = shared.repositories(connection)
            allowed = [name for name in folders if is_named(name, settings.repos)]
            sessions = shared.sessions_in(connection, allowed)
            repos = RepoNames(folders, self._secret, settings.names)
            masking = Masking(
                (cwd for some in folders.values() for cwd in some),
                (name for name in folders if not is_named(name, settings.names)),
                repos.remotes,
            )
            how = _how(settings)
            stamps = {
                key: stamp ^ how for key, stamp in shared.stamps(connection, sessions).items()
            }
            changed = [
                _Changed(one, stamps[one.key])
                for one in sessions
                if is_all or not _is_settled(known.get(one.id), stamps[one.key])
            ]
            self.waiting = len(changed)
            if not changed:
                return
            maker = RowMaker(
                connection, self._membership.origin, self._secret, masking, repos, settings.share
            )
            for one in changed:
                before = known.get(one.session.id)
                row, why = _made(maker, masking, one, before)
                if row is None:
                    self.held[one.session.id] = Sent(
                        *(one.session.id, one.stamp, "", 0, "held", why, one.session.repo, "", "")
                    )
                    self.waiting -= 1
                    continue
                yield one, row


def _how(settings: TeamSettings) -> int:
    """What else than its session a row depends on: when it differs, all are sent anew."""
    return hash64(repr((_FORM, settings.share, settings.names)).encode())


def _is_settled(sent: Sent | None, stamp: int) -> bool:
    """Whether a session is as it was when it was sent or held; forgotten, it stays so."""
    return sent is not None and (sent.state == "forgotten" or sent.stamp == stamp)


def _made(
    maker: RowMaker, masking: Masking, changed: _Changed, before: Sent | None
) -> tuple[TeamRow | None, str]:
    """A row, or why there is none: what is wrong with one session holds back that session."""
    earlier = [int(mark) for mark in before.marks.split()] if before else []
    try:
        row = maker.row(changed.session, earlier)
        why = masking.objection(texts_of_row(row), row.words)
        if not why and len(encoded(row)) > _LARGEST_ROW:
            why = "it is larger than 16 MiB"
    except (StoreError, ValueError) as error:
        return None, f"it cannot be read: {error}"
    return (None, why) if why else (row, "")


def push(
    config: Config,
    *,
    is_all: bool = True,
    cancelled: Callable[[], bool] = lambda: False,
    now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
) -> Pushed:
    """Send what changed, whether it is due or not, or with `is_all` false what is due."""
    membership = require_membership(config.store)
    secret = secret_of(config, membership)
    with _alone(config.store):
        outbox = Outbox(outbox_path(config.store))
        try:
            if not is_all and not outbox.is_due(now_ms()):
                error = f"{outbox.fact('error')} It is tried again later."
                return Pushed(0, [], pending(config, outbox), 0, error)
            run = _Run(config, membership, secret, outbox, cancelled, now_ms)
            return run.push()
        finally:
            outbox.close()


def pending(config: Config, outbox: Outbox) -> int:
    """How many sessions wait, by their stamps alone: no row is made for that."""
    settings, known = config.team, outbox.all()
    with reading(StoreLayout(config.store)) as database:
        if database is None:
            return 0
        connection = database.connection()
        folders = shared.repositories(connection)
        sessions = shared.sessions_in(
            connection, [name for name in folders if is_named(name, settings.repos)]
        )
        how = _how(settings)
        stamps = shared.stamps(connection, sessions)
    return sum(not _is_settled(known.get(one.id), stamps[one.key] ^ how) for one in sessions)


def held_rows(outbox: Outbox) -> list[Held]:
    """What is held back, and why."""
    return [Held(one.id, one.why) for one in outbox.all().values() if one.state == "held"]


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    path = team_folder(store) / "push.lock"
    lock = FileLock(path, mode=FILE_MODE, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreBusyError("Another process is pushing to the team just now.") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}.") from error
    try:
        yield
    finally:
        lock.release()


def bury(config: Config, membership: Membership, outbox: Outbox, carrier: Carrier) -> None:
    """Tell what is to be forgotten, first of all: what is forgotten here is forgotten there."""
    known = outbox.all()
    for name in sorted(forgotten_sessions(StoreLayout(config.store)) & known.keys()):
        if known[name].state == "sent":
            outbox.bury("session", name)
    for kind, target in outbox.tombstones(is_sent=False):
        if kind == "session":
            uid = known[target].uid if target in known else ""
            carrier.bury("session", membership.origin, uid or f"{target}.{membership.origin}")
        else:
            # Of a repository, or of everything, on whichever of one's machines it was.
            carrier.bury("repo" if kind == "repo" else "origin", EVERY_ORIGIN, target)
        outbox.settle_tombstone(kind, target)
        gone = [one for one in known.values() if kind == "repo" and one.repo == target]
        gone += [known[target]] if kind == "session" and target in known else []
        outbox.record([one._replace(state="forgotten") for one in gone])


def push_only_tombstones(config: Config) -> str:
    """Tell the team what is to be forgotten, and nothing else; return what prevented it."""
    membership = require_membership(config.store)
    secret = secret_of(config, membership)
    with _alone(config.store):
        outbox = Outbox(outbox_path(config.store))
        try:
            with carrier_to(config, membership.address, secret) as carrier:
                carrier.enrol(membership.origin)
                bury(config, membership, outbox, carrier)
        except HelixError as error:
            return str(error)
        finally:
            outbox.close()
    return ""


class _Run:
    """One push, and how far it got."""

    def __init__(
        self,
        config: Config,
        membership: Membership,
        secret: TeamSecret,
        outbox: Outbox,
        cancelled: Callable[[], bool],
        now_ms: Callable[[], int],
    ) -> None:
        self._config = config
        self._membership = membership
        self._outbox = outbox
        self._secret = secret
        self._cancelled = cancelled
        self._now_ms = now_ms
        self._leaving = Leaving(config, membership, secret, outbox)
        self._pushed = self._size = self._settled = 0

    def push(self) -> Pushed:
        problem = ""
        try:
            with carrier_to(self._config, self._membership.address, self._secret) as carrier:
                self._send(carrier)
            self._outbox.succeed(self._now_ms())
        except HelixError as error:
            problem = str(error)
            retry_after = getattr(error, "retry_after", None)
            self._outbox.put_off(self._now_ms(), problem, retry_after)
            log.warning("nothing more was pushed: %s", problem)
        self._outbox.record(self._leaving.held.values())
        left = pending(self._config, self._outbox)
        return Pushed(self._pushed, held_rows(self._outbox), left, self._size, problem)

    def _send(self, carrier: Carrier) -> None:
        carrier.enrol(self._membership.origin)
        if not self._outbox.fact("revision"):
            last = carrier.last_revision(self._membership.origin)
            self._outbox.set_fact("revision", str(last))
        bury(self._config, self._membership, self._outbox, carrier)
        if ("origin", "") in self._outbox.tombstones():
            raise StoreError(
                "All that is this machine's own was forgotten; nothing of it is pushed again.",
                "Join again to share anew: helix team join URL",
            )
        batch: list[tuple[_Changed, TeamRow, bytes]] = []
        size = 0
        for changed, row in self._leaving.rows():
            if self._cancelled():
                return
            numbered = replace(row, revision=self._outbox.next_revision(self._now_ms()))
            data = encoded(numbered)
            batch.append((changed, numbered, data))
            size += len(data)
            if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
                self._take(carrier, batch)
                batch, size = [], 0
        if batch:
            self._take(carrier, batch)
        self._tell_effects(carrier)

    def _tell_effects(self, carrier: Carrier) -> None:
        """Say what was measured of patterns, in the names that sessions were sent under."""
        from helix_tui.engine.team.measuring import tell_effects

        origin = self._membership.origin
        named = {one.id: one.uid for one in self._outbox.all().values() if one.uid}
        tell_effects(
            self._config,
            origin,
            self._secret,
            self._outbox,
            carrier,
            lambda name: named.get(name, ""),
        )

    def _take(self, carrier: Carrier, batch: Sequence[tuple[_Changed, TeamRow, bytes]]) -> None:
        states = carrier.take([data for _, _, data in batch])
        rows = []
        for changed, row, data in batch:
            state = states.get(row.uid)
            if state is None:
                raise StoreError(
                    f"The team's store did not say what became of {row.uid}.", "Push again."
                )
            self._pushed += state == "taken"
            self._size += len(data)
            rows.append(
                Sent(
                    id=changed.session.id,
                    stamp=changed.stamp,
                    hash=row.hash,
                    revision=row.revision,
                    state="forgotten" if state == "forgotten" else "sent",
                    why="",
                    repo=row.repo,
                    uid=row.uid,
                    marks=" ".join(map(str, row.marks)),
                )
            )
        self._outbox.record(rows)


def push_due(config: Config, cancelled: Callable[[], bool], *, is_asked: bool) -> list[str]:
    """Push behind a sweep; local work went on whatever happens here. Return messages."""
    try:
        done = push(config, is_all=is_asked, cancelled=cancelled)
    except StoreBusyError as error:
        return [f"Nothing was pushed: {error}"]
    except HelixError as error:
        log.warning("nothing was pushed: %s", error)
        return [f"Nothing was pushed to the team: {error}"]
    log.info("team: %d pushed, %d held, %d pending", done.pushed, len(done.held), done.pending)
    messages = []
    if done.held:
        held = plural(len(done.held), "session is", "sessions are")
        messages.append(f"{held} held back from the team: `helix team status` tells why.")
    if done.problem:
        waits = plural(done.pending, "session waits", "sessions wait")
        messages.append(f"{waits} for the team: {done.problem}")
        return messages
    from helix_tui.engine.team.exchange import exchange_behind

    return [*messages, *exchange_behind(config)]
