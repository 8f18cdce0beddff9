"""Make one request and give up when its time is over, wherever it hangs."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from helix_tui.errors import ConfigError, InterruptedJobError

if TYPE_CHECKING:
    import ssl

    import httpx2

_MOST_BYTES = 64 << 10
_LOOK_SECONDS = 0.1


class Answer(NamedTuple):
    """The answer: its status, its `Retry-After` header, and the beginning of its body.

    A body that is cut off, by its size or by time, is not whole.
    """

    status: int
    retry_after: str
    text: str
    is_whole: bool = True


class Secret:
    """A token that does not show in tracebacks and logs."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "[token]"


class Wire:
    """The one connection to a server, kept open between requests.

    The library's time limits hold for each read: a server that sends a byte a second never reaches
    them, and name resolution has none. So a request runs in a thread of its own, and the caller
    waits only so long; then the socket is shut down under it, and nothing is sent late.
    """

    def __init__(
        self,
        trust: ssl.SSLContext | None,
        headers: Mapping[str, str],
        server: str = "hub",
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._trust = trust
        self._headers = dict(headers)
        self._server = server
        self._most_bytes = most_bytes
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
            self._client = self._connected(is_plain=url.startswith("http:"))
        self._request = request = _Request(self._request, self._most_bytes)
        call = (self._client, url, headers, body, seconds)
        name = f"helix-{self._server}"
        threading.Thread(target=request.run, args=call, name=name, daemon=True).start()
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
            raise InterruptedJobError(
                f"Stopped before the {self._server} had answered.", "Call it again."
            )
        if request.answer is None and request.error is not None:
            raise request.error
        return request.answer

    def _connected(self, *, is_plain: bool) -> httpx2.Client:
        import logging
        import ssl

        import httpx2

        # At lower levels these log what the server answered, which may repeat what it was sent.
        for name in ("httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)
        trust: ssl.SSLContext | bool = True if self._trust is None else self._trust
        if is_plain:  # to read what vouches for servers takes longer than to ask one
            trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody
        return httpx2.Client(
            verify=trust,
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

    def __init__(self, earlier: _Request | None, most_bytes: int) -> None:
        self._most_bytes = most_bytes
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
                self.answer = Answer(response.status_code, retry_after, "", is_whole=False)
                received = bytearray()
                for piece in response.iter_raw():
                    received += piece
                    if len(received) > self._most_bytes:
                        break
                text = received[: self._most_bytes].decode("utf-8", "replace")
                is_whole = len(received) <= self._most_bytes
                self.answer = Answer(response.status_code, retry_after, text, is_whole)
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


def trust_in(ca_file: Path | None, server: str) -> ssl.SSLContext | None:
    """What vouches for a server: an authority of the user's own, or None for the usual ones."""
    if ca_file is None:
        return None
    import ssl

    # Not `create_default_context`: that writes TLS keys to a file where the environment says so.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cafile=ca_file)
    except OSError as error:
        raise ConfigError(
            [f"The {server}'s certificates cannot be read: {ca_file}: {error}."]
        ) from error
    return context


def reason_of(error: Exception, server: str) -> str:
    """Say in plain words why a request to a server failed."""
    import ssl

    import httpx2

    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"The {server}'s certificate is not trusted: {cause.verify_message or cause}"
    if cause is not None:
        return f"No safe connection to the {server}: {error}"
    if isinstance(error, httpx2.TimeoutException):
        return f"The {server} did not answer in time."
    if isinstance(error, httpx2.ConnectError):
        return f"The {server} cannot be reached: {error}"
    if isinstance(error, httpx2.ProtocolError):
        return f"The {server} does not speak HTTP as it should: {error}"
    return f"The {server} broke off: {error}"


def seconds_of(retry_after: str) -> float | None:
    """The pause that a `Retry-After` header asks for; None where it names none."""
    text = retry_after.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (when.astimezone(UTC) - datetime.now(UTC)).total_seconds())
