"""What a sweep does for the hub: behind its report, without the store's lock, and in bounds."""

from __future__ import annotations

import json
import socket
import time

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.curate.decision_lines import approve, name, reject
from tests.curate.hub_server import HubServer, Received, say, seconds_taken
from tests.decided import decide, rows, start, states, use_hub
from tests.loaded import run


def hang_then_break(server: HubServer, connection: socket.socket, _: Received) -> None:
    """Says nothing, and breaks off at the end."""
    server.is_over.wait(30)
    connection.close()


LINES = [approve(1, "a"), reject(2, "b")]


@pytest.fixture
def decided(bench: Workbench, server: HubServer) -> Workbench:
    """A store with a log, two decisions and a hub."""
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    bench.sweep()
    decide(bench, *LINES)
    use_hub(bench, server)
    return bench


def test_sweep_sends_what_is_due_behind_its_report(decided: Workbench, server: HubServer) -> None:
    dry = decided.helix("--sweep", "--dry-run", "--json")
    assert dry.json["decisions"] == {"queued": 2}
    assert server.connections == 0
    ran = decided.helix("--sweep", "--json")
    assert ran.json["decisions"] == {"queued": 2}  # as it was before they were sent
    assert server.keys == [name(1), name(2)]
    assert ran.err == ""
    assert decided.helix("--sweep", "--json").json["decisions"] == {"queued": 0}
    assert len(server.received) == 2


def test_failure_changes_no_exit_code_and_is_told_in_one_line(
    decided: Workbench, server: HubServer
) -> None:
    server.script = [say(500, b"out of order")]
    ran = decided.helix("--sweep")
    assert ran.err == "helix: 2 decisions wait for the hub: The hub answered 500: out of order\n"
    assert "2 decisions wait" in (decided.store / "log" / "helix.log").read_text()
    # Not due yet: nothing is tried, and the reason is told again.
    again = decided.helix("--sweep")
    assert "The hub answered 500: out of order Tried again from 20" in again.err
    assert len(server.received) == 1
    assert [row.attempts for row in rows(decided)] == [1, 0]


def test_refused_decision_is_told_by_the_sweep(decided: Workbench, server: HubServer) -> None:
    server.script = [say(400)]
    ran = decided.helix("--sweep")
    assert "refused 1 decision for good" in ran.err
    assert states(decided) == ["dead", "sent"]


def test_hub_that_hangs_holds_up_neither_report_nor_another_sweep(
    decided: Workbench, server: HubServer
) -> None:
    use_hub(decided, server, timeout_seconds=20)
    server.script = [hang_then_break]
    first = start(decided, "--sweep", "--json")
    assert first.stdout is not None
    assert json.loads(first.stdout.readline())["decisions"] == {"queued": 2}
    assert server.arrived.wait(10)
    since = time.monotonic()
    second = decided.helix("--sweep", "--json")
    assert seconds_taken(since) < 5
    assert second.json["discovered"] == 1
    assert "Another process is sending" in second.err
    assert first.poll() is None
    server.stop()
    _, err = first.communicate(timeout=10)
    assert first.returncode == 0
    assert "2 decisions wait for the hub: The hub" in err


def test_what_needs_no_hub_loads_no_client(decided: Workbench, server: HubServer) -> None:
    heavy = {"httpx2", "yaml", "rapidfuzz", "ssl"}
    arguments = ["--sweep", "--store", str(decided.store)]
    with_hub = decided.home / ".config" / "helix" / "config.toml"
    assert decided.helix("decisions", "sync").code == 0
    for _ in range(2):  # nothing is queued
        code, loaded = run(arguments, decided.home)
        assert (code, loaded & heavy) == (0, set())
    with_hub.unlink()
    decide(decided, approve(3, "c"))
    code, loaded = run(arguments, decided.home)
    assert (code, loaded & heavy) == (0, set())
    assert len(server.received) == 2
