"""The server itself: without the token nothing is shown, on no address."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp.test_utils import TestServer, unused_port

from helix_tui.serve.server import HelixServer
from tests.conftest import Workbench

TOKEN = "the-right-token"


@asynccontextmanager
async def served() -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    port = unused_port()
    app = await HelixServer("cat", "127.0.0.1", port, TOKEN)._make_app()
    async with (
        TestServer(app, host="127.0.0.1", port=port),
        aiohttp.ClientSession() as session,
    ):
        yield f"http://127.0.0.1:{port}", session


async def status(session: aiohttp.ClientSession, address: str, **headers: str) -> int:
    async with session.get(address, headers=headers) as response:
        return response.status


async def test_the_whole_address_shows_a_page_that_loads_nothing_from_elsewhere() -> None:
    async with served() as (root, session), session.get(f"{root}/{TOKEN}/") as response:
        page = await response.text()
        assert response.status == 200
        named = re.findall(r'(?:src|href)="([^"]*)"', page)
        assert sorted(named) == ["data:,", "static/css/xterm.css", "static/js/textual.js"]
        assert "googleapis" not in page
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert f"connect-src ws://{root.removeprefix('http://')};" in policy
        assert response.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    ["/", "/ws", "/static/js/textual.js", "/wrong/", "/wrong/ws", "/wrong/static/css/xterm.css"],
)
async def test_without_the_token_nothing_is_shown(path: str) -> None:
    async with served() as (root, session), session.get(f"{root}{path}") as response:
        assert response.status == 403
        assert TOKEN not in await response.text()


async def test_another_name_or_page_is_refused_even_with_the_token() -> None:
    async with served() as (root, session):
        address = f"{root}/{TOKEN}/"
        assert await status(session, address, Host="evil.example:1") == 403
        assert await status(session, address, Origin="http://evil.example") == 403
        assert await status(session, address) == 200
        assert await status(session, f"{address}static/js/textual.js") == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
async def test_the_socket_asks_for_token_and_page(origin: str) -> None:
    async with served() as (root, session):
        headers = {"Origin": origin} if origin else {}
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{root}/{TOKEN}/ws", headers=headers)
        assert refused.value.status == 403
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(f"{root}/wrong/ws", headers={"Origin": root})
        async with session.ws_connect(f"{root}/{TOKEN}/ws", headers={"Origin": root}) as opened:
            await opened.send_json(["ping", 1])
            assert await opened.receive_json() == ["pong", 1]


class TestCommand:
    """`helix serve` before it serves."""

    def test_another_address_needs_a_word_of_ones_own(self, bench: Workbench) -> None:
        ran = bench.helix("serve", "--host", "0.0.0.0", check=False)
        assert ran.code == 2
        assert "--network" in ran.err
        assert ran.out == ""

    def test_a_port_that_is_taken_is_told(self, bench: Workbench) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            ran = bench.helix("serve", "--port", port, check=False)
        assert ran.code == 2
        assert "--port names another" in ran.err

    def test_a_wrong_configuration_is_told_before(self, bench: Workbench) -> None:
        config = bench.home / "config.toml"
        config.write_text("[nonsense]\n")
        assert bench.helix("serve", "--config", str(config), check=False).code == 78
