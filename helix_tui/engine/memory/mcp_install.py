"""Make agents know Helix's MCP server, in their own settings, and take it out again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.errors import HelixError, UsageError
from helix_tui.invocation import helix_command
from helix_tui.memory.mcp_entries import command_in, json_editing, toml_editing
from helix_tui.memory.settings_file import Editing, put_in, take_out, text_of
from helix_tui.schema import DoctorCheck
from helix_tui.schema.mcp import McpStatus

ANY_REPO = "--any-repo"
MISSING = "pip install 'helix-tui[mcp]'"
# Beside the backup of hooks, which may be of the same file.
_BACKUP = ".helix-mcp-backup"


class _Settings(NamedTuple):
    """The file of an agent's MCP servers, and what a person has to know."""

    path: Path
    is_toml: bool
    advice: str


def has_package() -> bool:
    """Whether the official package is there; nothing is loaded for that."""
    return find_spec("mcp") is not None


def install_mcp(config: Config, flavor: str, *, is_any_repo: bool) -> bool:
    """Put our server among an agent's; return whether anything changed."""
    settings = _settings(config, flavor)
    editing = _editing(settings, _command(config, is_any_repo=is_any_repo))
    return put_in(settings.path, editing, _BACKUP)


def uninstall_mcp(config: Config, flavor: str) -> bool:
    """Take our server out of an agent's settings; return whether it was there."""
    settings = _settings(config, flavor)
    command = _installed(settings)
    return bool(command) and take_out(settings.path, _editing(settings, command), _BACKUP)


def mcp_advice(config: Config, flavor: str) -> str:
    """What a person has to know once it is installed."""
    return _settings(config, flavor).advice


def mcp_statuses(config: Config, flavor: str | None = None) -> list[McpStatus]:
    """The state of our entry in each agent's settings."""
    return [_status(config, one) for one in ([flavor] if flavor else FLAVORS)]


def check_mcp(config: Config) -> Iterator[DoctorCheck]:
    """Check for doctor: having none is fine, one that is installed must be able to start."""
    for status in mcp_statuses(config):
        if status.installed or status.todo:
            detail = " ".join(status.notes) or f"known to {status.flavor}, in {status.path}"
            yield DoctorCheck(f"mcp {status.flavor}", not status.todo, detail, status.todo)


def _status(config: Config, flavor: str) -> McpStatus:
    settings = _settings(config, flavor)
    path = str(settings.path)
    try:
        command = _installed(settings)
    except HelixError as error:
        return McpStatus(flavor, False, path, [], False, False, [error.what], error.todo)
    is_any = ANY_REPO in command
    is_current = not command or command == _command(config, is_any_repo=is_any)
    notes, todo = [], ""
    if command and not has_package():
        notes.append("The package `mcp` is not installed, so the server cannot start.")
        todo = f"Run `{MISSING}`."
    elif not is_current:
        notes.append("It is of another Helix, or for another store.")
        todo = f"Run `helix mcp install {flavor}`."
    return McpStatus(flavor, bool(command), path, command, is_current, is_any, notes, todo)


def _installed(settings: _Settings) -> list[str]:
    text = text_of(settings.path)
    return command_in(text, is_toml=settings.is_toml) if text and text.strip() else []


def _editing(settings: _Settings, command: list[str]) -> Editing:
    return toml_editing(command) if settings.is_toml else json_editing(command)


def _command(config: Config, *, is_any_repo: bool) -> list[str]:
    store = Path(os.path.abspath(config.store))  # noqa: PTH100 - a link in it is meant
    words = helix_command("mcp", config=config.file, store=store)
    if is_any_repo:
        words.append(ANY_REPO)
    for word in words:
        if "$" in word or not word.isprintable():
            raise UsageError(
                f"{word!r} cannot stand in an agent's settings: it has a $ or a hidden sign in it.",
                "Choose another folder.",
            )
    return words


FLAVORS = ("claude", "codex", "grok")


def _settings(config: Config, flavor: str) -> _Settings:
    """Where each agent keeps its MCP servers; docs/recall.md names the sources."""
    if flavor not in FLAVORS:
        raise UsageError(
            f"There is no agent {flavor!r} whose MCP servers could be set.",
            f"Choose one of {', '.join(FLAVORS)}.",
        )
    roots = config.sources[flavor].roots
    root = next((one for one in roots if one.is_dir()), roots[0])
    if flavor == "claude":
        # With CLAUDE_CONFIG_DIR the file is in that folder, else beside `.claude`.
        is_beside = root.name == ".claude" and not os.environ.get("CLAUDE_CONFIG_DIR")
        path = (root.parent if is_beside else root) / ".claude.json"
        return _Settings(path, False, "Claude Code starts it in sessions that begin from now on.")
    if flavor == "codex":
        return _Settings(
            root / "config.toml", True, "Codex starts it in sessions that begin from now on."
        )
    advice = "Grok starts it in sessions that begin from now on; it reads Claude Code's list too."
    return _Settings(root / "config.toml", True, advice)
