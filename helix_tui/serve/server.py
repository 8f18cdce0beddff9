"""The server: textual-serve's, with a token in every address and our own page."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path

from aiohttp import web
from textual_serve.server import Server

from helix_tui.serve.address import is_own_host, is_own_origin, is_token

log = logging.getLogger(__name__)
_PAGE = Path(__file__).with_name("page.html")
_FONT_SIZE = 15
# Pages that are open are told to leave, and their workstations end in order.
_SECONDS_TO_LEAVE = 1.0
_LEAST_FONT, _MOST_FONT = 8, 40
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HelixServer(Server):
    """Serves one command to whoever has the address, a process for each page that is open."""

    def __init__(self, command: str, host: str, port: int, token: str) -> None:
        super().__init__(command, host, port, title="Helix")
        self._token = token

    def serve_until_stopped(self, ready: Callable[[], None]) -> None:
        """Serve until Ctrl-C; `ready` is called once somebody can connect."""
        web.run_app(
            self._make_app(),
            host=self.host,
            port=self.port,
            print=lambda *_: ready(),
            access_log=None,
            shutdown_timeout=_SECONDS_TO_LEAVE,
        )

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self._checked])
        app.add_routes(
            [
                web.get("/{token}/", self.handle_index),
                web.get("/{token}/ws", self.handle_websocket),
                web.static(f"/{self._token}/static", self.statics_path),
            ]
        )
        return app

    @web.middleware
    async def _checked(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Let in who has the token, by a name of this server, from a page of its own."""
        given = request.path.split("/")[1]
        is_known = is_token(given, self._token) and is_own_host(
            request.headers.get("Host", ""), self.host, self.port
        )
        origin = request.headers.get("Origin")
        is_socket = request.path.endswith("/ws")
        if (is_socket or origin) and not is_own_origin(origin, request.headers.get("Host", "")):
            is_known = False
        if not is_known:
            log.warning("refused a request of %s", request.remote)
            raise web.HTTPForbidden(
                text="Open the whole address that `helix serve` printed.", headers=_HEADERS
            )
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page, which asks for the workstation on the websocket."""
        scheme = "wss" if request.headers.get("Origin", "").startswith("https:") else "ws"
        address = f"{scheme}://{request.host}/{self._token}/ws"
        asked = request.query.get("fontsize", "")
        size = int(asked) if asked.isdecimal() and len(asked) < 4 else _FONT_SIZE
        size = max(_LEAST_FONT, min(_MOST_FONT, size))
        page = _PAGE.read_text(encoding="utf-8")
        page = page.replace("{websocket}", escape(address)).replace("{font_size}", str(size))
        policy = _POLICY.replace("{socket}", f"{scheme}://{request.host}")
        return web.Response(
            text=page,
            content_type="text/html",
            headers={**_HEADERS, "Content-Security-Policy": policy},
        )


# Scripts and styles are this server's own; nothing is asked of anybody else.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src {socket}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
