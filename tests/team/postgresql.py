"""A team's store in a real PostgreSQL, as tests make and look at it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from helix_tui.schema.team import MemberKind
from helix_tui.team.database import TeamDatabase, connected
from helix_tui.team.roles import grant, invite, make_schema

KEY = "5a" * 32


class Server(NamedTuple):
    """A running PostgreSQL and its administrator's address."""

    address: str

    def database(self, name: str) -> str:
        """The address of another database there."""
        return urlunsplit(urlsplit(self.address)._replace(path=f"/{name}"))

    def as_role(self, name: str, role: str) -> str:
        """The address by which a role reaches a database, without a password."""
        parts = urlsplit(self.database(name))
        host = dict(parse_qsl(parts.query)).get("host") or parts.hostname or "localhost"
        asked = {"host": host} | ({"port": str(parts.port)} if parts.port else {})
        return f"postgresql://{role}@/{name}?{urlencode(asked)}"


class TeamStore(NamedTuple):
    """A team's store in a database of its own; its roles have the name in theirs."""

    server: Server
    name: str

    @classmethod
    def made(cls, server: Server, name: str) -> TeamStore:
        """Make the database and the store in it."""
        with connected(server.address, "") as opened:
            opened.rows(f"CREATE DATABASE {name}")
        return cls.filled(server, name)

    @classmethod
    def filled(cls, server: Server, name: str) -> TeamStore:
        """Make the store in a database that is there."""
        store = cls(server, name)
        with store.admin() as opened, opened.atomic():
            make_schema(opened, name)
            grant(opened, name)
        return store

    @property
    def admin_address(self) -> str:
        """Whoever made it."""
        return self.server.database(self.name)

    def admin(self) -> AbstractContextManager[TeamDatabase]:
        """A connection of whoever made it."""
        return connected(self.admin_address, "")

    def member(self, name: str, kind: MemberKind = "person", *, is_keeper: bool = False) -> Member:
        """Invite somebody."""
        with self.admin() as opened:
            role, password = invite(opened, f"{name}_{self.name}", kind, is_keeper=is_keeper)
        return Member(self, role, password)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What a statement of the administrator returns."""
        with self.admin() as opened:
            return opened.rows(sql, values)


class Member(NamedTuple):
    """A role with its password."""

    store: TeamStore
    role: str
    password: str

    @property
    def address(self) -> str:
        """Where it signs in."""
        return self.store.server.as_role(self.store.name, self.role)

    @property
    def secret(self) -> str:
        """What it was handed."""
        return f"{self.password}.{KEY}"

    def signed_in(self) -> AbstractContextManager[TeamDatabase]:
        """A connection of its own."""
        return connected(self.address, self.password)
