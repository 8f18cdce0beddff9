"""Post decisions to the hub at its address, with its token."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import NamedTuple

from helix_tui import __version__
from helix_tui.errors import ConfigError
from helix_tui.exchange import Answer, Secret, Wire, reason_of, seconds_of, trust_in
from helix_tui.files.private import read_private
from helix_tui.schema.curation import HubSettings
from helix_tui.text.address import url_problem
from helix_tui.text.redact import redact
from helix_tui.text.safe import safe_line

# The hub judged the decision and will judge the same bytes alike. A wrong address (404, 405) or
# token (401, 403) is not the decision's fault: it waits until that is corrected.
PERMANENT = frozenset({400, 409, 410, 413, 415, 422})
_TOKEN = re.compile(r"[\x21-\x7e]{1,4096}", re.ASCII)
_MOST_WORDS = 200


class Sent(NamedTuple):
    """The hub accepted a decision."""

    status: int


class Failed(NamedTuple):
    """The hub did not accept a decision; a permanent failure is not sent again."""

    reason: str
    is_permanent: bool = False
    retry_after: float | None = None


def _token(settings: HubSettings, environ: Mapping[str, str]) -> Secret | None:
    where = f"${settings.token_env}"
    text = environ.get(settings.token_env, "") if settings.token_env else ""
    if not text and settings.token_file is not None:
        where, text = str(settings.token_file), read_private(settings.token_file, "The hub's token")
    elif not text:
        return None
    if not _TOKEN.fullmatch(text.strip()):
        raise ConfigError([f"{where} holds no token: one line of ASCII without blanks."])
    return Secret(text.strip())


class Hub:
    """The configured hub; nothing is read or loaded before it is needed."""

    def __init__(self, settings: HubSettings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._environ = environ
        self._token: Secret | None = None
        self._wire: Wire | None = None

    def __repr__(self) -> str:
        return f"Hub({self._settings.url!r})"

    def __enter__(self) -> Hub:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def is_configured(self) -> bool:
        """Whether a hub is configured."""
        return bool(self._settings.url)

    def problem(self) -> str:
        """Say why nothing can be sent with these settings; empty where all is well."""
        try:
            self._ready()
        except ConfigError as error:
            return str(error)
        return ""

    def _ready(self) -> Wire:
        if self._wire is None:
            settings = self._settings
            if wrong := url_problem(settings.url):
                raise ConfigError([f"Nothing is sent to the address of [hub] url: {wrong}."])
            self._token = _token(settings, self._environ)
            headers = {
                "User-Agent": f"helix/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "Content-Type": "application/json",
            }
            self._wire = Wire(trust_in(settings.ca_file, "hub"), headers)
        return self._wire

    def send(
        self, key: str, body: str, cancelled: Callable[[], bool] = lambda: False
    ) -> Sent | Failed:
        """Post one decision under its key, within the time limit in all."""
        try:
            wire = self._ready()
        except ConfigError as error:
            return Failed(str(error))
        import httpx2

        seconds = self._settings.timeout_seconds
        headers = {"Idempotency-Key": key}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token.value}"
        url = self._settings.url.rstrip("/") + "/decisions"
        try:
            answer = wire.post(url, headers, body.encode("ascii"), seconds, cancelled)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            return Failed(self._safe_reason(reason_of(error, "hub")))
        if answer is None:
            return Failed(f"The hub did not answer within {seconds} s.")
        return self._judge(answer)

    def _judge(self, answer: Answer) -> Sent | Failed:
        status = answer.status
        if 200 <= status < 300:
            return Sent(status)
        retry_after = seconds_of(answer.retry_after) if status in (429, 503) else None
        reason = f"The hub answered {status}"
        if 300 <= status < 400:
            reason += " and names another address; [hub] url must be the final one"
        elif status in (401, 403):
            reason += " and does not accept the token" if self._token else " and wants a token"
        elif status in (404, 405):
            reason += "; is [hub] url right?"
        elif answer.text.strip():
            reason += f": {answer.text.strip()}"
        return Failed(self._safe_reason(reason), status in PERMANENT, retry_after)

    def _safe_reason(self, text: str) -> str:
        # The hub may echo the token, whole or in part.
        if self._token is not None:
            text = text.replace(self._token.value, "[token]")
        return safe_line(redact(text[: _MOST_WORDS * 4]), _MOST_WORDS)

    def close(self) -> None:
        """Close the connection to the hub, if there is one."""
        if self._wire is not None:
            self._wire.close()
        self._wire = None
