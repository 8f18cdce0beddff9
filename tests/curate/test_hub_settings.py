"""Where the hub is and with which token: what is not safe is refused in words."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from helix_tui.curate.hub.hub import Failed, Hub, Sent
from helix_tui.schema.curation import HubSettings
from helix_tui.text.address import url_problem
from tests.curate.hub_server import HubServer, running

TOKEN = "t0p-s3cret-of-the-hub"
ENVIRON = {"HELIX_HUB_TOKEN": TOKEN}
BODY = '{"id":"k1"}'


def test_a_token_comes_from_a_private_file(server: HubServer, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    with Hub(server.settings(token_file=file), {}) as hub:
        assert isinstance(hub.send("k1", BODY), Sent)
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_token_that_others_may_read_is_refused(
    server: HubServer, tmp_path: Path, mode: int
) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(mode)
    hub = Hub(server.settings(token_file=file), {})
    assert "chmod 600" in hub.problem()
    assert TOKEN not in hub.problem()
    assert isinstance(hub.send("k1", BODY), Failed)
    assert server.received == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_token_of_somebody_else_is_refused(server: HubServer, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    os.chown(file, 65534, 65534)
    assert "somebody else" in Hub(server.settings(token_file=file), {}).problem()


def test_a_token_file_that_is_none_is_refused(server: HubServer, tmp_path: Path) -> None:
    assert "cannot be read" in Hub(server.settings(token_file=tmp_path / "no"), {}).problem()
    assert "is no file" in Hub(server.settings(token_file=tmp_path), {}).problem()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    assert "is no file" in Hub(server.settings(token_file=pipe), {}).problem()


@pytest.mark.parametrize("token", ["two words", "a\r\nX-Evil: yes", "ümlaut", "x" * 5000, " "])
def test_a_token_that_is_none_is_refused_and_not_told(server: HubServer, token: str) -> None:
    problem = Hub(server.settings(), {"HELIX_HUB_TOKEN": token}).problem()
    assert "$HELIX_HUB_TOKEN holds no token" in problem
    assert token.strip() == "" or token not in problem


def test_certificates_that_cannot_be_read_are_told(server: HubServer, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate")
    for ca_file in (broken, tmp_path / "no"):
        assert "certificates cannot be read" in (
            Hub(server.settings()._replace(ca_file=ca_file), {}).problem()
        )


def test_plain_http_is_for_this_machine_alone() -> None:
    with running(None) as plain:
        for host in ("localhost", "127.0.0.1"):
            url = plain.url.replace("localhost", host)
            with Hub(HubSettings(url=url), ENVIRON) as hub:
                assert hub.send("k1", BODY) == Sent(201)


@pytest.mark.parametrize(
    "url",
    [
        "http://hub.example",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://localhost@hub.example",
        "http://127.0.0.1:80@hub.example/",
        "http://hub.example\\@localhost",
        "http://hub.example#@localhost",
        "http://hub.example?@localhost",
        "http://128.0.0.1",
        "http://0.0.0.0",
        "http://[::2]",
        "http://127.1",
        "http://2130706433",
        "http://0x7f000001",
        "https://user:word@hub.example",
        "https://hub.example?a=b",
        "https://hub.example#a",
        "https://hub.example:port",
        "https://",
        "https:///decisions",
        "https://hub .example",
        "https://hub.example\n",
        "https://h%75b.example",
        "ftp://hub.example",
        "file:///etc/passwd",
        "hub.example",
        "",
    ],
)
def test_an_address_that_is_not_safe_is_refused(url: str) -> None:
    assert url_problem(url)
    hub = Hub(HubSettings(url=url), ENVIRON)
    assert isinstance(hub.send("k1", BODY), Failed)
    assert "word" not in hub.problem().replace("a name or password", "")


@pytest.mark.parametrize(
    "url",
    [
        "https://hub.example",
        "https://hub.example:8443/team/",
        "https://10.0.0.7",
        "https://[2001:db8::1]:8443",
        "http://localhost:8080",
        "http://LOCALHOST",
        "http://127.9.9.9",
        "http://[::1]:80/a",
    ],
)
def test_an_address_that_is_safe_is_one_for_the_library_as_well(url: str) -> None:
    assert url_problem(url) == ""
    assert httpx2.URL(url).host == urlsplit(url).hostname


def test_proxies_and_certificates_of_the_environment_are_not_used(
    server: HubServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with running(None) as proxy:
        for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(variable, proxy.url)
        monkeypatch.setenv("SSL_CERT_FILE", str(server.settings().ca_file))
        keys = tmp_path / "keys"
        monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
        with Hub(server.settings(), ENVIRON) as hub:
            assert isinstance(hub.send("k1", BODY), Sent)
        answer = Hub(server.settings()._replace(ca_file=None), ENVIRON).send("k1", BODY)
        assert isinstance(answer, Failed)
        assert proxy.received == []
        assert not keys.exists()
