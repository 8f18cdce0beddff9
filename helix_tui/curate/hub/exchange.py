"""Make one request and give up when its time is over, wherever it hangs."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from helix_tui.errors import InterruptedJobError

if TYPE_CHECKING:
    import ssl

    import httpx2

_MOST_BYTES = 64 << 10
_LOOK_SECONDS = 0.1


class Answer(NamedTuple):
    """The answer: its status, its `Retry-After` header, and the beginning of its body."""

    status: int
    retry_after: str
    text: str


class Wire:
    """The one connection to a server, kept open between requests.

    The library's time limits hold for each read: a server that sends a byte a second never reaches
    them, and name resolution has none. So a request runs in a thread of its own, and the caller
    waits only so long; then the socket is shut down under it, and nothing is sent late.
    """

    def __init__(self, trust: ssl.SSLContext | None, headers: Mapping[str, str]) -> None:
        self._trust = trust
        self._headers = dict(headers)
        self._client: httpx2.Client | None = None
        self._request: _Request | None = None

    def post(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        seconds: float,
        cancelled: Callable[[], bool],
    ) -> Answer | None:
        """Return the answer, or None where none came in time; raise what the library raised."""
        if self._client is None:
            self._client = self._connected()
        self._request = request = _Request(self._request)
        call = (self._client, url, headers, body, seconds)
        threading.Thread(target=request.run, args=call, name="helix-hub", daemon=True).start()
        end = time.monotonic() + seconds
        is_wanted = True
        try:
            while (remaining := end - time.monotonic()) > 0 and (is_wanted := not cancelled()):
                if request.is_done.wait(min(remaining, _LOOK_SECONDS)):
                    break
        finally:
            if not request.is_done.is_set():
                request.give_up()
                if request.is_done.is_set():  # it ended by itself just now
                    self._client.close()
                self._client = self._request = None
        if not is_wanted and request.answer is None:
            raise InterruptedJobError("Stopped before the hub had answered.", "Call it again.")
        if request.answer is None and request.error is not None:
            raise request.error
        return request.answer

    def _connected(self) -> httpx2.Client:
        import logging

        import httpx2

        # At lower levels these log what the server answered, which may repeat what it was sent.
        for name in ("httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)
        return httpx2.Client(
            verify=True if self._trust is None else self._trust,
            headers=self._headers,
            follow_redirects=False,
            trust_env=False,
            limits=httpx2.Limits(max_connections=1),
        )

    def close(self) -> None:
        """Close the connection."""
        if self._client is not None:
            self._client.close()
        self._client = self._request = None


class _Request:
    """A running request and its socket, which an earlier request may have opened."""

    def __init__(self, earlier: _Request | None) -> None:
        self.is_done = threading.Event()
        self.answer: Answer | None = None
        self.error: Exception | None = None
        self._lock = threading.Lock()
        self._is_given_up = False
        self._socket: socket.socket | None = earlier._socket if earlier else None

    def run(
        self,
        client: httpx2.Client,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        seconds: float,
    ) -> None:
        try:
            client.cookies.clear()
            with client.stream(
                "POST",
                url,
                content=body,
                headers=headers,
                timeout=seconds,
                extensions={"trace": self._watch},
            ) as response:
                retry_after = response.headers.get("retry-after", "")
                # A caller that gives up while the body trickles in has at least the status.
                self.answer = Answer(response.status_code, retry_after, "")
                received = bytearray()
                for piece in response.iter_raw():
                    received += piece
                    if len(received) >= _MOST_BYTES:
                        break
                text = received[:_MOST_BYTES].decode("utf-8", "replace")
                self.answer = Answer(response.status_code, retry_after, text)
        except Exception as error:  # noqa: BLE001 - raised again by the thread that waits
            self.error = error
        finally:
            self.is_done.set()
            if self._is_given_up:
                client.close()

    def _watch(self, event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
                if self._is_given_up:
                    self._shut()

    def give_up(self) -> None:
        with self._lock:
            self._is_given_up = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            # A socket that closed by itself meanwhile is fine. The plain method: that of TLS would
            # remove the TLS layer under the thread that reads.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
