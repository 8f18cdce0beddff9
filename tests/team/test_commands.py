"""`helix team` from the command line, from making a store to leaving it (`make team`)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from helix_tui.team.database import connected
from helix_tui.team.membership import membership_file
from tests.conftest import Workbench
from tests.team.machine import Machine
from tests.team.postgresql import Server, TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
_SHARING = '[team]\nshare = "excerpts"\nrepos = ["*"]\nnames = ["*"]\n'


def test_a_team_from_beginning_to_end(server: Server, tmp_path: Path) -> None:
    with connected(server.address, "") as opened:
        opened.rows("CREATE DATABASE whole")
    admin, kim = Workbench(tmp_path / "admin"), Workbench(tmp_path / "kim")
    place = server.database("whole")
    made = admin.helix("team", "init", place, "--team-name", "whole", "--json").json
    assert made["migrations"]
    assert (
        admin.helix("team", "init", place, "--team-name", "whole", "--json").json["migrations"]
        == []
    )
    invited = admin.helix("team", "invite", place, "kim_whole", "--json").json
    settings = kim.home / "helix.toml"
    settings.write_text(_SHARING)
    kim.variables = {"HELIX_CONFIG": str(settings), "HELIX_TEAM_SECRET": invited["secret"]}
    joined = kim.helix("team", "join", server.as_role("whole", "kim_whole"), "--json").json
    assert joined["role"] == "kim_whole"
    kim.helix("--demo", "--sweep")
    shown = kim.helix("team", "push", "--preview").out.splitlines()
    assert {json.loads(line)["origin"] for line in shown} == {joined["origin"]}
    pushed = kim.helix("team", "push", "--json").json
    assert (pushed["pushed"], pushed["held"], pushed["pending"]) == (len(shown), [], 0)
    standing = kim.helix("team", "status", "--json").json
    assert (standing["sent"], standing["is_reachable"]) == (len(shown), True)
    assert "team role" in kim.helix("doctor", check=False).out
    hits = kim.helix("search", "push", "--team", "--json").json["team"]
    assert {hit["member"] for hit in hits} == {"kim_whole"}
    assert hits[0]["title"]
    assert kim.helix("search", "nosuchwordanywhere", "--team", "--json").json["team"] == []
    alone, whole = (kim.helix("report", *args, "--json").json for args in ((), ("--team",)))
    assert whole["total"] == {**alone["total"], "sessions": whole["total"]["sessions"]}
    assert "By week" in kim.helix("report", "--team").out
    taught = [kim.helix("effect", *args, "--json").json["patterns"] for args in ((), ("--team",))]
    states = [{one["id"]: one["state"] for one in some} for some in taught]
    assert states[0] == states[1]
    assert set(states[0].values()) == {"helped", "worse", "too_few"}
    helped = next(name for name, state in states[0].items() if state == "helped")
    assert "Helped" in kim.helix("effect", helped, "--team").out
    assert kim.helix("effect", "nothing-of-it", "--team", check=False).code == 66
    assert kim.helix("effect", helped, "--team", "--at", "14d", check=False).code == 2
    name = json.loads(shown[0])["uid"].rpartition(".")[0]
    assert kim.helix("team", "forget", "--session", name).code == 0
    rows = kim.helix("team", "export").out.splitlines()
    uids = {row["uid"] for line in rows if (row := json.loads(line))["table"] == "session"}
    assert len(uids) == len(shown) - 1
    assert name not in {uid.rpartition(".")[0] for uid in uids}
    secrets = [invited["secret"].partition(".")[0], invited["secret"].rpartition(".")[2]]
    kept = b"".join(path.read_bytes() for path in kim.store.rglob("*") if path.is_file())
    assert not any(secret.encode() in kept for secret in secrets)
    months = admin.helix("team", "retain", place, "--before", "2099-12", "--json").json
    assert months["is_done"] is False
    assert months["sessions"] == len(uids)
    kim.helix("team", "forget", "--me")
    assert not membership_file(kim.store).exists()
    store = TeamStore(server, "whole")
    assert store.rows("SELECT count(*) FROM helix.session") == [(0,)]
    again = admin.helix("team", "revoke", place, "kim_whole").out
    assert "can no longer sign in" in again
    assert kim.helix("team", "join", server.as_role("whole", "kim_whole"), check=False).code == 74


def test_ci_pushes_from_a_store_that_is_thrown_away(team_store: TeamStore, tmp_path: Path) -> None:
    member = team_store.member("build", "ci")
    for job in ("one", "two"):
        bench = Workbench(tmp_path / job)
        settings = bench.home / "helix.toml"
        settings.write_text(f'{_SHARING}url = "{member.address}"\n')
        bench.variables = {"HELIX_CONFIG": str(settings), "HELIX_TEAM_SECRET": member.secret}
        bench.helix("--demo", "--sweep")
        bench.helix("sweep", "--push", "--origin", "ci:checkout")
    sessions = len(bench.sessions())
    assert team_store.rows("SELECT origin, count(*) FROM helix.session GROUP BY 1") == [
        ("ci-checkout", sessions)
    ]


def test_forgotten_here_is_forgotten_there(team_store: TeamStore, tmp_path: Path) -> None:
    machine = Machine(tmp_path, team_store.member("kim"))
    machine.bench.helix("--demo", "--sweep")
    machine.push()
    name = sorted(machine.bench.sessions())[0]
    machine.bench.helix("forget", name)
    machine.push()
    uids = {uid for (uid,) in team_store.rows("SELECT uid FROM helix.session")}
    assert f"{name}.{machine.origin}" not in uids
    assert uids


def test_no_password_in_an_address(bench: Workbench) -> None:
    told = bench.helix("team", "join", "postgresql://kim:s3cret@db.example/helix", check=False)
    assert told.code == 2
    assert "s3cret" not in told.err + told.out
