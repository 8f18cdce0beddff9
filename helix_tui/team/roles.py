"""Who may do what in a team's store: roles, and what each is granted. Idempotent."""

from __future__ import annotations

import re
import secrets
import time

from helix_tui.errors import NotFoundError, UsageError
from helix_tui.schema.team import MemberKind
from helix_tui.team.database import FUNCTIONS, MIGRATIONS, TEAM_SCHEMA_VERSION, TeamDatabase
from helix_tui.team.models import SCHEMA, FactRow, MemberRow

_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
# What members and CI projects push, and may only push as their own.
_FACTS = ("session_key", "session", "fold", "words", "signal", "effect")
_RECORDS = ("origin", "verdict", "tombstone")
# What keepers make of the facts.
DERIVED = (
    "note",
    "counted",
    "candidate",
    "speech",
    "saying",
    "regrouped",
    "seen",
    "place",
    "population",
    "big_bucket",
    "waiting",
    "put_off",
    "held",
    "large_bucket",
)
_CALLED = (
    "month_of(bigint)",
    "make_month(integer)",
    "is_forgotten(text, text, text)",
    "is_expired(bigint)",
    "owns(text, text)",
    "owns_key(bigint, integer, text)",
    "reads_all()",
    "take()",
)
_WORDS = (
    "amber",
    "birch",
    "cobalt",
    "delta",
    "ember",
    "fjord",
    "garnet",
    "hazel",
    "iris",
    "juniper",
)
_BEASTS = ("heron", "lynx", "otter", "wren", "badger", "ibis", "marten", "plover", "raven", "stoat")


def groups_of(team: str) -> dict[str, str]:
    """The group roles of a team, by what they are for."""
    return {kind: f"helix_{team}_{kind}" for kind in ("member", "ci", "keeper")}


