"""Open a team's store, and say in plain words what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from helix_tui.errors import OutOfSpaceError, StoreError, StoreTooNewError
from helix_tui.store.orm import peewee
from helix_tui.team.address import dialled
from helix_tui.team.driver import load_psycopg
from helix_tui.team.models import SCHEMA

MIGRATIONS = Path(__file__).with_name("migrations")
FUNCTIONS = Path(__file__).with_name("sql") / "functions.sql"
TEAM_SCHEMA_VERSION = max(int(path.name[:4]) for path in MIGRATIONS.glob("[0-9]*.py"))
LEAST_POSTGRESQL = 15


class TeamError(StoreError):
    """The team's store cannot be reached, read or written; what is on this machine is unharmed."""


class TeamDatabase:
    """An open connection to a team's store."""

    def __init__(self, address: str, password: str, seconds: int, ca_file: Path | None) -> None:
        self.place = address
        load_psycopg()
        self._database = peewee.PostgresqlDatabase(
            dialled(address, seconds, ca_file),
            password=password or None,
            prefer_psycopg3=True,
            autoconnect=False,
            thread_safe=False,
        )

    def open(self) -> None:
        """Connect."""
        self._database.connect()

    def close(self) -> None:
        """Close the connection, also one that is broken."""
        with suppress(peewee.PeeweeException):
            self._database.close()

    @property
    def database(self) -> peewee.PostgresqlDatabase:
        """The database, for queries of models."""
        return self._database

    @property
    def connection(self) -> Any:
        """The driver's connection, for COPY; outside of `atomic` each statement commits."""
        return self._database.connection()

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """All rows that a statement returns."""
        cursor = self._database.execute_sql(sql, values)
        return list(cursor.fetchall()) if cursor.description else []

    def value(self, sql: str, values: tuple[object, ...] = ()) -> Any:
        """The first value that a statement returns, or None."""
        rows = self.rows(sql, values)
        return rows[0][0] if rows else None

    def fact(self, name: str) -> str | None:
        """A fact about the store."""
        value = self.value(f"SELECT value FROM {SCHEMA}.fact WHERE name = %s", (name,))
        return None if value is None else str(value)

    def atomic(self) -> Any:
        """A transaction: all of it happens or nothing."""
        return self._database.atomic()

    @property
    def role(self) -> str:
        """Who this connection is."""
        return str(self.value("SELECT current_user"))

    @property
    def is_keeper(self) -> bool:
        """Whether this role may group: write what is derived from everybody's facts."""
        return bool(
            self.value(
                f"SELECT coalesce((SELECT pg_has_role(current_user, value, 'member') FROM "
                f"{SCHEMA}.fact WHERE name = 'role_keeper'), false)"
            )
        )


@contextmanager
def connected(
    address: str, password: str, seconds: int = 10, ca_file: Path | None = None
) -> Iterator[TeamDatabase]:
    """A team's store while it is open; what goes wrong with it is a TeamError."""
    opened = TeamDatabase(address, password, seconds, ca_file)
    with told(address):
        opened.open()
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def told(place: str) -> Iterator[None]:
    """Turn what the driver raises into one plain sentence."""
    try:
        yield
    except (peewee.PeeweeException, OSError) as error:
        raise team_error(error, place) from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "psycopg":
            raise
        raise team_error(error, place) from error


def team_error(error: BaseException, place: str) -> StoreError:
    """What happened, where, and what to do."""
    reason = (" ".join(str(error).split()) or type(error).__name__)[:300]
    lowered = reason.lower()
    what = f"The team's store at {place} cannot be used: {reason.rstrip('.')}."
    if "no space" in lowered or "disk full" in lowered or "could not extend" in lowered:
        return OutOfSpaceError(
            what, "Its disk is full. Nothing was lost here; what waits is sent by a later push."
        )
    if "password" in lowered or "authentication" in lowered or "no pg_hba" in lowered:
        todo = "Is the secret right, and not revoked? Join again with a new one."
    elif "certificate" in lowered or "ssl" in lowered:
        todo = "[team] ca_file names the authority that signed the server's certificate."
    elif "row-level security" in lowered or "permission denied" in lowered:
        todo = "This role may not do that: only what is its own, and never delete."
    elif "does not exist" in lowered and SCHEMA in lowered:
        todo = "Whoever runs the database makes the team's tables: helix team init URL"
    else:
        todo = "Local work goes on; what waits is sent by a later push."
    return TeamError(what, todo)


def require_version(opened: TeamDatabase) -> None:
    """Refuse a store that was made by another version."""
    version = int(opened.fact("schema") or 0)
    if version > TEAM_SCHEMA_VERSION:
        raise StoreTooNewError(
            f"The team's store was made by a newer version of Helix (schema {version}, this one "
            f"knows {TEAM_SCHEMA_VERSION}).",
            "Upgrade Helix.",
        )
    if version < TEAM_SCHEMA_VERSION:
        raise TeamError(
            "The team's store is from an older version of Helix.",
            "Whoever runs it brings it up to date: helix team init URL",
        )
