"""The hub as an ASGI application: takes decisions, says whether it is ready, counts."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from helix_tui.errors import StoreError
from helix_tui.hub_server.figures import Figures
from helix_tui.hub_server.judge import MOST_BYTES, Refusal, judge
from helix_tui.hub_server.limits import Limits
from helix_tui.hub_server.records import Arrival, Records
from helix_tui.hub_server.taking import UNAVAILABLE, BusyError, Taking

if TYPE_CHECKING:
    from helix_tui.hub_server.team_rows import TeamRows

# What takes a request of one whose token is known.
_Take = Callable[[Request, str], Awaitable[Response]]
log = logging.getLogger(__name__)
_BEARER = "bearer "
_MOST_TOKEN = 200
TEAM_PATHS = ("/team/origins", "/team/rows", "/team/tombstones", "/team/ask", "/team/effects")
# A batch of rows, and one large row more.
MOST_TEAM_BYTES = 24 << 20
_COME_AGAIN = {"Retry-After": "60"}
_DETAILS = {
    200: "It was known already.",
    201: "It was recorded.",
    409: "Another decision came under this key before.",
    UNAVAILABLE: "The hub cannot record anything just now.",
}


class HubApp:
    """What answers requests, over the records that it is given."""

    def __init__(self, records: Records, per_second: float, team: TeamRows | None = None) -> None:
        self._figures = Figures()
        self._team = team
        self._records = records
        self._limits = Limits(per_second)
        self._taking: Taking | None = None

    def asgi(self) -> Starlette:
        """The application for an ASGI server."""
        routes = [
            Route("/decisions", self._decisions, methods=["POST"]),
            *(Route(path, self._team_rows, methods=["POST"]) for path in TEAM_PATHS),
            Route("/ready", self._ready, methods=["GET"]),
            Route("/metrics", self._metrics, methods=["GET"]),
        ]
        return Starlette(routes=routes, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._taking = Taking(self._records, self._figures)
        self._taking.start()
        try:
            yield
        finally:
            await self._taking.stop()
            if self._team is not None:
                self._team.close()

    def _writer(self) -> Taking:
        assert self._taking is not None  # the server answers nothing before it has started
        return self._taking

    async def _decisions(self, request: Request) -> Response:
        return await self._answered(request, self._decide, self._figures.answers)

    async def _team_rows(self, request: Request) -> Response:
        return await self._answered(request, self._take_team_rows, self._figures.team_answers)

    async def _answered(self, request: Request, take: _Take, counts: Counter[int]) -> Response:
        """What one with a token is answered, counted by its status."""
        try:
            sender = await self._sender(request)
            response = await take(request, sender) if sender else _no_token()
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        except StoreError as error:
            log.warning("%s", error)
            response = _answer(UNAVAILABLE, headers=_COME_AGAIN)
        counts[response.status_code] += 1
        return response

    async def _decide(self, request: Request, sender: str) -> Response:
        if too_soon := self._too_soon(sender):
            return too_soon
        body = await _body(request)
        headers = request.headers
        key, kind = headers.get("idempotency-key", ""), headers.get("content-type", "")
        verdict = judge(key, kind, body)
        if isinstance(verdict, Refusal):
            return _answer(verdict.status, verdict.detail)
        try:
            status = await self._writer().take(Arrival(verdict, body, sender))
        except BusyError:
            return _answer(UNAVAILABLE, "Too many decisions wait to be recorded.", _COME_AGAIN)
        return _answer(status, headers=_COME_AGAIN if status == UNAVAILABLE else None)

    async def _take_team_rows(self, request: Request, sender: str) -> Response:
        if self._team is None:
            return _answer(404, "This hub serves no team.")
        if too_soon := self._too_soon(sender):
            return too_soon
        body = await _body(request, MOST_TEAM_BYTES)
        if len(body) > MOST_TEAM_BYTES:
            return _answer(413, f"A request has at most {MOST_TEAM_BYTES:,} bytes.")
        key = request.headers.get("idempotency-key", "")
        made = await self._team.answer(request.url.path, sender, key, body)
        headers = {"Retry-After": str(made.retry_after)} if made.retry_after else None
        body = msgspec.json.encode(made.body)
        return Response(body, made.status, headers, media_type="application/json")

    def _too_soon(self, sender: str) -> Response | None:
        seconds = self._limits.seconds_to_wait(sender, time.monotonic())
        come_again = {"Retry-After": str(seconds)}
        detail = "Too many requests at once under this token."
        return _answer(429, detail, come_again) if seconds else None

    async def _sender(self, request: Request) -> str:
        given = request.headers.get("authorization", "")
        if len(given) > _MOST_TOKEN or not given.lower().startswith(_BEARER):
            return ""
        return await self._writer().sender_of(given[len(_BEARER) :].strip())

    async def _ready(self, _: Request) -> Response:
        is_ready = await self._writer().is_ready()
        return _answer(200 if is_ready else UNAVAILABLE, "ready" if is_ready else "not ready")

    async def _metrics(self, request: Request) -> Response:
        try:
            sender = await self._sender(request)
        except StoreError as error:
            log.warning("%s", error)
            return _answer(UNAVAILABLE)
        if not sender:
            return _no_token()
        return PlainTextResponse(self._figures.text(self._writer().waiting))


async def _body(request: Request, most: int = MOST_BYTES) -> bytes:
    """What a request brings, and one byte more than it may at most: no more is kept in memory."""
    pieces, size = [], 0
    async for piece in request.stream():
        pieces.append(piece[: most + 1 - size])
        size += len(piece)
        if size > most:
            break
    return b"".join(pieces)


def _no_token() -> Response:
    return _answer(401, "The token is missing, wrong or revoked.", {"WWW-Authenticate": "Bearer"})


def _answer(status: int, detail: str = "", headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"detail": detail or _DETAILS[status]}, status, headers)
