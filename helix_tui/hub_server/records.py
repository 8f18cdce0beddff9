"""The hub's records: decisions by their key, and the tokens of those who may send them.

They are in SQLite, or in PostgreSQL where an address of one is given. Of a token only a hash is
kept: it is random, so that nobody finds it by trying.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import NotFoundError, StoreError, UsageError
from helix_tui.hub_server.judge import Decision
from helix_tui.store.orm import peewee

_TOKEN_BYTES = 32
_PREFIX = "helix_"
_POSTGRESQL = ("postgresql://", "postgres://")
_BUSY_SECONDS = 10


class _Table(peewee.Model):
    class Meta:
        legacy_table_names = False


class DecisionRow(_Table):
    """A decision as it came; its number is the order in which decisions were recorded."""

    number = peewee.BigAutoField(primary_key=True)
    key = peewee.TextField(unique=True)
    sender = peewee.TextField()
    candidate = peewee.TextField(index=True)
    verdict = peewee.TextField()
    at = peewee.TextField()
    seq = peewee.BigIntegerField()
    author = peewee.TextField()
    retracts = peewee.TextField(null=True)
    received_ms = peewee.BigIntegerField()
    body = peewee.BlobField()

    class Meta:
        table_name = "hub_decision"


class TokenRow(_Table):
    """Somebody who may send decisions; `revoked_ms` is when that ended."""

    name = peewee.TextField(primary_key=True)
    hash = peewee.TextField(unique=True)
    created_ms = peewee.BigIntegerField()
    revoked_ms = peewee.BigIntegerField(null=True)

    class Meta:
        table_name = "hub_token"


_TABLES: tuple[type[peewee.Model], ...] = (DecisionRow, TokenRow)


class Arrival(NamedTuple):
    """A decision with the bytes that it came in, and whose token it came with."""

    decision: Decision
    body: bytes
    sender: str


class Recorded(NamedTuple):
    """A decision as the record has it; one that was taken back later does not hold."""

    key: str
    sender: str
    candidate: str
    verdict: str
    at: str
    author: str
    holds: bool


class Token(NamedTuple):
    """Who may send decisions, since when and until when."""

    name: str
    created_ms: int
    revoked_ms: int | None


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Records:
    """An open database of decisions and tokens; one thread at a time uses it."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._database = _database(address)
        with self._told("opened"):
            self._database.connect()
            for table in _TABLES:
                peewee.SchemaManager(table, self._database).create_all()

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    @contextmanager
    def _told(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (peewee.PeeweeException, OSError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise StoreError(
                f"The hub's database cannot be {verb}: {self.place}: {reason}.",
                "Is there room, and may it be written?",
            ) from error

    @property
    def place(self) -> str:
        """The database's address without a password."""
        if not self._address.startswith(_POSTGRESQL):
            return self._address
        scheme, _, rest = self._address.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}"

    def take(self, arrivals: Sequence[Arrival], now_ms: int) -> list[int]:
        """Record what is new in one transaction; the status with which each is answered.

        201 it was recorded, 200 it was known, 409 other bytes came under its key before.
        """
        with self._told("written"), self._database.atomic():
            known = self._known([arrival.decision.id for arrival in arrivals])
            statuses = []
            rows = []
            for arrival in arrivals:
                key = arrival.decision.id
                before = known.get(key)
                statuses.append(201 if before is None else 200 if before == arrival.body else 409)
                if before is None:
                    known[key] = arrival.body
                    rows.append(_row(arrival, now_ms))
            for start in range(0, len(rows), 100):
                DecisionRow.insert_many(rows[start : start + 100]).execute(self._database)
        return statuses

    def _known(self, keys: Sequence[str]) -> dict[str, bytes]:
        query = DecisionRow.select(DecisionRow.key, DecisionRow.body).where(
            DecisionRow.key.in_(list(dict.fromkeys(keys)))
        )
        return {row.key: bytes(row.body) for row in query.execute(self._database)}

    def is_ready(self) -> bool:
        """Whether the database answers."""
        try:
            self._database.execute_sql("SELECT 1")
        except (peewee.PeeweeException, OSError):
            return False
        return True

    def reconnect(self) -> None:
        """Open the connection anew, after the database was away."""
        with self._told("opened"):
            self._database.close()
            self._database.connect()

    def decisions(self) -> list[Recorded]:
        """Every decision in the order in which it was recorded, and whether it still holds."""
        with self._told("read"):
            rows = list(DecisionRow.select().order_by(DecisionRow.number).execute(self._database))
        retracted = {(row.sender, row.retracts) for row in rows if row.retracts}
        last = {(row.sender, row.candidate): row.key for row in _final(rows, retracted)}
        return [
            Recorded(
                row.key,
                row.sender,
                row.candidate,
                row.verdict,
                row.at,
                row.author,
                last.get((row.sender, row.candidate)) == row.key,
            )
            for row in rows
        ]

    def add_token(self, name: str, now_ms: int) -> str:
        """A new token for somebody; it is told this once and never again."""
        token = _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
        with self._told("written"):
            named = TokenRow.select().where(TokenRow.name == name)
            if list(named.execute(self._database)):
                raise UsageError(
                    f"There is a token for {name} already.",
                    "Take another name, also where that one was revoked: the record keeps both.",
                )
            row = {"name": name, "hash": hash_of(token), "created_ms": now_ms}
            TokenRow.insert(row).execute(self._database)
        return token

    def revoke_token(self, name: str, now_ms: int) -> None:
        """End what a token may do; what it sent stays."""
        with self._told("written"):
            changed = (
                TokenRow.update(revoked_ms=now_ms)
                .where(TokenRow.name == name, TokenRow.revoked_ms.is_null())
                .execute(self._database)
            )
        if not changed:
            raise NotFoundError(
                f"There is no token for {name} that could be revoked.",
                "`helix hub token list` shows them.",
            )

    def tokens(self) -> list[Token]:
        """All tokens, the revoked ones too."""
        with self._told("read"):
            rows = TokenRow.select().order_by(TokenRow.created_ms, TokenRow.name)
            return [
                Token(row.name, row.created_ms, row.revoked_ms)
                for row in rows.execute(self._database)
            ]

    def senders(self) -> dict[str, str]:
        """Who may send now, by the hash of their token."""
        with self._told("read"):
            rows = TokenRow.select(TokenRow.hash, TokenRow.name).where(
                TokenRow.revoked_ms.is_null()
            )
            return {row.hash: row.name for row in rows.execute(self._database)}


def _final(rows: Sequence[DecisionRow], retracted: set[tuple[str, str]]) -> Iterator[DecisionRow]:
    """The decisions that were not taken back, in each sender's own order."""
    standing = [
        row for row in rows if row.verdict != "retracted" and (row.sender, row.key) not in retracted
    ]
    return iter(sorted(standing, key=lambda row: (row.seq, row.number)))


def _row(arrival: Arrival, now_ms: int) -> dict[str, object]:
    decision = arrival.decision
    return {
        "key": decision.id,
        "sender": arrival.sender,
        "candidate": decision.candidate,
        "verdict": decision.verdict,
        "at": decision.at,
        "seq": decision.seq,
        "author": decision.author.replace("\0", ""),
        "retracts": decision.retracts,
        "received_ms": now_ms,
        "body": arrival.body,
    }


def _database(address: str) -> peewee.Database:
    if address.startswith(_POSTGRESQL):
        from helix_tui.team.driver import load_psycopg

        load_psycopg()
        return peewee.PostgresqlDatabase(
            address, prefer_psycopg3=True, autoconnect=False, thread_safe=False
        )
    path = Path(address)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The record is its owner's: SQLite gives its other files the same mode.
        path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(
            f"The hub's database cannot be made: {path}: {error.strerror}.", "--database names it."
        ) from error
    return peewee.SqliteDatabase(
        str(path),
        # A decision that was answered is on the disk, also after a power cut.
        pragmas={"journal_mode": "wal", "synchronous": "full"},
        timeout=_BUSY_SECONDS,
        autoconnect=False,
        thread_safe=False,
        check_same_thread=False,
    )
