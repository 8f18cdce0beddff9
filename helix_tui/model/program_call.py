"""Ask a program: the request on stdin, the answer on stdout, in a folder that is never captured."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from helix_tui.model.envelope import Reply, unwrap
from helix_tui.model.failure import FailureKind, ModelError
from helix_tui.model.presets import commands_of, preset_of
from helix_tui.model.refusal import is_limit, is_logged_out
from helix_tui.program import ProgramError, run_program
from helix_tui.schema.model import ModelSettings
from helix_tui.text.redact import redact
from helix_tui.text.safe import safe_line

MOST_OUTPUT = 256 * 1024
_REASON_LENGTH = 300
_UNKNOWN_OPTION = re.compile(
    r"(?i)\b(?:unknown|unrecognized|unexpected|invalid) (?:option|argument|flag)"
)
_KINDS: dict[str, FailureKind] = {"start": "setup", "late": "late", "huge": "unusable"}


class ProgramCall:
    """Calls the program of the settings; the key's variable, if one is named, goes to it alone."""

    def __init__(
        self,
        settings: ModelSettings,
        folder: Path,
        environ: Mapping[str, str],
        cancelled: Callable[[], bool],
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._cancelled = cancelled
        name = settings.key_variable
        self._variables = {name: environ[name]} if name and name in environ else {}

    def __call__(self, instructions: str, material: str, seconds: float) -> Reply:
        """The program's answer; raise ModelError where there is none."""
        request = f"{instructions}\n\n{material}\n".encode()
        commands = commands_of(self._settings)
        for command in commands:
            try:
                output = run_program(
                    command,
                    request,
                    seconds,
                    self._folder,
                    self._cancelled,
                    variables=self._variables,
                    most_output=MOST_OUTPUT,
                )
            except ProgramError as error:
                if command is not commands[-1] and _UNKNOWN_OPTION.search(error.complaint):
                    continue
                raise self._failure(error) from None
            reply = unwrap(output.decode("utf-8", "replace"))
            if reply.error:
                raise self._told(reply.error, "failed")
            return reply._replace(text=self._without_key(reply.text))
        raise AssertionError("unreachable")

    def _failure(self, error: ProgramError) -> ModelError:
        """What a program that could not be run, or ended in an error, means."""
        if error.trouble != "exit":
            todo = self._todo() if error.trouble == "start" else ""
            what = self._safe(error.what)
            if error.trouble == "late":
                todo = "Try a smaller model, or raise [model] timeout_seconds."
            return ModelError(_KINDS.get(error.trouble, "failed"), f"{what}.", todo)
        # Claude Code reports errors on stdout.
        reported = unwrap(error.output.decode("utf-8", "replace")).error
        lines = error.complaint.splitlines()
        worst = next((line for line in lines if re.match(r"\s*error\b", line, re.IGNORECASE)), "")
        return self._told(reported or worst or error.what, "failed")

    def _told(self, message: str, kind: FailureKind) -> ModelError:
        """An error in the program's own words."""
        what = f"{self._settings.preset} says: {self._safe(message).rstrip('.')}."
        if is_limit(message):
            return ModelError("limited", what, "Wait, or choose another model.")
        if is_logged_out(message):
            return ModelError("setup", what, self._todo())
        return ModelError(kind, what)

    def _todo(self) -> str:
        preset = preset_of(self._settings)
        return preset.todo if preset else ""

    def _safe(self, text: str) -> str:
        text = self._without_key(text)
        return safe_line(redact(text[: 4 * _REASON_LENGTH]), _REASON_LENGTH)

    def _without_key(self, text: str) -> str:
        for value in self._variables.values():
            text = text.replace(value, "[token]") if value else text
        return text
