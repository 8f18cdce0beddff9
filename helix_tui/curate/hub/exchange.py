"""One request and its answer, given up when their time is over, whatever they hang in."""

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
    """What came back: a status, when to come again, and the beginning of what was said."""

    status: int
    retry_after: str
    text: str


class Wire:
    """The one connection to a server, kept open between requests.

    The library's time limits hold for each piece that is read: who sends a byte a second never
    meets them, and the look-up of a name has none. So a request runs in a thread of its own, of
    which this one waits only so long; then the socket is shut under it, and nothing is sent late.
    """

    def __init__(self, trust: ssl.SSLContext | None, headers: Mapping[str, str]) -> None:
        self._trust = trust
        self._headers = dict(headers)
        self._client: httpx2.Client | None = None
        self._asked: _Asked | None = None

    def post(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        seconds: float,
        cancelled: Callable[[], bool],
    ) -> Answer | None:
        """The answer, None where none came in time, or what the library raised."""
        if self._client is None:
            self._client = self._connected()
        self._asked = asked = _Asked(self._asked)
        call = (self._client, url, headers, body, seconds)
        threading.Thread(target=asked.run, args=call, name="helix-hub", daemon=True).start()
        end = time.monotonic() + seconds
        is_wanted = True
        try:
            while (left := end - time.monotonic()) > 0 and (is_wanted := not cancelled()):
                if asked.is_done.wait(min(left, _LOOK_SECONDS)):
                    break
        finally:
            if not asked.is_done.is_set():
                asked.give_up()
                if asked.is_done.is_set():  # by itself, in this very moment
                    self._client.close()
                self._client = self._asked = None
        if not is_wanted and asked.answer is None:
            raise InterruptedJobError("Stopped before the hub had answered.", "Call it again.")
        if asked.answer is None and asked.error is not None:
            raise asked.error
        return asked.answer

    def _connected(self) -> httpx2.Client:
        import logging

        import httpx2

        # At lower levels these tell what the server said, and that may be what it was told.
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
        """Ends the connection."""
        if self._client is not None:
            self._client.close()
        self._client = self._asked = None


class _Asked:
    """A request under way, and the socket that it goes over, which an earlier one may have made."""

    def __init__(self, earlier: _Asked | None) -> None:
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
                # Whoever gives up while the rest trickles in knows at least this much.
                self.answer = Answer(response.status_code, retry_after, "")
                said = bytearray()
                for piece in response.iter_raw():
                    said += piece
                    if len(said) >= _MOST_BYTES:
                        break
                text = said[:_MOST_BYTES].decode("utf-8", "replace")
                self.answer = Answer(response.status_code, retry_after, text)
        except Exception as error:  # noqa: BLE001 - raised again by the thread that waits
            self.error = error
        finally:
            self.is_done.set()
            if self._is_given_up:
                client.close()

    def _watch(self, event: str, told: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            with self._lock:
                self._socket = told["return_value"].get_extra_info("socket")
                if self._is_given_up:
                    self._shut()

    def give_up(self) -> None:
        with self._lock:
            self._is_given_up = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            # One that ended by itself meanwhile is as good. By the plain method: that of TLS
            # would take the layer away under the thread that reads.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
