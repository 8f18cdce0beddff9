"""Decisions go out while somebody decides: a real hub, a child process, and no key that waits."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helix_tui.engine.hub.process import command_for
from helix_tui.tui.hub_process import HubProcess
from helix_tui.tui.jobs import Connection
from tests.conftest import Workbench
from tests.curate.decision_lines import approve, name, reject
from tests.curate.hub_server import Certificates, HubServer, hang, refusing_url, running
from tests.decided import decide, states, use_hub
from tests.tui.sitting import sitting

_PATIENCE = 20


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + _PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HubServer]:
    with running(Certificates(tmp_path)) as hub_server:
        yield hub_server


@pytest.fixture
def decided(bench: Workbench, server: HubServer, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A journal with two verdicts, and a hub that has not heard of them."""
    decide(bench, approve(1, "a"), reject(2, "b"))
    use_hub(bench, server)
    bench.engine().after_sweep(lambda: True)  # enters them, and sends nothing
    for key, value in bench.environ.items():
        monkeypatch.setenv(key, value)
    return bench


@pytest.fixture
def couriers() -> Iterator[list[HubProcess]]:
    made: list[HubProcess] = []
    yield made
    for hub_process in made:
        hub_process.end()


def courier_of(bench: Workbench, told: list[str]) -> HubProcess:
    return HubProcess(command_for(None, bench.store), told.append, gather_seconds=0.01)


def test_what_waits_is_sent_when_it_is_called(
    decided: Workbench, server: HubServer, couriers: list[HubProcess]
) -> None:
    told: list[str] = []
    couriers.append(courier_of(decided, told))
    couriers[0].call()
    until(lambda: set(states(decided)) == {"sent"})
    assert sorted(server.effects) == sorted([name(1), name(2)])
    assert told == []


def test_hub_that_is_away_is_told_once_in_a_sitting(
    decided: Workbench, server: HubServer, couriers: list[HubProcess]
) -> None:
    use_hub(decided, server, url=refusing_url())
    told: list[str] = []
    couriers.append(courier_of(decided, told))
    couriers[0].call()
    until(lambda: told)
    couriers[0].call()
    until(lambda: couriers[0]._thread is None)
    (said,) = told
    assert said.startswith("2 decisions wait for the hub: The hub cannot be reached")
    assert set(states(decided)) == {"queued"}


def test_leaving_does_not_wait_for_a_hub_that_hangs(decided: Workbench, server: HubServer) -> None:
    server.script = [hang]
    hub_process = courier_of(decided, [])
    hub_process.call()
    until(server.arrived.is_set)
    began = time.monotonic()
    hub_process.end()
    assert time.monotonic() - began < 3
    assert set(states(decided)) == {"queued"}


async def test_a_verdict_and_its_undo_call_the_courier(tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    program = f"open({str(sent)!r}, 'a').write('x')"

    async with sitting() as found:
        connection = found.app.jobs.connection
        assert isinstance(connection, Connection)
        connection.send_command = [sys.executable, "-c", program]
        await found.press("a")
        await found.until(lambda: sent.exists() and sent.read_text() == "x")
        await found.press("u")
        await found.until(lambda: sent.read_text() == "xx")


async def test_without_a_hub_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []

    async with sitting() as found:
        monkeypatch.setattr(subprocess, "Popen", lambda *given, **_: started.append(given))
        await found.press("a")
        await found.until(lambda: "Approved" in found.text)
        assert found.app.jobs._hub_process is None
    assert started == []
