"""An archive in object storage, asked by the S3 protocol of a server (`make team`)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archive.archived import claude, contents, fill
from tests.conftest import Workbench

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
BUCKET = "agent-logs"


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that speaks S3, with an empty bucket."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://{host}:{port}")
    yield f"s3://{BUCKET}"
    server.stop()


def test_s3_gives_what_a_sweep_of_the_same_logs_gives(
    bench: Workbench, storage: str, tmp_path: Path
) -> None:
    import fsspec

    homes = tmp_path / "homes"
    fill(homes)
    files = fsspec.filesystem("s3", use_listings_cache=False)
    files.mkdir(BUCKET)
    files.put(f"{homes}/", f"{BUCKET}/2026/", recursive=True)
    bench.variables = {name: value for name, value in os.environ.items() if name[:4] == "AWS_"}
    sweep = ("archive", "sweep", f"{storage}/2026", "--workers", "2", "--json")
    report = bench.helix(*sweep).json
    assert (report["discovered"], report["ingested"], report["problems"]["new"]) == (12, 12, 0)
    for home in sorted(homes.iterdir()):
        shutil.copytree(home, bench.home, dirs_exist_ok=True)
    bench.sweep(tmp_path / "other")
    assert contents(bench, bench.store) == contents(bench, tmp_path / "other")
    again = bench.helix(*sweep).json
    assert (again["ingested"], again["skipped_unchanged"]) == (0, 12)
    # An object that was written anew is another one, whatever its size and time say.
    log = claude(0)
    log.prompt("and now look for the word done")
    log.write(homes / "person0")
    files.put(f"{homes}/", f"{BUCKET}/2026/", recursive=True)
    assert bench.helix(*sweep).json["ingested"] > 0
    gone = bench.helix("archive", "sweep", "s3://nothing-here", check=False)
    assert gone.code == 2
    assert "cannot be listed" in gone.err
