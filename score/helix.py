"""Runs `helix` as a person does: as a program, on a home and a store of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from score.figures import BoardFailedError, BoardSkippedError

HELIX = (sys.executable, "-m", "helix_tui")
NEW_PROBLEMS = 1
WRONG_USAGE = 2
NO_RAW = "[retention]\nraw_soft_cap_bytes = 0\nraw_hard_cap_bytes = 0\n"


@dataclass(frozen=True, slots=True)
class Signature:
    """What `helix signature` says of one message."""

    error_class: str | None
    subject: str | None
    template: str
    group: str
    is_benign: bool


@dataclass(frozen=True, slots=True)
class Helix:
    """The command on one home and one store."""

    home: Path
    store: Path
    command: Sequence[str] = HELIX

    def sweep(self) -> None:
        """Takes in what is new in the home."""
        self._run("sweep", "--json", allowed=(0, NEW_PROBLEMS))

    def detect(self) -> dict[str, Any]:
        """All candidates, ranked; tiers choose only what is shown first."""
        found = json.loads(self._run("detect", "--all", "--json"))
        if not isinstance(found, dict) or "candidates" not in found:
            raise BoardFailedError("helix detect --json printed no candidates")
        return found

    def show(self, session: str) -> dict[str, Any]:
        """One session with its digest."""
        shown = json.loads(self._run("show", session, "--json"))
        if not isinstance(shown, dict):
            raise BoardFailedError("helix show --json printed no object")
        return shown

    def evict_all(self) -> None:
        """Drops the raw bytes of every session."""
        config = self.store.with_suffix(".no-raw.toml")
        config.write_text(NO_RAW)
        self._run("retain", "--json", "--config", str(config), allowed=(0, NEW_PROBLEMS))

    def _run(self, *arguments: str, allowed: Sequence[int] = (0,)) -> str:
        command = [*self.command, *arguments, "--store", str(self.store)]
        return run(command, environ(self.home), allowed=allowed)


def environ(home: Path) -> dict[str, str]:
    """The variables of a process that has the given home and no setting of the caller's."""
    dropped = ("HELIX_", "XDG_", "CLAUDE_", "CODEX_", "GROK_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    return {**kept, "HOME": str(home), "PYTHONUTF8": "1"}


def run(
    command: Sequence[str],
    variables: dict[str, str],
    *,
    given: bytes = b"",
    allowed: Sequence[int] = (0,),
) -> str:
    """What a program prints; says so where it does not know the command or fails."""
    done = subprocess.run(command, env=variables, input=given, capture_output=True, check=False)
    if done.returncode in allowed:
        return done.stdout.decode("utf-8", "replace")
    last = (done.stderr.decode("utf-8", "replace").strip().splitlines() or [""])[-1]
    name = " ".join(command).rsplit("helix_tui ", 1)[-1]
    raise BoardFailedError(f"{name}: exit {done.returncode}: {last}")


def signatures(
    messages: Iterable[str], home: Path, command: Sequence[str] = HELIX
) -> Iterator[Signature]:
    """What `helix signature -0 --json` says of each message, in order."""
    given = [message.replace("\0", " ").encode("utf-8", "replace") for message in messages]
    if not given:
        return
    text = b"\0".join(given) + b"\0"
    printed = run([*command, "signature", "-0", "--json"], environ(home), given=text)
    lines = [line for line in printed.split("\n") if line]
    if len(lines) != len(given):
        raise BoardFailedError(f"helix signature: {len(lines)} lines for {len(given)} messages")
    for line in lines:
        raw = json.loads(line)
        yield Signature(
            raw["class"], raw["subject"], raw["template"], str(raw["group"]), bool(raw["benign"])
        )


def shared_folder() -> Path:
    """Where the corpus, its tools and its truth lie."""
    named = os.environ.get("HELIX_SHARED")
    if not named:
        raise BoardSkippedError("HELIX_SHARED is not set; it names the folder of corpus and tools")
    return Path(named)
