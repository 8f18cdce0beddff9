"""The hub's records: each decision once, tokens that end, what holds for a candidate."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from helix_tui.errors import NotFoundError, StoreError, UsageError
from helix_tui.hub_server.judge import Decision
from helix_tui.hub_server.limits import Limits
from helix_tui.hub_server.records import Arrival, Records, hash_of


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(str(tmp_path / "hub.db"))


def arrival(
    key: str, seq: int = 1, verdict: str = "approved", *, of: str = "c-1", sender: str = "kim"
) -> Arrival:
    retracts = of if verdict == "retracted" else None
    candidate = "c-1" if verdict == "retracted" else of
    decision = Decision(
        "helix.decision/1",
        key,
        candidate,
        verdict,  # type: ignore[arg-type]
        "2026-03-01",
        seq,
        "Kim",
        retracts,
    )
    return Arrival(decision, f"body of {key}".encode(), sender)


def test_a_key_is_recorded_once_also_within_one_transaction(records: Records) -> None:
    assert records.take([arrival("a"), arrival("b"), arrival("a")], 0) == [201, 201, 200]
    assert records.take([arrival("b"), arrival("c")], 0) == [200, 201]
    other = arrival("a")._replace(body=b"other")
    assert records.take([other], 0) == [409]
    assert [row.key for row in records.decisions()] == ["a", "b", "c"]


def test_last_decision_that_was_not_taken_back_holds(records: Records) -> None:
    records.take([arrival("a", 1), arrival("b", 2, "rejected")], 0)
    assert [row.holds for row in records.decisions()] == [False, True]
    records.take([arrival("c", 3, "retracted", of="b")], 0)
    assert [row.holds for row in records.decisions()] == [True, False, False]


def test_somebody_else_takes_nothing_back(records: Records) -> None:
    records.take([arrival("a", 1), arrival("b", 2, "retracted", of="a", sender="eve")], 0)
    assert [row.holds for row in records.decisions()] == [True, False]


def test_token_is_kept_as_a_hash_and_ends(records: Records, tmp_path: Path) -> None:
    token = records.add_token("kim", 1)
    assert records.senders() == {hash_of(token): "kim"}
    assert token.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    with pytest.raises(UsageError, match="already"):
        records.add_token("kim", 2)
    records.revoke_token("kim", 3)
    assert records.senders() == {}
    assert [(row.name, row.revoked_ms) for row in records.tokens()] == [("kim", 3)]
    with pytest.raises(NotFoundError, match="no token"):
        records.revoke_token("kim", 4)


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hub.db"
    path.write_text("not a database, but long enough to be taken for one by its size alone" * 20)
    with pytest.raises(StoreError, match="cannot be opened"):
        Records(str(path))
    with pytest.raises(StoreError, match="cannot be made"):
        Records("/proc/none/hub.db")


def test_record_is_its_owners(records: Records, tmp_path: Path) -> None:
    records.take([arrival("a")], 0)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    assert sqlite3.connect(tmp_path / "hub.db").execute("PRAGMA integrity_check").fetchone() == (
        "ok",
    )


def test_limit_refills_and_is_each_tokens_own() -> None:
    limits = Limits(2)
    assert [limits.seconds_to_wait("a", 0.0) for _ in range(3)] == [0, 0, 1]
    assert limits.seconds_to_wait("b", 0.0) == 0
    assert limits.seconds_to_wait("a", 0.6) == 0
    assert limits.seconds_to_wait("a", 0.6) == 1
