"""The hub: one request, its answer, and everything that can be in the way."""

from __future__ import annotations

import logging
import socket
import threading
import time
from pathlib import Path

import pytest

from helix_tui.curate.hub.hub import Failed, Hub, Sent
from helix_tui.errors import InterruptedJobError
from helix_tui.schema.curation import HubSettings
from tests.curate.hub_server import (
    Behaviour,
    Certificates,
    HubServer,
    drip,
    hang,
    refusing_url,
    running,
    say,
    say_back,
    say_raw,
    seconds_taken,
    take,
    take_and_break,
)

TOKEN = "t0p-s3cret-of-the-hub"
ENVIRON = {"HELIX_HUB_TOKEN": TOKEN}
BODY = '{"id":"k1"}'


def failed(server: HubServer, behaviour: Behaviour, timeout_seconds: float = 5) -> Failed:
    """What comes of one request that is answered like that."""
    server.script.append(behaviour)
    with Hub(server.settings(timeout_seconds), ENVIRON) as hub:
        answer = hub.send("k1", BODY)
    assert isinstance(answer, Failed)
    assert TOKEN not in repr(answer)
    return answer


def test_posts_the_bytes_under_their_key_with_the_token(server: HubServer) -> None:
    with Hub(server.settings(), ENVIRON) as hub:
        assert hub.send("k1", BODY) == Sent(201)
    (request,) = server.received
    assert (request.method, request.path, request.body) == ("POST", "/decisions", BODY.encode())
    assert request.headers["idempotency-key"] == "k1"
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["user-agent"].startswith("helix/")


def test_a_path_in_the_address_stays(server: HubServer) -> None:
    with Hub(server.settings()._replace(url=f"{server.url}/team/a/"), {}) as hub:
        assert isinstance(hub.send("k1", BODY), Sent)
    (request,) = server.received
    assert request.path == "/team/a/decisions"
    assert "authorization" not in request.headers


def test_many_decisions_go_over_one_connection(server: HubServer) -> None:
    with Hub(server.settings(), {}) as hub:
        for number in range(5):
            assert isinstance(hub.send(f"k{number}", BODY), Sent)
    assert len(server._connections) == 1


def test_cookies_of_the_hub_are_not_kept(server: HubServer) -> None:
    server.script.append(say(200, Set_Cookie="followed=you"))
    with Hub(server.settings(), {}) as hub:
        hub.send("k1", BODY)
        hub.send("k2", BODY)
    assert "cookie" not in server.received[1].headers


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_every_2xx_is_success(server: HubServer, status: int) -> None:
    server.script.append(say(status))
    with Hub(server.settings(), {}) as hub:
        assert hub.send("k1", BODY) == Sent(status)


@pytest.mark.parametrize("status", [400, 409, 410, 413, 415, 422])
def test_what_the_hub_refuses_is_refused_for_good(server: HubServer, status: int) -> None:
    answer = failed(server, say(status, b'{"detail": "no such field"}'))
    assert answer.is_permanent
    assert "no such field" in answer.reason


@pytest.mark.parametrize("status", [401, 403, 404, 405, 408, 418, 425, 429, 500, 502, 503])
def test_everything_else_is_tried_again(server: HubServer, status: int) -> None:
    answer = failed(server, say(status))
    assert not answer.is_permanent
    assert str(status) in answer.reason


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_failure_and_its_target_hears_nothing(
    server: HubServer, certificates: Certificates, status: int
) -> None:
    with running(certificates) as other:
        answer = failed(server, say(status, Location=f"{other.url}/decisions"))
        assert not answer.is_permanent
        assert other.received == []
        assert other._connections == []


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("120", 120.0), ("0", 0.0), ("soon", None), ("-5", None), ("9" * 30, None), ("", None)],
)
def test_when_to_come_again_is_read_where_it_can_be(
    server: HubServer, told: str, seconds: float | None
) -> None:
    assert failed(server, say(429, Retry_After=told)).retry_after == seconds


def test_when_to_come_again_may_be_a_date(server: HubServer) -> None:
    moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 300))
    seconds = failed(server, say(503, Retry_After=moment)).retry_after
    assert seconds is not None
    assert 290 < seconds <= 300


