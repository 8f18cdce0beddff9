"""Ask a server: one request in the form of ollama or of OpenAI, tried again where that may help."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from helix_tui import __version__
from helix_tui.errors import ConfigError
from helix_tui.exchange import Answer, Secret, Wire, reason_of, seconds_of, trust_in
from helix_tui.model.envelope import Reply, unwrap
from helix_tui.model.failure import ModelError
from helix_tui.model.presets import Preset, model_of, preset_of, url_of
from helix_tui.model.spending import tokens_of
from helix_tui.schema.model import ModelSettings
from helix_tui.text.redact import redact
from helix_tui.text.safe import safe_line

MOST_BYTES = 256 * 1024
TRIES = 3
FIRST_PAUSE_SECONDS = 1.0
_KEY = re.compile(r"[\x21-\x7e]{1,4096}", re.ASCII)
_REASON_LENGTH = 300
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LIMITED = frozenset({429, 529})
# What ollama reserves for request and answer; it cuts what is longer without a word.
_CONTEXTS = (4_096, 8_192, 16_384, 32_768, 65_536)
_ANSWER_TOKENS = 2_048


class ServerCall:
    """Calls the server of the settings; its key goes into one header and nowhere else."""

    def __init__(
        self,
        settings: ModelSettings,
        environ: Mapping[str, str],
        cancelled: Callable[[], bool],
        wait: Callable[[float], None],
    ) -> None:
        self._settings = settings
        preset = preset_of(settings)
        assert preset is not None
        self._preset: Preset = preset
        self._cancelled = cancelled
        self._wait = wait
        self._key = self._read_key(environ)
        self._wire: Wire | None = None

    def __repr__(self) -> str:
        return f"ServerCall({url_of(self._settings)!r})"

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._wire is not None:
            self._wire.close()
        self._wire = None

    def __call__(self, instructions: str, material: str, seconds: float) -> Reply:
        """The server's answer within so many seconds in all; raise ModelError where none came."""
        body = msgspec.json.encode(self._body(instructions, material))
        deadline = time.monotonic() + seconds
        for attempt in range(TRIES):
            failure, pause = self._try(body, deadline - time.monotonic())
            if isinstance(failure, Reply):
                return failure
            if pause is None:
                raise failure
            pause = pause or FIRST_PAUSE_SECONDS * 2**attempt
            is_time = time.monotonic() + pause < deadline
            if attempt == TRIES - 1 or not is_time:
                raise failure
            self._wait(pause)
        raise AssertionError("unreachable")

    def _try(self, body: bytes, seconds: float) -> tuple[Reply | ModelError, float | None]:
        """One request: a reply, or the failure with the pause before the next (0: the usual)."""
        import httpx2

        headers = {}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.value}"
        url = url_of(self._settings)
        seconds = max(seconds, 0.1)
        deadline = time.monotonic() + seconds
        try:
            wire = self._connected()
            answer = wire.post(url, headers, body, seconds, self._cancelled)
        except ConfigError as error:
            return ModelError("setup", str(error)), None
        except httpx2.TimeoutException:
            return self._late(), None
        except (httpx2.ConnectError, httpx2.InvalidURL) as error:
            reason = self._safe(reason_of(error, "model's server")).rstrip(".")
            return ModelError("unreachable", f"{reason}.", self._preset.todo), None
        except httpx2.HTTPError as error:
            if time.monotonic() >= deadline:
                return self._late(), None  # it broke because we gave up
            reason = self._safe(reason_of(error, "model's server")).rstrip(".")
            return ModelError("failed", f"{reason}."), 0.0
        if answer is None:
            return self._late(), None
        return self._judged(answer)

    def _judged(self, answer: Answer) -> tuple[Reply | ModelError, float | None]:
        """What a status and a body mean."""
        status = answer.status
        if not 200 <= status < 300:
            pause = None
            if status in _AGAIN:
                pause = seconds_of(answer.retry_after) or 0.0
            return self._refused(status, answer.text, pause), pause
        if not answer.is_whole and len(answer.text.encode()) < MOST_BYTES:
            return self._late(), None
        if not answer.is_whole:
            what = f"The model's server said more than {MOST_BYTES // 1024} KiB."
            return ModelError("unusable", what), None
        reply = unwrap(answer.text)
        if reply.error:
            return ModelError("failed", f"The model's server says: {self._safe(reply.error)}"), None
        return reply._replace(text=self._without_key(reply.text)), None

    def _refused(self, status: int, body: str, pause: float | None) -> ModelError:
        """A status that is no success, in plain words."""
        what = f"The model's server answered {status}"
        reason = unwrap(body).error or (body if len(body) < 300 else "")
        detail = f": {self._safe(reason).rstrip('.')}." if reason.strip() else "."
        if 300 <= status < 400:
            return ModelError(
                "setup", f"{what} and names another address.", "Set [model] url to the final one."
            )
        if status in (401, 403):
            name = self._settings.key_variable
            todo = f"Set ${name} to a key." if name else "Set [model] key_env."
            accepts = " and does not accept the key" if self._key else " and wants a key"
            return ModelError("setup", f"{what}{accepts}{detail}", todo)
        if status in (404, 405):
            model = model_of(self._settings)
            pull = f", or run `ollama pull {model}`" if self._preset.form == "ollama" else ""
            todo = f"Look at [model] url and model{pull}."
            return ModelError("setup", f"{what}{detail}", todo)
        if status in _LIMITED:
            later = f" It asks to wait {pause:,.0f} s." if pause else ""
            return ModelError("limited", f"{what}{detail}{later}", "Wait, or ask less.")
        return ModelError("failed", f"{what}{detail}")

    def _late(self) -> ModelError:
        seconds = self._settings.timeout_seconds
        return ModelError(
            "late",
            f"The model's server did not answer within {seconds} s.",
            "Try a smaller model, or raise [model] timeout_seconds.",
        )

    def _body(self, instructions: str, material: str) -> dict[str, Any]:
        """The request in the server's own form; none streams."""
        body: dict[str, Any] = {
            "model": model_of(self._settings),
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": material},
            ],
            "stream": False,
        }
        if self._preset.form == "ollama":
            needed = tokens_of(len(instructions.encode()) + len(material.encode()))
            needed += _ANSWER_TOKENS
            room = next((size for size in _CONTEXTS if size >= needed), _CONTEXTS[-1])
            body |= {"format": "json", "options": {"num_ctx": room, "temperature": 0}}
        return body

    def _connected(self) -> Wire:
        if self._wire is None:
            headers = {
                "User-Agent": f"helix/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "Content-Type": "application/json",
            }
            trust = trust_in(self._settings.ca_file, "model's server")
            self._wire = Wire(trust, headers, "model's server", MOST_BYTES)
        return self._wire

    def _read_key(self, environ: Mapping[str, str]) -> Secret | None:
        name = self._settings.key_variable
        value = environ.get(name, "").strip() if name else ""
        if value:
            if not _KEY.fullmatch(value):
                raise ModelError("setup", f"${name} holds no key: one line of ASCII, no blanks.")
            return Secret(value)
        # A server of one's own may want none.
        if self._settings.key_env or (name and not self._settings.url):
            raise ModelError("setup", f"${name} is not set.", f"Set ${name} to the server's key.")
        return None

    def _safe(self, text: str) -> str:
        text = self._without_key(text)
        return safe_line(redact(text[: 4 * _REASON_LENGTH]), _REASON_LENGTH)

    def _without_key(self, text: str) -> str:
        """What a server says, which may echo the key."""
        return text if self._key is None else text.replace(self._key.value, "[token]")
