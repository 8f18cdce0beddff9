"""What was forgotten stays forgotten, in every order; pushes in any order end alike."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helix_tui.schema.team import TeamRow
from helix_tui.team.carrier import EVERY_ORIGIN
from tests.team.carrying import carrying
from tests.team.made_rows import as_bytes, made_row
from tests.team.postgresql import Member, TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
SESSIONS = ("claude:one", "claude:two", "claude:three")
REPOS = ("1111111111111111", "2222222222222222")
_pushes = st.tuples(
    st.just("push"), st.sampled_from(SESSIONS), st.sampled_from(REPOS), st.integers(1, 4)
)
_buries = st.one_of(
    st.tuples(st.just("session"), st.sampled_from(SESSIONS)),
    st.tuples(st.just("repo"), st.sampled_from(REPOS)),
    st.just(("origin",)),
)


@pytest.fixture(scope="module")
def kim(server: Any) -> Member:
    return TeamStore.made(server, "tombstones").member("kim")


def row_of(origin: str, session: str, repo: str, revision: int) -> TeamRow:
    return made_row(origin, session, repo=repo, revision=revision, text=f"{repo} {revision}")


def left_of(store: TeamStore, origin: str) -> dict[str, tuple[str, int]]:
    rows = store.rows("SELECT uid, repo, revision FROM helix.session WHERE origin = %s", origin)
    return {uid: (repo, revision) for uid, repo, revision in rows}


@settings(
    max_examples=int(os.environ.get("HELIX_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_tombstones_win_in_every_order(kim: Member, data: st.DataObject) -> None:
    """However pushes and tombstones are mixed, what a tombstone names is not there at the end."""
    test_tombstones_win_in_every_order.number += 1  # type: ignore[attr-defined]
    origin = f"origin-{test_tombstones_win_in_every_order.number}"  # type: ignore[attr-defined]
    pushes = data.draw(st.lists(_pushes, min_size=1, max_size=6))
    buries = data.draw(st.lists(_buries, max_size=2))
    mixed: list[tuple[Any, ...]] = data.draw(st.permutations([*pushes, *pushes, *buries]))
    with carrying(kim) as carrier:
        carrier.enrol(origin)
        for kind, *rest in mixed:
            if kind == "push":
                carrier.take(as_bytes(row_of(origin, *rest)))
            else:
                target = f"{rest[0]}.{origin}" if kind == "session" else "".join(rest)
                carrier.bury(kind, origin, target)
    left = left_of(kim.store, origin)
    for kind, *rest in buries:
        if kind == "origin":
            assert left == {}
        elif kind == "session":
            assert f"{rest[0]}.{origin}" not in left
        else:
            assert rest[0] not in {repo for repo, _ in left.values()}
    if not buries:
        # The greatest revision stands, in whatever order they came.
        for uid, (_, revision) in left.items():
            session = uid.removesuffix(f".{origin}")
            assert revision == max(one[3] for one in pushes if one[1] == session)
    hanging = kim.store.rows(
        "SELECT count(*) FROM helix.signal g LEFT JOIN helix.session s USING (key) "
        "WHERE s.key IS NULL"
    )
    assert hanging == [(0,)]


test_tombstones_win_in_every_order.number = 0  # type: ignore[attr-defined]


def test_what_is_forgotten_has_to_be_grouped_again(team_store: TeamStore) -> None:
    kim = team_store.member("kim")
    with carrying(kim) as carrier:
        carrier.enrol("kims-machine")
        carrier.take(as_bytes(made_row("kims-machine")))
        team_store.rows("DELETE FROM helix.changed")
        carrier.bury("origin", EVERY_ORIGIN, "")
    changed = team_store.rows("SELECT bucket IS NOT NULL, key IS NOT NULL FROM helix.changed")
    assert sorted(changed) == [(False, True), (True, True)]


def test_a_signal_that_is_gone_is_noted(team_store: TeamStore) -> None:
    kim = team_store.member("kim")
    first = made_row("kims-machine")
    with carrying(kim) as carrier:
        carrier.enrol("kims-machine")
        carrier.take(as_bytes(first))
        team_store.rows("DELETE FROM helix.changed")
        (name,) = first.signals
        later = made_row("kims-machine", revision=2, text="other")
        later.signals.clear()
        carrier.take(as_bytes(later))
    assert team_store.rows("SELECT count(*) FROM helix.signal") == [(0,)]
    assert (int(name),) in team_store.rows("SELECT bucket FROM helix.changed")


def test_one_native_id_of_two_origins_stays_two(team_store: TeamStore) -> None:
    kim, lee = team_store.member("kim"), team_store.member("lee")
    for member, origin in ((kim, "kims-machine"), (lee, "lees-machine")):
        with carrying(member) as carrier:
            carrier.enrol(origin)
            carrier.take(as_bytes(made_row(origin)))
            carrier.take(as_bytes(made_row(origin)))
    assert team_store.rows("SELECT native_id, owner FROM helix.session ORDER BY 2") == [
        ("one", kim.role),
        ("one", lee.role),
    ]


def test_a_clock_that_is_off_loses_nothing(team_store: TeamStore) -> None:
    year = 365 * 24 * 3600 * 1000
    kim = team_store.member("kim")
    with carrying(kim) as carrier:
        carrier.enrol("kims-machine")
        for name, first_ts in (("a", 4 * 10**12), ("b", -year), ("c", None), ("d", 10**15)):
            row = made_row("kims-machine", f"claude:{name}", first_ts=first_ts)
            assert carrier.take(as_bytes(row))[row.uid] == "taken"
        # A clock that was a year ahead is put right: what comes later still counts as later.
        for revision in (4 * 10**12, 4 * 10**12 + 1):
            row = made_row("kims-machine", "claude:e", revision=revision, text=str(revision))
            assert carrier.take(as_bytes(row))[row.uid] == "taken"
    assert team_store.rows("SELECT month, count(*) FROM helix.session GROUP BY 1 ORDER BY 1") == [
        (0, 4),
        (202602, 1),
    ]


def test_a_month_that_was_dropped_stays_dropped(team_store: TeamStore) -> None:
    kim = team_store.member("kim")
    with carrying(kim) as carrier:
        carrier.enrol("kims-machine")
        carrier.take(as_bytes(made_row("kims-machine")))
        assert team_store.rows("SELECT helix.drop_month(202602)") == [(1,)]
        row = made_row("kims-machine", revision=9, text="later")
        assert carrier.take(as_bytes(row)) == {row.uid: "forgotten"}
        later = made_row("kims-machine", "claude:two", first_ts=1_775_000_000_000)
        assert carrier.take(as_bytes(later)) == {later.uid: "taken"}
    for table in ("session", "signal", "fold", "words", "session_key"):
        assert team_store.rows(f"SELECT count(*) FROM helix.{table}") == [(1,)], table