@pytest.mark.parametrize(
    "behaviour",
    [
        hang,
        drip(b"HTTP/1.1 201 Created\r\nX-Slow: "),
        drip(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 201 "),
        drip(b"HTTP/1.1 500 Slow\r\nContent-Length: 1000000\r\n\r\n"),
    ],
    ids=["silent", "slow head", "slow status", "slow body"],
)
def test_a_slow_hub_holds_nobody_longer_than_the_time_limit(
    server: HubServer, behaviour: Behaviour
) -> None:
    begun = time.monotonic()
    answer = failed(server, behaviour, timeout_seconds=0.4)
    assert not answer.is_permanent
    assert seconds_taken(begun) < 3
    _assert_no_thread_is_left()


def test_a_hub_that_took_a_decision_may_be_slow_with_the_rest(server: HubServer) -> None:
    server.script.append(drip(b"HTTP/1.1 201 Created\r\nContent-Length: 1000000\r\n\r\n"))
    with Hub(server.settings(1), {}) as hub:
        assert hub.send("k1", BODY) == Sent(201)
        assert hub.send("k2", BODY) == Sent(201)


def test_a_hub_that_does_not_speak_tls_does_not_hold_us(server: HubServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        settings = server.settings(0.4)._replace(url=url)
        begun = time.monotonic()
        answer = Hub(settings, {}).send("k1", BODY)
        assert isinstance(answer, Failed)
        assert seconds_taken(begun) < 3


def test_a_name_that_takes_long_to_look_up_does_not_hold_us(
    server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = threading.Event()
    real = socket.getaddrinfo

    def slow(*asked: object, **how: object) -> object:
        looked_up.wait(5)
        return real(*asked, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    begun = time.monotonic()
    answer = Hub(server.settings(0.4), {}).send("k1", BODY)
    assert isinstance(answer, Failed)
    assert seconds_taken(begun) < 3
    looked_up.set()
    _assert_no_thread_is_left()
    assert server.received == []  # what was given up is not sent behind our back


def _assert_no_thread_is_left() -> None:
    for thread in threading.enumerate():
        if thread.name == "helix-hub":
            thread.join(2)
            assert not thread.is_alive()


def test_who_cancels_does_not_wait_for_the_hub(server: HubServer) -> None:
    server.script.append(hang)
    begun = time.monotonic()
    with Hub(server.settings(5), {}) as hub, pytest.raises(InterruptedJobError):
        hub.send("k1", BODY, server.arrived.is_set)
    assert seconds_taken(begun) < 3


def test_nobody_there_is_a_failure_in_words() -> None:
    answer = Hub(HubSettings(url=refusing_url()), ENVIRON).send("k1", BODY)
    assert isinstance(answer, Failed)
    assert not answer.is_permanent
    assert "cannot be reached" in answer.reason


def test_a_certificate_of_an_unknown_authority_is_refused(
    server: HubServer, tmp_path: Path
) -> None:
    stranger = Certificates(tmp_path)
    for ca_file in (None, stranger.ca_file):
        answer = Hub(server.settings()._replace(ca_file=ca_file), ENVIRON).send("k1", BODY)
        assert isinstance(answer, Failed)
        assert "certificate is not trusted" in answer.reason
    assert server.received == []


def test_a_certificate_for_another_host_is_refused(tmp_path: Path) -> None:
    with running(Certificates(tmp_path, "elsewhere.example")) as other:
        answer = Hub(other.settings(), ENVIRON).send("k1", BODY)
        assert isinstance(answer, Failed)
        assert "certificate is not trusted" in answer.reason
        assert other.received == []


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\x1b[2Jnonsense\r\n\r\n",
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 201 Created\r\nno header\r\n\r\n",
        b"HTTP/1.1 " + b"9" * 200_000,
    ],
)
def test_an_answer_that_is_none_is_tried_again(server: HubServer, data: bytes) -> None:
    answer = failed(server, say_raw(data))
    assert not answer.is_permanent
    assert "\x1b" not in answer.reason


def test_a_broken_connection_is_tried_again(server: HubServer) -> None:
    assert not failed(server, take_and_break).is_permanent
    with Hub(server.settings(), ENVIRON) as hub:
        assert hub.send("k1", BODY) == Sent(201)
    assert server.keys == ["k1", "k1"]
    assert server.received[0].body == server.received[1].body
    assert len(server.effects) == 1


def test_of_a_huge_answer_only_the_beginning_is_read(server: HubServer) -> None:
    def flood(hub_server: HubServer, connection: socket.socket, _: object) -> None:
        connection.sendall(b"HTTP/1.1 422 No\r\nContent-Length: 10000000000\r\n\r\n")
        while not hub_server.is_over.is_set():
            connection.sendall(b"\x1b]0;owned\x07 " * 8192)

    begun = time.monotonic()
    answer = failed(server, flood)
    assert answer.is_permanent
    assert len(answer.reason) <= 200
    assert "\x1b" not in answer.reason
    assert seconds_taken(begun) < 4


def test_an_answer_is_not_unpacked(server: HubServer) -> None:
    answer = failed(server, say(422, b"\x1f\x8b\x08\x00junk", Content_Encoding="gzip"))
    assert answer.is_permanent


@pytest.mark.parametrize("status", [401, 409, 500])
def test_a_token_said_back_is_in_no_error_log_or_repr(
    server: HubServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script += [say_back(status), say_back(200)]
    with Hub(server.settings(), ENVIRON) as hub:
        answer = hub.send("k1", BODY)
        hub.send("k2", BODY)
        assert TOKEN not in repr(hub)
        assert TOKEN not in repr(vars(hub)["_token"])
    assert isinstance(answer, Failed)
    assert TOKEN not in answer.reason
    assert TOKEN not in caplog.text


def test_the_same_decision_twice_is_one_in_effect(server: HubServer) -> None:
    server.script += [take, take]
    with Hub(server.settings(), ENVIRON) as hub:
        assert hub.send("k1", BODY) == hub.send("k1", BODY) == Sent(201)
    assert server.effects == {"k1": BODY.encode()}
