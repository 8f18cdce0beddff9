"""Runs the commands that report on a sample of their own, and gathers what they print."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer

from helix_tui.cli.main import app
from helix_tui.errors import ExitCode
from helix_tui.places import SAMPLE_HOME

_MESSAGES = b"rg: command not found\nModuleNotFoundError: No module named 'yaml'\n"
_SESSION = "{session}"
_VERDICTS = "approve, reject, discuss, snooze, merge, split, undo"
_SETTINGS = """
[domains]
"*" = "any"

[distribute.repos]
work = "{work}"
driftwood = "{work}/gone"
"""
_TIGHT = """
[retention]
raw_soft_cap_bytes = "300 KiB"
raw_hard_cap_bytes = "400 KiB"
"""
# A heading of the page, and the commands whose objects have its form.
_RUNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sweep", ("--demo --sweep", "sweep")),
    ("status", ("status",)),
    ("sessions", ("sessions",)),
    ("show", (f"show {_SESSION} --events",)),
    ("search", ("search push",)),
    ("usage", ("usage --by model",)),
    ("detect", ("detect --all",)),
    ("detect --why", ("detect --why push-rejected",)),
    ("detect --dropped", ("detect --dropped",)),
    ("context", ("context {work} --agent codex --text --verify",)),
    ("signature", ("signature",)),
    (
        _VERDICTS,
        (
            *("approve push-rejected", "reject command-not-found-rg"),
            *("discuss port-in-use --note why", "snooze database-locked --until 2099-01-01"),
            *("merge docker-permission tool-error-fa75c970", "split docker-permission", "undo"),
        ),
    ),
    ("status --verdicts", ("status --verdicts",)),
    ("team status", ("team status",)),
    ("detect", ("detect --all",)),  # once more: now there are verdicts and notes
    ("undo --list", ("undo --list",)),
    ("curate", ("curate --auto-approve",)),
    ("catalog list", ("catalog list",)),
    ("catalog show", ("catalog show push-rejected --for claude",)),
    ("catalog history", ("catalog history push-rejected",)),
    ("catalog diff", ("catalog diff push-rejected",)),
    ("catalog check", ("catalog check",)),
    ("catalog restore", ("catalog restore",)),
    ("catalog set", ("catalog set push-rejected --scope repo:work --allow because",)),
    ("distribute plan", ("distribute plan",)),
    ("distribute apply", ("distribute apply --yes",)),
    ("distribute check", ("distribute check",)),
    ("distribute status", ("distribute status",)),
    ("distribute accept", ("distribute accept",)),
    ("effect", ("effect", "effect push-rejected", "effect push-rejected --at 2000-01-01")),
    ("distribute retract", ("distribute retract --yes",)),
    ("distribute undo", ("distribute undo --yes",)),
    ("decisions list", ("decisions list",)),
    ("hub token add", ("hub token add kim",)),
    ("hub token list", ("hub token list",)),
    ("hub token revoke", ("hub token revoke kim",)),
    ("hub decisions", ("hub decisions",)),
    ("report", ("report --evidence",)),
    ("mcp install", ("mcp install codex",)),
    ("mcp status", ("mcp status",)),
    ("mcp uninstall", ("mcp uninstall codex",)),
    ("hooks install", ("hooks install claude",)),
    ("hooks status", ("hooks status",)),
    ("hooks uninstall", ("hooks uninstall claude",)),
    ("flush", (f"flush {_SESSION}",)),
    ("compile", ("compile --now",)),
    ("notes SESSION", (f"notes {_SESSION} --now",)),
    ("notes", ("notes",)),
    ("recall", ("recall",)),
    ("memory show", ("memory show",)),
    ("memory check", ("memory check",)),
    ("search --memory", ("search --memory push",)),
    ("doctor", ("doctor",)),
    ("retain", ("retain --dry-run --config {tight}",)),
    ("pin", (f"pin {_SESSION}",)),
    ("forget", (f"forget {_SESSION}",)),
    ("config show", ("config show",)),
    ("config check", ("config check",)),
    ("schedule print", ("schedule print",)),
    ("uninstall", ("uninstall --dry-run",)),
    ("model test", ("model test",)),
)


def printed() -> dict[str, list[dict[str, Any]]]:
    """The objects that commands print, by heading."""
    with tempfile.TemporaryDirectory(prefix="helix-reference-") as name:
        folder = Path(name)
        settings, tight = folder / "config.toml", folder / "tight.toml"
        settings.write_text(_SETTINGS.replace("{work}", str(folder / "work")))
        tight.write_text(_TIGHT)
        _give_instructions(folder / "work")
        variables = {"PATH": "/usr/bin:/bin", "HOME": name, "HELIX_CONFIG": str(settings)}
        with patch.dict(os.environ, variables, clear=True):
            places = {"{tight}": str(tight), "{work}": str(folder / "work")}
            return _all_runs(str(folder / "store"), places)


def _all_runs(store: str, places: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    session = ""
    for heading, commands in _RUNS:
        found.setdefault(heading, [])
        for command in commands:
            named = command
            for mark, place in {_SESSION: session, **places}.items():
                named = named.replace(mark, place)
            found[heading] += _run(named, store)
            if command == "--demo --sweep":
                _damage_a_log(Path(store))
                _tell_of_rg(Path(store))
                session = _run("sessions --limit 1", store)[0]["sessions"][0]["id"]
    return found


def _give_instructions(folder: Path) -> None:
    """A folder with a file that is loaded, one that is not, and a skill."""
    skill = folder / ".agents" / "skills" / "release" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: release\n---\n")
    (folder / "AGENTS.md").write_text("Run `make test` before you are done.\n")
    (folder / "AGENTS.override.md").write_text("Run `make check` before you are done.\n")


def _damage_a_log(store: Path) -> None:
    """What cannot be read is to be seen in reports, too."""
    log = min((store / SAMPLE_HOME).rglob("*.jsonl"))
    with log.open("a") as file:
        file.write("{no JSON\n")


def _tell_of_rg(store: Path) -> None:
    """Instructions that ask for what fails are to be seen, too."""
    given = {"user_instructions": "# Rules\n\nSearch with `rg` in all of the code.\n"}
    for log in (store / SAMPLE_HOME).rglob("rollout-*.jsonl"):
        if "rg: command not found" in log.read_text():
            with log.open("a") as file:
                file.write(json.dumps({"type": "turn_context", "payload": given}) + "\n")


def _run(command: str, store: str) -> list[dict[str, Any]]:
    words = [*command.split(), "--json", "--store", store]
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(_MESSAGES))
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", stdin):
        code = typer.main.get_command(app).main(words, "helix", standalone_mode=False) or 0
    expected = (ExitCode.DONE, ExitCode.PROBLEMS, ExitCode.FINDINGS)
    assert code in expected, f"`helix {command}` ended with {code}: {err.getvalue()}"
    return [json.loads(line) for line in out.getvalue().splitlines()]
