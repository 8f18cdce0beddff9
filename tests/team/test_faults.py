"""Cut networks, killed servers and pushes, full disks: nothing is lost or doubled (`make team`)."""

from __future__ import annotations

import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from helix_tui.engine.team.pushing import push
from helix_tui.engine.team.standing import standing
from helix_tui.errors import StoreError
from helix_tui.team.carrier import PostgresCarrier
from helix_tui.team.database import TeamDatabase
from tests.team.arrivals import arrived, expected, worked
from tests.team.carrying import carrying
from tests.team.machine import Machine
from tests.team.made_rows import as_bytes, made_row
from tests.team.postgresql import Member, Server, TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
_ORIGINS = int(os.environ.get("HELIX_ORIGINS", "50"))


def pushing(machine: Machine) -> int:
    """Push in a process of its own, which may be killed; its number."""
    pid = os.fork()
    if pid:
        return pid
    try:
        push(machine.config)
    finally:
        os._exit(0)


def test_many_at_once_killed_at_random_and_resumed(team_store: TeamStore, tmp_path: Path) -> None:
    chance = random.Random(7)
    member = team_store.member("kim")
    machines = [
        worked(Machine(tmp_path / str(number), member), number, 3) for number in range(_ORIGINS)
    ]
    before = expected(machines)
    for share in (0.9, 0.5):
        children = [pushing(machine) for machine in machines]
        time.sleep(0.2)
        for child in chance.sample(children, int(share * len(children))):
            os.kill(child, signal.SIGKILL)
            time.sleep(chance.random() / 100)
        for child in children:
            os.waitpid(child, 0)
    halfway = arrived(team_store)
    assert before.items() >= halfway.items()
    for child in [pushing(machine) for machine in machines]:
        os.waitpid(child, 0)
    assert arrived(team_store) == before
    for machine in machines[:3]:
        done = machine.push()
        assert (done.pushed, done.pending, done.problem) == (0, 0, "")
    counts = team_store.rows(
        "SELECT count(*), count(DISTINCT (key, bucket)) FROM helix.signal "
        "JOIN helix.session USING (key)"
    )
    assert counts[0][0] == counts[0][1] > _ORIGINS


class _Killing(list[bytes]):
    """Rows that end the connection's process while they are copied."""

    victim = 0
    rounds = 0

    def __iter__(self) -> Iterator[bytes]:
        self.rounds += 1
        for passed, row in enumerate(super().__iter__(), start=1):
            if self.rounds == 2 and passed == len(self) // 2:
                os.kill(self.victim, signal.SIGKILL)
                time.sleep(0.2)
            yield row


def test_a_server_killed_while_it_copies_takes_all_or_nothing(
    team_store: TeamStore, tmp_path: Path
) -> None:
    member = team_store.member("kim")
    rows = _Killing(as_bytes(*(made_row("kims-machine", f"claude:{n}") for n in range(40))))
    opened = TeamDatabase(member.address, member.password, 10, None)
    with PostgresCarrier(opened) as carrier:
        carrier.enrol("kims-machine")
        rows.victim = int(opened.value("SELECT pg_backend_pid()"))
        with pytest.raises(StoreError):
            carrier.take(rows)
    _await(member)
    assert arrived(team_store) == {}
    machine = worked(Machine(tmp_path, member), 1, 3)
    assert machine.push().pushed == 3
    with carrying(member) as carrier:
        assert set(carrier.take(list(rows)).values()) == {"taken"}
    assert len(arrived(team_store)) == 43


def _await(member: Member) -> None:
    """A server that lost a process starts all others anew."""
    end = time.monotonic() + 60
    while True:
        try:
            with member.signed_in():
                return
        except StoreError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


class _Network:
    """A way to the server that can be cut after so many bytes, and mended."""

    def __init__(self, server: Server) -> None:
        folder = dict(parse_qsl(urlsplit(server.address).query))["host"]
        self._target = next(Path(folder).glob(".s.PGSQL.*[0-9]"))
        self.left: int | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.left == 0:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._target))
            for pair in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, is_counted: bool) -> None:
        try:
            while data := source.recv(4096):
                if is_counted and self.left is not None:
                    self.left = max(0, self.left - len(data))
                    if not self.left:
                        break
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            one.close()


@contextmanager
def through_network(member: Member, folder: Path) -> Iterator[tuple[Machine, _Network]]:
    """A machine that reaches the server by a network that may fail."""
    with closing(_Network(member.store.server)) as network:
        place = f"postgresql://{member.role}@127.0.0.1:{network.port}/{member.store.name}"
        yield Machine(folder, member, address=place), network


@pytest.mark.parametrize("bytes_left", [0, 400, 3_000, 20_000])
def test_a_network_that_is_cut_costs_nothing(
    team_store: TeamStore, tmp_path: Path, bytes_left: int
) -> None:
    member = team_store.member("kim")
    with through_network(member, tmp_path) as (machine, network):
        worked(machine, 1, 12)
        network.left = bytes_left
        done = machine.push()
        assert done.problem
        assert done.pending == 12
        told = standing(machine.config, is_asked=False)
        assert (told.pending, told.failures) == (12, 1)
        assert told.error
        assert told.next_at
        # Local work goes on, and a sweep does not try before its time.
        worked(machine, 2, 1)
        assert push(machine.config, is_all=False).pushed == 0
        network.left = None
        assert machine.push().pending == 0
        assert arrived(team_store) == expected([machine])
        assert standing(machine.config).failures == 0
