"""Check the team's store: that it answers, its version, TLS, this member's role and the outbox."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from helix_tui.config import Config
from helix_tui.errors import HelixError
from helix_tui.schema import DoctorCheck


def check_team(config: Config) -> Iterator[DoctorCheck]:
    """Run the checks of a data folder that joined a team; nothing is pushed."""
    from helix_tui.team.membership import read_membership

    try:
        membership = read_membership(config.store)
    except HelixError as error:
        yield DoctorCheck("team", False, str(error))
        return
    if membership is None:
        return
    from helix_tui.team.address import is_https

    yield from _outbox(config)
    if is_https(membership.address):
        yield from _through_hub(config)
    elif find_spec("psycopg") is None:
        yield DoctorCheck(
            "team", False, "psycopg is missing", "Install it with: pip install 'helix-tui[team]'"
        )
    else:
        yield from _postgresql(config)


def _outbox(config: Config) -> Iterator[DoctorCheck]:
    from helix_tui.engine.team.standing import standing

    try:
        found = standing(config, is_asked=False)
    except HelixError as error:
        yield DoctorCheck("team outbox", False, str(error))
        return
    detail = f"{found.sent:,} sent, {found.pending:,} wait, {len(found.held):,} held back"
    is_well = not found.held and not found.failures
    todo = "" if is_well else "`helix team status` tells what and why."
    yield DoctorCheck("team outbox", is_well, detail, todo)


def _through_hub(config: Config) -> Iterator[DoctorCheck]:
    from helix_tui.engine.team.standing import standing

    found = standing(config)
    yield DoctorCheck(
        "team", bool(found.is_reachable), "the hub answers" if found.is_reachable else found.problem
    )


def _postgresql(config: Config) -> Iterator[DoctorCheck]:
    from helix_tui.engine.team.ways import team_database
    from helix_tui.team.address import is_local
    from helix_tui.team.database import LEAST_POSTGRESQL

    try:
        with team_database(config) as opened:
            number = int(opened.value("SHOW server_version_num"))
            yield DoctorCheck(
                "team server",
                number >= LEAST_POSTGRESQL * 10_000,
                f"PostgreSQL {number // 10_000}, schema {opened.fact('schema')}",
                f"A team needs PostgreSQL {LEAST_POSTGRESQL} or newer.",
            )
            is_encrypted = opened.value("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            is_safe = bool(is_encrypted) or is_local(opened.place)
            how = "encrypted, and the server proved who it is" if is_encrypted else "in the clear"
            yield DoctorCheck(
                "team connection",
                is_safe,
                how if not is_local(opened.place) else "on this machine",
                "Let the server speak TLS; sslmode=verify-full is asked of it.",
            )
            yield _role(opened.role, opened.rows(_ROLE), is_keeper=opened.is_keeper)
    except HelixError as error:
        yield DoctorCheck("team", False, error.what, error.todo)


# A role that is above the policies, or that the tables belong to, sees and may do everything.
_ROLE = (
    "SELECT r.rolsuper OR r.rolbypassrls, pg_has_role(current_user, c.relowner, 'member') "
    "FROM pg_roles r, pg_class c WHERE r.rolname = current_user "
    "AND c.oid = 'helix.session'::regclass"
)


def _role(role: str, rows: list[tuple[bool, ...]], *, is_keeper: bool) -> DoctorCheck:
    is_above = not rows or any(rows[0])
    kind = "a keeper, which groups" if is_keeper else "a member"
    return DoctorCheck(
        "team role",
        not is_above,
        f"{role} is above row-level security" if is_above else f"{role} is {kind}",
        "Push as a role that `helix team invite` made." if is_above else "",
    )
