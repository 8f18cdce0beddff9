"""A running hub for tests: the real server in a thread, with TLS and a database of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trustme
import uvicorn

from helix_tui.hub_server.app import HubApp
from helix_tui.hub_server.records import Records
from helix_tui.hub_server.team_rows import TeamRows
from helix_tui.schema.curation import HubSettings


class Served:
    """A hub that runs, and how to reach it."""

    def __init__(self, address: str, folder: Path, port: int) -> None:
        self.address = address
        self.url = f"https://localhost:{port}"
        self.ca_file = folder / "ca.pem"

    def records(self) -> Records:
        """The same database by another connection, as another process would open it."""
        return Records(self.address)

    def settings(self, token: str, folder: Path, timeout_seconds: int = 5) -> HubSettings:
        """A machine's settings with its token."""
        token_file = folder / "token"
        token_file.write_text(token)
        token_file.chmod(0o600)
        return HubSettings(
            url=self.url,
            token_env="",
            token_file=token_file,
            ca_file=self.ca_file,
            timeout_seconds=timeout_seconds,
        )


@contextmanager
def serving(
    folder: Path, address: str = "", per_second: float = 1_000, team: TeamRows | None = None
) -> Iterator[Served]:
    """Serve a hub until the end of the block."""
    address = address or str(folder / "hub" / "hub.db")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    certificate = authority.issue_cert("localhost")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(folder / "server.pem"))
    records = Records(address)
    config = uvicorn.Config(
        HubApp(records, per_second, team).asgi(),
        host="127.0.0.1",
        port=0,
        ssl_certfile=folder / "server.pem",
        log_level="warning",
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield Served(address, folder, server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        records.close()
