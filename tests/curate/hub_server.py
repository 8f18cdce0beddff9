"""A real hub for tests: HTTPS on this machine, threads, and answers as a test wants them."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import trustme

from helix_tui.schema.curation import HubSettings


class Received(NamedTuple):
    """A request as it came over the wire."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    raw: bytes


Behaviour = Callable[["HubServer", socket.socket, Received], None]


class Certificates:
    """An authority of our own, and what it vouches for."""

    def __init__(self, folder: Path, host: str = "localhost") -> None:
        authority = trustme.CA()
        self.ca_file = folder / f"{host}-ca.pem"
        authority.cert_pem.write_to_path(str(self.ca_file))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(host).configure_cert(self.context)


class HubServer:
    """Takes decisions once by their key; `script` says how the next requests are answered."""

    def __init__(self, certificates: Certificates | None) -> None:
        self._certificates = certificates
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._connections: list[socket.socket] = []
        self._lock = threading.Lock()
        self.is_over = threading.Event()
        self.received: list[Received] = []
        self.script: list[Behaviour] = []
        self.effects: dict[str, bytes] = {}
        self.arrived = threading.Event()

    @property
    def url(self) -> str:
        scheme = "https" if self._certificates else "http"
        return f"{scheme}://localhost:{self._listener.getsockname()[1]}"

    def settings(self, timeout_seconds: float = 5, token_file: Path | None = None) -> HubSettings:
        return HubSettings(
            url=self.url,
            token_file=token_file,
            ca_file=self._certificates.ca_file if self._certificates else None,
            timeout_seconds=timeout_seconds,  # type: ignore[arg-type] # tests do not wait a second
        )

    @property
    def keys(self) -> list[str]:
        """The keys in the order in which they came, again and again where they came so."""
        return [request.headers["idempotency-key"] for request in self.received]

    @property
    def connections(self) -> int:
        """How often somebody connected, whether or not a request came."""
        return len(self._connections)

    def start(self) -> None:
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        self.is_over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self.is_over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            if self._certificates:
                context = self._certificates.context
                connection = context.wrap_socket(connection, server_side=True)
            with connection:
                while (request := _request(connection)) is not None:
                    with self._lock:
                        self.received.append(request)
                        behaviour = self.script.pop(0) if self.script else take
                    self.arrived.set()
                    behaviour(self, connection, request)


def _request(connection: socket.socket) -> Received | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, body = data.split(b"\r\n\r\n", 1)
    first, *rows = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (row.split(": ", 1) for row in rows)
    headers = {name.lower(): value for name, value in pairs}
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65536)
    return Received(method, path, headers, body, data)


def send(
    connection: socket.socket, status: int, body: bytes = b"", reason: str = "So", **headers: str
) -> None:
    """A whole answer."""
    rows = [f"HTTP/1.1 {status} {reason}", f"Content-Length: {len(body)}"]
    rows += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    connection.sendall("\r\n".join([*rows, "", ""]).encode() + body)


def take(server: HubServer, connection: socket.socket, request: Received) -> None:
    """Takes a decision, or says that it has it."""
    key = request.headers["idempotency-key"]
    had = server.effects.setdefault(key, request.body)
    if had != request.body:
        send(connection, 409, b'{"detail": "another body under this key"}')
    else:
        send(connection, 201, b'{"taken": true}')


def say(status: int, body: bytes = b"", **headers: str) -> Behaviour:
    """Answers just that, and takes nothing."""
    return lambda _, connection, __: send(connection, status, body, **headers)


def hang(server: HubServer, _: socket.socket, __: Received) -> None:
    """Says nothing until the end."""
    server.is_over.wait(30)


def take_and_hang(server: HubServer, _: socket.socket, request: Received) -> None:
    """Takes a decision; the answer never comes."""
    server.effects[request.headers["idempotency-key"]] = request.body
    server.is_over.wait(30)


def take_and_break(server: HubServer, connection: socket.socket, request: Received) -> None:
    """Takes a decision and breaks off."""
    server.effects[request.headers["idempotency-key"]] = request.body
    connection.close()


def say_raw(data: bytes) -> Behaviour:
    """Sends bytes that need be no HTTP, and ends."""

    def behave(_: HubServer, connection: socket.socket, __: Received) -> None:
        connection.sendall(data)
        connection.close()

    return behave


def drip(head: bytes) -> Behaviour:
    """Sends this at once, then a byte at a time."""

    def behave(server: HubServer, connection: socket.socket, _: Received) -> None:
        connection.sendall(head)
        while not server.is_over.wait(0.05):
            connection.sendall(b"x")

    return behave


def say_back(status: int) -> Behaviour:
    """Sends the whole request back, in every part of the answer that takes it."""

    def behave(_: HubServer, connection: socket.socket, request: Received) -> None:
        token = request.headers.get("authorization", "")
        send(connection, status, request.raw + token.encode() * 9, reason=token, x_said=token)

    return behave


@contextmanager
def running(certificates: Certificates | None) -> Iterator[HubServer]:
    """A hub that runs as long as the block."""
    server = HubServer(certificates)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def refusing_url() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"https://localhost:{listener.getsockname()[1]}"


def seconds_taken(since: float) -> float:
    """How long something took."""
    return time.monotonic() - since
