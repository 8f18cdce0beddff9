"""What each role may see and write, and that nobody may delete (`make team`)."""

from __future__ import annotations

import os

import pytest

from helix_tui.errors import StoreError
from helix_tui.team.roles import revoke
from tests.team.carrying import carrying
from tests.team.made_rows import as_bytes, made_row
from tests.team.postgresql import Member, TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
FACTS = ("session", "session_key", "fold", "words", "signal", "effect")
DERIVED = ("candidate", "counted", "speech", "saying", "regrouped", "seen", "note")


def pushed(member: Member, origin: str) -> Member:
    """A member who pushed one session from an origin."""
    with carrying(member) as carrier:
        carrier.enrol(origin)
        assert list(carrier.take(as_bytes(made_row(origin))).values()) == ["taken"]
    return member


def refused(member: Member, sql: str, *values: object) -> str:
    """Why a statement of a member fails; it has to."""
    with pytest.raises(StoreError) as failed, member.signed_in() as opened:
        opened.rows(sql, values)
    return str(failed.value)


def count(member: Member, table: str) -> int:
    with member.signed_in() as opened:
        return int(opened.value(f"SELECT count(*) FROM helix.{table}"))


def test_people_read_all_and_ci_reads_its_own(team_store: TeamStore) -> None:
    kim = pushed(team_store.member("kim"), "kims-machine")
    ci = pushed(team_store.member("build", "ci"), "ci-build")
    for table in ("session", "session_key", "fold", "words", "signal", "origin"):
        assert (count(kim, table), count(ci, table)) == (2, 1), table
    assert (count(kim, "member"), count(ci, "member")) == (3, 1)
    with ci.signed_in() as opened:
        assert opened.rows("SELECT DISTINCT owner FROM helix.session") == [(ci.role,)]


def test_nobody_deletes(team_store: TeamStore) -> None:
    for member in (
        pushed(team_store.member("kim"), "kims-machine"),
        pushed(team_store.member("build", "ci"), "ci-build"),
        pushed(team_store.member("lee", is_keeper=True), "lees-machine"),
    ):
        for table in (*FACTS, "origin", "verdict", "tombstone", "member", "fact"):
            assert "permission denied" in refused(member, f"DELETE FROM helix.{table}")
            assert "permission denied" in refused(member, f"TRUNCATE helix.{table}")
        assert "permission denied" in refused(member, "SELECT helix.drop_sessions(ARRAY[1])")
        assert "permission denied" in refused(member, "SELECT helix.drop_month(202602)")
        assert "permission denied" in refused(member, "SELECT * FROM helix.session_202602")
        assert "must be owner" in refused(member, "DROP TABLE helix.session")


def test_nobody_writes_in_anothers_name(team_store: TeamStore) -> None:
    kim = pushed(team_store.member("kim"), "kims-machine")
    lee = pushed(team_store.member("lee", is_keeper=True), "lees-machine")
    mine = team_store.rows("SELECT key, month FROM helix.session WHERE owner = %s", kim.role)[0]
    policy = "row-level security"
    with pytest.raises(StoreError, match=policy), carrying(lee) as carrier:
        carrier.take(as_bytes(made_row("kims-machine", revision=9, text="forged")))
    with pytest.raises(StoreError, match=policy), carrying(lee) as carrier:
        carrier.take(as_bytes(made_row("kims-machine", "claude:two")))
    assert policy in refused(
        lee, "INSERT INTO helix.origin (origin, owner) VALUES ('theirs', %s)", kim.role
    )
    assert policy in refused(
        lee,
        "INSERT INTO helix.signal (month, bucket, key, data) VALUES (%s, 1, %s, '[]')",
        *reversed(mine),
    )
    assert policy in refused(
        lee, "INSERT INTO helix.tombstone (kind, origin) VALUES ('origin', 'kims-machine')"
    )
    assert policy in refused(
        lee,
        "INSERT INTO helix.tombstone (kind, origin, owner) VALUES ('origin', 'kims-machine', %s)",
        kim.role,
    )
    assert policy in refused(
        lee,
        "INSERT INTO helix.verdict (line_id, origin, owner, at, line) "
        "VALUES ('a', 'kims-machine', %s, '', '{}')",
        kim.role,
    )
    with lee.signed_in() as opened:
        # What is another's is not there to be changed.
        for change in (
            "UPDATE helix.session SET outcome = 'failed' WHERE owner <> current_user",
            "UPDATE helix.signal SET data = NULL WHERE key = ANY "
            "(SELECT key FROM helix.session WHERE owner <> current_user)",
            "UPDATE helix.fold SET data = '' WHERE key = ANY "
            "(SELECT key FROM helix.session WHERE owner <> current_user)",
        ):
            assert opened.rows(f"{change} RETURNING 1") == []
    assert policy in refused(lee, "UPDATE helix.session SET owner = %s", kim.role)
    assert "permission denied" in refused(kim, "UPDATE helix.member SET is_keeper = true")
    assert "permission denied" in refused(kim, "UPDATE helix.verdict SET line = '{}'")


def test_a_verdict_has_the_name_of_who_gave_it(team_store: TeamStore) -> None:
    kim = pushed(team_store.member("kim"), "kims-machine")
    with kim.signed_in() as opened:
        opened.rows(
            "INSERT INTO helix.verdict (n, line_id, origin, pseudonym, at, line) "
            "VALUES (99, 'a', 'kims-machine', 'lee', '', '{}')"
        )
    assert team_store.rows("SELECT n, owner, pseudonym FROM helix.verdict") == [
        (1, kim.role, kim.role)
    ]


def test_only_keepers_write_what_is_derived(team_store: TeamStore) -> None:
    kim = team_store.member("kim")
    lee = team_store.member("lee", is_keeper=True)
    ci = team_store.member("build", "ci")
    for table in DERIVED:
        assert "permission denied" in refused(kim, f"DELETE FROM helix.{table}")
        assert "permission denied" in refused(ci, f"SELECT * FROM helix.{table}")
        with lee.signed_in() as opened:
            opened.rows(f"DELETE FROM helix.{table}")
    insert = "INSERT INTO helix.candidate (id, bucket, sessions, data) VALUES ('x', 1, 9, '')"
    assert "permission denied" in refused(kim, insert)
    with lee.signed_in() as opened:
        opened.rows(insert)


def test_who_is_revoked_gets_in_no_more(team_store: TeamStore) -> None:
    kim = pushed(team_store.member("kim"), "kims-machine")
    with team_store.admin() as opened:
        revoke(opened, kim.role)
    with pytest.raises(StoreError, match="not permitted to log in"), kim.signed_in():
        pass
    assert team_store.rows("SELECT count(*) FROM helix.session") == [(1,)]


def test_no_secret_is_told(team_store: TeamStore) -> None:
    kim = team_store.member("kim")
    wrong = kim._replace(role=f"{kim.role}x")
    with pytest.raises(StoreError) as failed, wrong.signed_in():
        pass
    assert kim.password not in str(failed.value)
