"""`helix decisions` against a real hub: each decision arrives once in effect, or waits."""

from __future__ import annotations

import json
import signal
import time

import pytest

from tests.conftest import Workbench
from tests.curate.decision_lines import approve, name, reject, undo
from tests.curate.hub_server import (
    Behaviour,
    HubServer,
    hang,
    refusing_url,
    say,
    say_back,
    seconds_taken,
    take_and_break,
    take_and_hang,
)
from tests.decided import TOKEN, decide, rows, start, states, use_hub
from tests.engine.trouble_log import RG, ids, write_troubled

LINES = [approve(1, "a"), reject(2, "b"), undo(3, 2)]
KEYS = [name(1), name(2), name(3)]
FAILURES = {
    "500": say(500, b"out of order"),
    "redirect": say(307, Location="https://localhost:9/decisions"),
    "no answer": take_and_hang,
    "broken off": take_and_break,
}


@pytest.fixture
def decided(bench: Workbench, server: HubServer) -> Workbench:
    """Three decisions and a hub; there is no store."""
    decide(bench, *LINES)
    use_hub(bench, server)
    return bench


def test_list_shows_every_decision_in_order_and_sends_nothing(
    decided: Workbench, server: HubServer
) -> None:
    found = decided.helix("decisions", "list", "--json").json
    assert (found["schema"], found["sent"], found["queued"]) == ("helix.decisions/1", 0, 3)
    assert found["decisions"][2] == {
        "id": name(3),
        "candidate": "b",
        "verdict": "retracted",
        "at": LINES[2].at,
        "state": "queued",
        "attempts": 0,
        "next_at": None,
        "error": None,
        "sent_at": None,
        "author": "kim",
        "retracts": name(2),
    }
    said = decided.helix("decisions", "list").out
    assert [line.split()[1] for line in said.splitlines()[1:4]] == [
        "approved",
        "rejected",
        "retracted",
    ]
    assert server.received == []
    assert not (decided.store / "store.db").exists()
    assert not (decided.store / "review" / "decisions.jsonl").exists()


def test_sync_sends_all_in_order_and_once(decided: Workbench, server: HubServer) -> None:
    first = decided.helix("decisions", "sync", "--json").json
    assert (first["sent"], first["queued"], first["sent_now"]) == (3, 0, 3)
    assert [one["state"] for one in first["decisions"]] == ["sent"] * 3
    assert server.keys == KEYS
    assert [json.loads(request.body)["id"] for request in server.received] == KEYS
    again = decided.helix("decisions", "sync", "--json").json
    assert (again["sent"], again["queued"], again["sent_now"]) == (3, 0, 0)
    assert len(server.received) == 3
    assert not (decided.store / "store.db").exists()


def test_without_a_hub_sync_says_so_and_is_no_failure(bench: Workbench) -> None:
    decide(bench, *LINES)
    ran = bench.helix("decisions", "sync")
    assert "No hub is configured" in ran.out
    assert "3 queued" in ran.out
    assert states(bench) == ["queued"] * 3
    assert "no decisions yet" in bench.helix("decisions", "list", "--store", "/nowhere").out


def test_hub_that_is_away_is_told_and_tried_again_whatever_the_next_time(
    decided: Workbench, server: HubServer
) -> None:
    use_hub(decided, server, url=refusing_url())
    ran = decided.helix("decisions", "sync", "--json", check=False)
    assert ran.code == 1
    assert "The hub cannot be reached" in ran.err
    first = ran.json["decisions"][0]
    assert (first["state"], first["attempts"]) == ("queued", 1)
    assert first["next_at"] > first["at"]
    use_hub(decided, server)
    assert decided.helix("decisions", "sync").code == 0
    assert server.keys == KEYS


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
def test_failure_ends_in_one_effect(
    decided: Workbench, server: HubServer, failure: Behaviour
) -> None:
    use_hub(decided, server, timeout_seconds=1)
    server.script = [failure]
    ran = decided.helix("decisions", "sync", check=False)
    assert ran.code == 1
    assert "The hub" in ran.err
    assert states(decided) == ["queued"] * 3
    assert decided.helix("decisions", "sync").code == 0
    assert list(server.effects) == KEYS
    first, second = (request.body for request in server.received[:2])
    assert first == second


