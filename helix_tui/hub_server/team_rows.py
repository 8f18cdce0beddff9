"""Take a team's rows and questions over HTTPS to PostgreSQL, each as the member who sent them.

The hub signs in as a role of its own, which may become the members' roles and nothing else: the
database's policies decide on every row as if the member had pushed it directly.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from helix_tui.errors import StoreError
from helix_tui.schema.team import EffectRow
from helix_tui.team.asking import PostgresAsker, checked
from helix_tui.team.carrier import EVERY_ORIGIN, PostgresCarrier, row_decoder
from helix_tui.team.database import TeamDatabase, require_version, told

log = logging.getLogger(__name__)
MOST_ROWS = 1_000
# So many requests may wait for the one that is written; each may hold its body in memory.
_MOST_WAITING = 8
_MOST_ANSWERS = 1_024
_UNAVAILABLE = 503
_ROLE = msgspec.Meta(pattern=r"\A[a-z][a-z0-9_]{1,30}\Z")
_Origin = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9_-]{3,63}\Z")]
_Target = Annotated[str, msgspec.Meta(max_length=300)]


class _Enrolment(msgspec.Struct, frozen=True):
    origin: _Origin


class _Tombstone(msgspec.Struct, frozen=True):
    kind: Literal["session", "repo", "origin"]
    origin: Annotated[str, msgspec.Meta(max_length=64)]
    target: _Target = ""


class _Effects(msgspec.Struct, frozen=True):
    origin: _Origin
    rows: Annotated[list[EffectRow], msgspec.Meta(max_length=2_000)]


class _Asked(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(max_length=40)]
    values: list[Any]


class TeamAnswer(NamedTuple):
    """The status of an answer, what it says, and when to come again."""

    status: int
    body: Mapping[str, object]
    retry_after: int = 0


class TeamRows:
    """The one connection to a team's store, used by one request after the other."""

    def __init__(self, address: str, password: str, seconds: int = 30) -> None:
        self._opened = TeamDatabase(address, password, seconds, None)
        self._carrier = PostgresCarrier(self._opened)
        self._asker = PostgresAsker(self._opened)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hub-team")
        self._waiting = 0
        self._is_connected = False
        self._answers: OrderedDict[tuple[str, str], TeamAnswer] = OrderedDict()

    def close(self) -> None:
        """End the thread and the connection."""
        self._thread.submit(self._disconnect).result()
        self._thread.shutdown()

    async def answer(self, path: str, sender: str, key: str, body: bytes) -> TeamAnswer:
        """Do what a request asks, as its sender; the same key has the same answer."""
        expected = sha256(path.encode() + b"\0" + body).hexdigest()
        if not hmac.compare_digest(key.encode(), expected.encode()):
            return _refusal(422, "The header Idempotency-Key is not the hash of this request.")
        if known := self._answers.get((sender, key)):
            return known
        work = self._asked(path, body)
        if isinstance(work, TeamAnswer):
            return work
        if self._waiting >= _MOST_WAITING:
            return _refusal(_UNAVAILABLE, "Too many requests wait.", 60)
        self._waiting += 1
        try:
            made = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._as_member, sender, work
            )
        finally:
            self._waiting -= 1
        if made.status == 200 and path not in ("/team/origins", "/team/ask"):
            self._answers[sender, key] = made
            if len(self._answers) > _MOST_ANSWERS:
                self._answers.popitem(last=False)
        return made

    def _asked(self, path: str, body: bytes) -> Callable[[], TeamAnswer] | TeamAnswer:
        """What a request asks for, or why it asks for nothing that can be done."""
        try:
            if path == "/team/origins":
                enrolment = msgspec.json.decode(body, type=_Enrolment)
                return lambda: self._enrol(enrolment.origin)
            if path == "/team/tombstones":
                tombstone = msgspec.json.decode(body, type=_Tombstone)
                if tombstone.origin != EVERY_ORIGIN:
                    msgspec.convert(tombstone.origin, _Origin)
                return lambda: self._bury(tombstone)
            if path == "/team/ask":
                asked = msgspec.json.decode(body, type=_Asked)
                values = checked(asked.name, asked.values)
                return lambda: TeamAnswer(200, {"rows": self._asker.ask(asked.name, *values)})
            if path == "/team/effects":
                effects = msgspec.json.decode(body, type=_Effects)
                return lambda: self._measured(effects)
            rows = [line for line in body.split(b"\n") if line]
            for row in rows:
                row_decoder.decode(row)
        except (UnicodeDecodeError, RecursionError):
            return _refusal(400, "The body is not JSON.")
        except (msgspec.MsgspecError, ValueError) as error:
            return _refusal(422, f"This cannot be taken: {error}.")
        if len(rows) > MOST_ROWS:
            return _refusal(413, f"A request has at most {MOST_ROWS:,} rows.")
        return lambda: TeamAnswer(200, {"states": self._carrier.take(rows)})

    def _enrol(self, origin: str) -> TeamAnswer:
        role = self._carrier.enrol(origin)
        if not self._carrier.owns(origin):
            return _refusal(403, "This origin is somebody else's.")
        return TeamAnswer(200, {"role": role, "revision": self._carrier.last_revision(origin)})

    def _measured(self, told: _Effects) -> TeamAnswer:
        self._carrier.tell_effects(told.origin, told.rows)
        return TeamAnswer(200, {"taken": len(told.rows)})

    def _bury(self, asked: _Tombstone) -> TeamAnswer:
        self._carrier.bury(asked.kind, asked.origin, asked.target)
        return TeamAnswer(200, {"forgotten": True})

    def _as_member(self, sender: str, work: Callable[[], TeamAnswer]) -> TeamAnswer:
        try:
            msgspec.convert(sender, Annotated[str, _ROLE])
        except msgspec.ValidationError:
            return _refusal(403, "The token's name is no member of the team.")
        try:
            self._connect()
            # Nothing in the name needs a quotation: it was looked at above.
            self._opened.rows(f'SET ROLE "{sender}"')
            try:
                require_version(self._opened)
                return work()
            finally:
                self._opened.rows("RESET ROLE")
        except StoreError as error:
            return self._failed(error)
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in ("psycopg", "peewee"):
                raise
            return self._failed(error)

    def _failed(self, error: Exception) -> TeamAnswer:
        """What the database refused is the sender's fault; all else may go well another time."""
        text = " ".join(str(error).split())
        self._disconnect()
        if "row-level security" in text or "permission denied" in text:
            return _refusal(403, "Only what is one's own may be pushed.")
        if "role" in text and "does not exist" in text:
            return _refusal(403, "The token's name is no member of the team.")
        log.warning("the team's rows were not taken: %s", text)
        return _refusal(_UNAVAILABLE, "The team's store cannot take anything just now.", 60)

    def _connect(self) -> None:
        if not self._is_connected:
            with told(self._opened.place):
                self._opened.open()
            self._is_connected = True

    def _disconnect(self) -> None:
        self._is_connected = False
        self._opened.close()


def _refusal(status: int, detail: str, retry_after: int = 0) -> TeamAnswer:
    return TeamAnswer(status, {"detail": detail}, retry_after)
