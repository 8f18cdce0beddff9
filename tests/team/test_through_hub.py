"""A team's rows over HTTPS, for machines that may not reach PostgreSQL (`make team`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helix_tui.engine.team.exchange import exchange_now
from helix_tui.engine.team.forgetting import forget
from helix_tui.engine.team.ways import asking
from helix_tui.errors import StoreError
from helix_tui.hub_server.team_rows import TeamRows
from helix_tui.team.carrier_https import HttpsCarrier
from helix_tui.team.roles import let_through, make_hub
from helix_tui.team.searching import search_team
from tests.engine.trouble_log import troubled
from tests.hub_server.served import Served, serving
from tests.team.machine import Machine
from tests.team.machines import Reviewer, reviewer
from tests.team.made_rows import as_bytes, made_row
from tests.team.postgresql import TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


@contextmanager
def hub_of(store: TeamStore, folder: Path, *members: str) -> Iterator[Served]:
    """A hub that may push as some members."""
    name = f"hub_{store.name}"
    with store.admin() as opened:
        password = make_hub(opened, name)
        for member in members:
            let_through(opened, name, member)
    team = TeamRows(store.server.as_role(store.name, name), password)
    with serving(folder, team=team) as served:
        yield served


def test_rows_arrive_as_if_pushed_directly(team_store: TeamStore, tmp_path: Path) -> None:
    kim = team_store.member("kim")
    direct = Machine(tmp_path / "direct", kim)
    direct.bench.helix("--demo", "--sweep")
    with hub_of(team_store, tmp_path, kim.role) as served:
        records = served.records()
        token = records.add_token(kim.role, 1)
        records.close()
        hub = (served.url, served.ca_file, token)
        machine = Machine(tmp_path / "hub", kim, hub=hub)
        machine.bench.helix("--demo", "--sweep")
        done = machine.push()
        assert (done.problem, done.pending) == ("", 0)
        assert done.pushed == len(machine.bench.sessions())
        assert machine.push().pushed == 0
        (machine.bench.store / "team" / "outbox.db").unlink()
        assert machine.push().pushed == 0
        assert direct.push().pushed == done.pushed
        through, straight = (
            team_store.rows(
                "SELECT bucket, count(*) FROM helix.signal JOIN helix.session USING (key) "
                "WHERE origin = %s GROUP BY 1 ORDER BY 1",
                one.origin,
            )
            for one in (machine, direct)
        )
        assert through == straight
        measured, directly = (
            team_store.rows(
                "SELECT pattern, version, length(figures) > 100 FROM helix.effect "
                "WHERE origin = %s ORDER BY 1, 2",
                one.origin,
            )
            for one in (machine, direct)
        )
        assert measured == directly
        assert len(measured) > 2
        assert len(through) > 20
        assert team_store.rows("SELECT DISTINCT owner FROM helix.session") == [(kim.role,)]
        forget(machine.config, is_everything=True)
        assert team_store.rows("SELECT count(*) FROM helix.session") == [(0,)]


def test_list_and_verdicts_go_through_a_hub(team_store: TeamStore, tmp_path: Path) -> None:
    ann = reviewer(team_store, tmp_path, "ann", is_keeper=True)
    kim = team_store.member("kim")
    with hub_of(team_store, tmp_path, kim.role) as served:
        records = served.records()
        hub = (served.url, served.ca_file, records.add_token(kim.role, 1))
        records.close()
        bob = Reviewer(tmp_path / "bob", kim, hub=hub)
        for number in range(24):
            (ann if number % 2 else bob).write(troubled(number))
        for one in (ann, bob):
            one.sweep()
            one.push()
        ann.sync()
        assert exchange_now(bob.config).pulled > 0
        mine, hers = (
            {one.brief.id: (one.brief.sessions, one.brief.repos) for one in each.listing().listed}
            for each in (bob.team.candidates, ann.team.candidates)
        )
        assert mine == hers
        assert exchange_now(bob.config).pulled == 0
        chosen = bob.listed("command-not-found-rg").brief.id
        bob.team.verdicts.approve(chosen, note="from behind a hub")
        exchange_now(bob.config)
        ann.sync()
        seen = ann.team.candidates.one(chosen).reviewed[chosen]
        assert (seen.verdict, seen.review.author) == ("approved", kim.role)
        ann.team.verdicts.reject(chosen, note="not so")
        ann.sync()
        exchange_now(bob.config)
        assert bob.team.candidates.one(chosen).reviewed[chosen].verdict == "rejected"
        with asking(bob.config) as through, asking(ann.config) as direct:
            assert search_team(through, "rg", 20) == search_team(direct, "rg", 20) != []


def test_a_hub_answers_only_what_it_knows(team_store: TeamStore, tmp_path: Path) -> None:
    kim, robot = team_store.member("kim"), team_store.member("robot", "ci")
    with hub_of(team_store, tmp_path, kim.role, robot.role) as served:
        records = served.records()
        tokens = {one.role: records.add_token(one.role, 1) for one in (kim, robot)}
        records.close()
        with HttpsCarrier(served.url, tokens[kim.role], 10, served.ca_file) as asked:
            assert asked.ask("reads_all") == [(True,)]
            for values in (("x", "y", "z", 1), (0, "", 0, 10_000), (0, "")):
                with pytest.raises(StoreError, match="answered 422"):
                    asked.ask("candidates", *values)
            with pytest.raises(StoreError, match="answered 403"):
                asked.ask("tell", "line", "somebody-elses", "2026-01-01", "{}")
        with HttpsCarrier(served.url, tokens[robot.role], 10, served.ca_file) as asked:
            assert asked.ask("reads_all") == [(False,)]
            with pytest.raises(StoreError, match="answered 403"):
                asked.ask("candidates", 0, "", 0, 10)


def test_a_hub_refuses_what_is_not_the_senders(team_store: TeamStore, tmp_path: Path) -> None:
    kim, lee = team_store.member("kim"), team_store.member("lee")
    outsider = team_store.member("outsider")
    with hub_of(team_store, tmp_path, kim.role, lee.role) as served:
        records = served.records()
        tokens = {one.role: records.add_token(one.role, 1) for one in (kim, lee, outsider)}

        def carrier(token: str) -> HttpsCarrier:
            return HttpsCarrier(served.url, token, 10, served.ca_file).__enter__()

        carrier(tokens[kim.role]).enrol("kims-machine")
        assert carrier(tokens[kim.role]).take(as_bytes(made_row("kims-machine"))) == {
            "claude:one.kims-machine": "taken"
        }
        lees = carrier(tokens[lee.role])
        forged = as_bytes(made_row("kims-machine", revision=9, text="forged"))
        for act in (
            lambda: lees.take(forged),
            lambda: lees.enrol("kims-machine"),
            lambda: carrier(tokens[outsider.role]).enrol("outsiders-machine"),
        ):
            with pytest.raises(StoreError, match="answered 403"):
                act()
        with pytest.raises(StoreError, match="answered 401"):
            carrier("helix_wrong").enrol("kims-machine")
        with pytest.raises(StoreError, match="answered 422"):
            lees.take([b'{"uid": 1}'])
        # A tombstone for an origin that is another's finds nothing.
        lees.bury("origin", "kims-machine", "")
        records.revoke_token(kim.role, 2)
        records.close()
    assert team_store.rows("SELECT uid, revision FROM helix.session") == [
        ("claude:one.kims-machine", 1)
    ]


def test_a_hub_without_its_database_says_come_again(team_store: TeamStore, tmp_path: Path) -> None:
    team = TeamRows("postgresql://hub@127.0.0.1:9/none", "")
    with serving(tmp_path, team=team) as served:
        records = served.records()
        token = records.add_token("kim", 1)
        records.close()
        carrier = HttpsCarrier(served.url, token, 10, served.ca_file)
        with carrier, pytest.raises(StoreError, match="answered 503") as failed:
            carrier.enrol("kims-machine")
        assert getattr(failed.value, "retry_after", None) == 60