def test_refused_decision_is_named_once_and_holds_nothing_up(
    decided: Workbench, server: HubServer
) -> None:
    server.script = [say(422, b"no such candidate")]
    ran = decided.helix("decisions", "sync", check=False)
    assert ran.code == 1
    assert f"approved a ({name(1)[:8]})" in ran.err
    assert "no such candidate" in ran.err
    assert states(decided) == ["dead", "sent", "sent"]
    again = decided.helix("decisions", "sync")
    assert (again.code, again.err) == (0, "")
    assert len(server.received) == 3
    doctor = decided.helix("doctor", check=False)
    assert doctor.code == 3
    assert "approved a: The hub answered 422" in doctor.out


def test_killed_between_request_and_answer_it_sends_the_same_again(
    decided: Workbench, server: HubServer
) -> None:
    server.script = [take_and_hang]
    running = start(decided, "decisions", "sync")
    assert server.arrived.wait(10)
    running.kill()
    running.communicate()
    assert states(decided) == ["queued"] * 3
    assert decided.helix("decisions", "sync").code == 0
    assert server.keys == [KEYS[0], *KEYS]
    assert server.received[0].body == server.received[1].body
    assert list(server.effects) == KEYS


def test_ctrl_c_ends_it_at_once(decided: Workbench, server: HubServer) -> None:
    use_hub(decided, server, timeout_seconds=30)
    server.script = [hang]
    running = start(decided, "decisions", "sync", "--json")
    assert server.arrived.wait(10)
    since = time.monotonic()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=10)
    assert seconds_taken(since) < 3
    assert running.returncode == 130
    assert json.loads(out)["queued"] == 3
    assert "Traceback" not in err
    assert states(decided) == ["queued"] * 3


def test_verdicts_never_talk_to_the_hub_and_an_undo_follows_its_decision(
    bench: Workbench, server: HubServer
) -> None:
    write_troubled(bench)
    bench.sweep()
    use_hub(bench, server, timeout_seconds=30)
    candidate = next(one for one in ids(bench) if one.startswith(RG))
    bench.helix("approve", candidate, "--yes")
    bench.helix("undo")
    assert server.connections == 0
    assert states(bench) == ["queued", "queued"]
    bench.helix("decisions", "sync")
    bodies = [json.loads(request.body) for request in server.received]
    assert [(one["verdict"], one["candidate"]) for one in bodies] == [
        ("approved", candidate),
        ("retracted", candidate),
    ]
    assert bodies[1]["retracts"] == bodies[0]["id"]


def test_token_is_in_no_file_and_no_output(decided: Workbench, server: HubServer) -> None:
    server.script = [say_back(500), say_back(422)]
    said = [decided.helix("decisions", "sync", "-v", check=False) for _ in range(2)]
    said.append(decided.helix("--sweep", "-v", check=False))
    said.append(decided.helix("decisions", "list"))
    assert all(TOKEN not in ran.out + ran.err for ran in said)
    files = [path for path in decided.store.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [path for path in files if TOKEN.encode() in path.read_bytes()] == []
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


def test_secrets_and_hostile_ids_never_leave(bench: Workbench, server: HubServer) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    decide(
        bench,
        approve(1, f"module-{secret}"),
        approve(2, "../../etc/passwd"),
        reject(3, "x\x1b]0;owned\x07"),
        approve(4, "fine", note=f"the key is {secret}"),
    )
    use_hub(bench, server)
    ran = bench.helix("decisions", "sync", check=False)
    assert ran.code == 1
    assert ran.err.count("Refused for good") == 3
    assert states(bench) == ["dead", "dead", "dead", "sent"]
    assert server.keys == [name(4)]
    wire = b"".join(request.raw + request.body for request in server.received)
    assert secret.encode() not in wire
    assert b"passwd" not in wire
    listed = bench.helix("decisions", "list")
    assert "\x1b" not in listed.out + ran.out + ran.err
    assert [row.attempts for row in rows(bench)] == [0, 0, 0, 1]
