"""Take rows to the team through a hub, for machines that may not reach PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

import msgspec

from helix_tui import __version__
from helix_tui.exchange import Secret, Wire, reason_of, seconds_of, trust_in
from helix_tui.schema.team import EffectRow, TakenState, TombstoneKind
from helix_tui.team.asking import QUESTIONS
from helix_tui.team.database import TeamError
from helix_tui.text.redact import redact
from helix_tui.text.safe import safe_line

_Row = TypeVar("_Row")
_MOST_WORDS = 300
_MOST_ANSWER = 64 << 20


class HubRefusedError(TeamError):
    """The hub took nothing; it may have said when to come again."""

    def __init__(self, what: str, todo: str = "", retry_after: float | None = None) -> None:
        super().__init__(what, todo)
        self.retry_after = retry_after


class _Rows(msgspec.Struct, Generic[_Row], frozen=True):
    rows: list[_Row]


def _rows_of(name: str) -> Any:
    return _Rows[QUESTIONS[name].row]  # type: ignore[misc]  # it is known when it runs


class HttpsCarrier:
    """A hub that hands rows to the team's store, as the member whose token it is."""

    def __init__(self, url: str, token: str, seconds: int, ca_file: Path | None) -> None:
        self._url = url.rstrip("/")
        self._token = Secret(token)
        self._seconds = seconds
        self._ca_file = ca_file
        self._wire: Wire | None = None
        self._revisions: dict[str, int] = {}

    def __enter__(self) -> HttpsCarrier:
        headers = {
            "User-Agent": f"helix/{__version__}",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        trust = trust_in(self._ca_file, "hub")
        self._wire = Wire(trust, headers, most_bytes=_MOST_ANSWER)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._wire is not None:
            self._wire.close()
        self._wire = None

    def enrol(self, origin: str) -> str:
        """Make an origin known as one's own."""
        answer = self._post("/team/origins", {"origin": origin})
        self._revisions[origin] = int(answer.get("revision", 0))
        return str(answer.get("role", ""))

    def last_revision(self, origin: str) -> int:
        """The greatest revision that the team has of an origin."""
        if origin not in self._revisions:
            self.enrol(origin)
        return self._revisions[origin]

    def take(self, rows: Sequence[bytes]) -> Mapping[str, TakenState]:
        """Take some rows, all or none; the same bytes have the same key."""
        body = b"".join(row + b"\n" for row in rows)
        states = self._posted("/team/rows", body, "application/x-ndjson").get("states")
        if not isinstance(states, dict):
            raise TeamError("The hub did not say what became of what it was sent.", "Push again.")
        return states

    def bury(self, kind: TombstoneKind, origin: str, target: str) -> None:
        """Have something forgotten for good."""
        self._post("/team/tombstones", {"kind": kind, "origin": origin, "target": target})

    def tell_effects(self, origin: str, rows: Sequence[EffectRow]) -> None:
        """Say what an origin measured."""
        body = msgspec.json.encode({"origin": origin, "rows": rows})
        self._answered("/team/effects", body, "application/json")

    def ask(self, name: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that answer a question of `asking.py`."""
        body = msgspec.json.encode({"name": name, "values": values})
        text = self._answered("/team/ask", body, "application/json")
        try:
            rows: list[tuple[Any, ...]] = msgspec.json.decode(text, type=_rows_of(name)).rows
        except msgspec.MsgspecError as error:
            raise TeamError(
                f"The hub answered {name} in another form: {error}.", "Is it of the same version?"
            ) from error
        return rows

    def _post(self, path: str, body: dict[str, str]) -> dict[str, Any]:
        return self._posted(path, msgspec.json.encode(body), "application/json")

    def _posted(self, path: str, body: bytes, kind: str) -> dict[str, Any]:
        try:
            return msgspec.json.decode(self._answered(path, body, kind), type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise TeamError("The hub's answer is not JSON.", "Is the address right?") from error

    def _answered(self, path: str, body: bytes, kind: str) -> str:
        import httpx2

        assert self._wire is not None  # it is used inside of `with`
        headers = {
            "Authorization": f"Bearer {self._token.value}",
            "Content-Type": kind,
            "Idempotency-Key": sha256(path.encode() + b"\0" + body).hexdigest(),
        }
        url = self._url + path
        try:
            answer = self._wire.post(url, headers, body, self._seconds, lambda: False)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise TeamError(self._safe(reason_of(error, "hub"))) from error
        if answer is None:
            raise TeamError(f"The hub did not answer within {self._seconds} s.")
        if not 200 <= answer.status < 300:
            retry_after = seconds_of(answer.retry_after) if answer.retry_after else None
            todo = "Is the token right, and not revoked?" if answer.status in (401, 403) else ""
            reason = self._safe(f"The hub answered {answer.status}: {answer.text}")
            raise HubRefusedError(reason, todo, retry_after)
        return answer.text

    def _safe(self, text: str) -> str:
        plain = text.replace(self._token.value, "[token]")
        return safe_line(redact(plain[: 4 * _MOST_WORDS]), _MOST_WORDS)