def check_name(name: str, noun: str = "name") -> str:
    """A name that may be a role's."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no {noun}: small letters, digits and _, 2 to 31 of them, a letter first.",
            "Take another one.",
        )
    return name


def make_schema(opened: TeamDatabase, team: str) -> list[str]:
    """Create or bring up to date the team's tables; return the migrations that ran."""
    from playhouse.migrations import Runner

    opened.rows(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    ran = list(Runner(opened.database, str(MIGRATIONS), schema=SCHEMA).up())
    opened.connection.execute(FUNCTIONS.read_text(encoding="utf-8"))
    groups = groups_of(team)
    facts = {"schema": str(TEAM_SCHEMA_VERSION), "team": team}
    facts |= {f"role_{kind}": role for kind, role in groups.items()}
    FactRow.insert_many(list(facts.items()), [FactRow.name, FactRow.value]).on_conflict(
        conflict_target=[FactRow.name], preserve=[FactRow.value]
    ).execute(opened.database)
    opened.rows(f"SELECT {SCHEMA}.make_month(0)")
    return ran


def grant(opened: TeamDatabase, team: str) -> None:
    """Make the group roles and say what each may do: the same however often it is said."""
    groups = groups_of(team)
    for role in groups.values():
        if not _exists(opened, role):
            opened.rows(f'CREATE ROLE "{role}" NOLOGIN')
    everyone = ", ".join(f'"{groups[kind]}"' for kind in ("member", "ci"))
    keeper, member = f'"{groups["keeper"]}"', f'"{groups["member"]}"'
    opened.rows(f"REVOKE ALL ON SCHEMA {SCHEMA} FROM PUBLIC")
    opened.rows(f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {SCHEMA} FROM PUBLIC")
    opened.rows(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {everyone}, {keeper}")
    opened.rows(f"GRANT SELECT ON {SCHEMA}.fact, {SCHEMA}.member TO {everyone}")
    for table in _FACTS:
        opened.rows(f"GRANT SELECT, INSERT, UPDATE ON {SCHEMA}.{table} TO {everyone}")
    opened.rows(f"REVOKE UPDATE ON {SCHEMA}.session_key FROM {everyone}")
    for table in _RECORDS:
        opened.rows(f"GRANT SELECT, INSERT ON {SCHEMA}.{table} TO {everyone}")
    opened.rows(f"GRANT SELECT ON {SCHEMA}.changed TO {member}")
    for table in DERIVED:
        opened.rows(f"GRANT SELECT ON {SCHEMA}.{table} TO {member}")
        opened.rows(f"GRANT ALL ON {SCHEMA}.{table} TO {keeper}")
    opened.rows(f"GRANT SELECT, DELETE ON {SCHEMA}.changed TO {keeper}")
    for function in _CALLED:
        opened.rows(f"GRANT EXECUTE ON FUNCTION {SCHEMA}.{function} TO {everyone}, {keeper}")
    opened.rows(f"GRANT EXECUTE ON FUNCTION {SCHEMA}.find(text, integer) TO {member}")
    opened.rows(f"GRANT EXECUTE ON FUNCTION {SCHEMA}.sharing(bigint[]) TO {keeper}")
    opened.rows(f"GRANT {member} TO {keeper}")  # who groups reads what all people may read
    _be_member(opened, team)


def _be_member(opened: TeamDatabase, team: str) -> None:
    """Enter whoever made the store among its members: it owns the tables, and may group."""
    role = opened.role
    MemberRow.insert(
        role=role, pseudonym=role, kind="person", is_keeper=True
    ).on_conflict_ignore().execute(opened.database)
    keeper = groups_of(team)["keeper"]
    if not opened.value("SELECT pg_has_role(current_user, %s, 'member')", (keeper,)):
        opened.rows(f'GRANT "{keeper}" TO "{role}"')


def invite(
    opened: TeamDatabase, pseudonym: str, kind: MemberKind, *, is_keeper: bool = False
) -> tuple[str, str]:
    """Make a role for a person or a CI project; its name and its password, told this once."""
    name = check_name(pseudonym or _any_name(), "pseudonym")
    if _exists(opened, name):
        raise UsageError(f"There is a role {name} already.", "Take another pseudonym.")
    password = secrets.token_urlsafe(24)
    group = opened.fact("role_ci" if kind == "ci" else "role_member")
    keeper = opened.fact("role_keeper")
    with opened.atomic():
        # Random, of letters, digits, - and _ : nothing in it needs a quotation.
        opened.rows(f"CREATE ROLE \"{name}\" LOGIN PASSWORD '{password}'")
        opened.rows(f'GRANT "{group}" TO "{name}"')
        if is_keeper:
            opened.rows(f'GRANT "{keeper}" TO "{name}"')
        MemberRow.insert(role=name, pseudonym=name, kind=kind, is_keeper=is_keeper).execute(
            opened.database
        )
    return name, password


def make_hub(opened: TeamDatabase, name: str) -> str:
    """Make the role that a hub signs in as; return its password. By itself it may do nothing."""
    check_name(name)
    if _exists(opened, name):
        raise UsageError(f"There is a role {name} already.", "Take another name.")
    password = secrets.token_urlsafe(24)
    opened.rows(f"CREATE ROLE \"{name}\" LOGIN NOINHERIT PASSWORD '{password}'")
    return password


def let_through(opened: TeamDatabase, hub: str, member: str) -> None:
    """Let a hub push as a member, whose token it checks."""
    for name in (check_name(hub), check_name(member)):
        if not _exists(opened, name):
            raise NotFoundError(f"There is no role {name}.", "`helix team invite` makes it.")
    opened.rows(f'GRANT "{member}" TO "{hub}"')


def revoke(opened: TeamDatabase, name: str) -> None:
    """End what a member may do; what it pushed stays until it is forgotten."""
    now_ms = time.time_ns() // 1_000_000
    with opened.atomic():
        whose = (MemberRow.role == name) & MemberRow.revoked_ms.is_null()
        if not MemberRow.update(revoked_ms=now_ms).where(whose).execute(opened.database):
            raise NotFoundError(f"There is no member {name} that could be revoked.")
        for fact in ("role_member", "role_ci", "role_keeper"):
            opened.rows(f'REVOKE "{opened.fact(fact)}" FROM "{check_name(name)}"')
        opened.rows(f'ALTER ROLE "{name}" NOLOGIN')


def _exists(opened: TeamDatabase, role: str) -> bool:
    return bool(opened.value("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)))


def _any_name() -> str:
    return f"{secrets.choice(_WORDS)}_{secrets.choice(_BEASTS)}_{secrets.randbelow(100)}"
