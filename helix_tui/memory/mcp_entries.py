"""Our entry among an agent's MCP servers: in JSON or TOML, with all around it left as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import partial
from typing import Any

from helix_tui.memory.hooks import surgery
from helix_tui.memory.settings_file import Editing, SettingsFileError

NAME = "helix"
_JSON_KEY, _TOML_KEY = "mcpServers", "mcp_servers"
_EMPTY_JSON, _EMPTY_TOML = "{}\n", ""
_MODULE = ["-m", "helix_tui", "mcp"]
_HEADER = re.compile(r"[ \t]*\[{1,2}[ \t]*(?P<name>[^\]\n]*?)[ \t]*\]")
_ABOUT = "# What earlier sessions taught; `helix mcp uninstall` takes it out."


def json_editing(command: Sequence[str]) -> Editing:
    """For Claude Code's settings."""
    entry = {"type": "stdio", "command": command[0], "args": list(command[1:]), "env": {}}
    return Editing(_EMPTY_JSON, _is_in_json, partial(_added_json, entry=entry), _without_json)


def toml_editing(command: Sequence[str]) -> Editing:
    """For the settings of Codex and Grok."""
    return Editing(
        _EMPTY_TOML, _is_in_toml, partial(_added_toml, command=list(command)), _without_toml
    )


def command_in(text: str, *, is_toml: bool) -> list[str]:
    """The command of our entry; empty where there is none."""
    servers = _parsed_toml(text).get(_TOML_KEY) if is_toml else _parsed_json(text).get(_JSON_KEY)
    entry = servers.get(NAME) if isinstance(servers, dict) else None
    return _command_of(entry) if _is_ours(entry) else []


def _command_of(entry: Any) -> list[str]:
    args = entry.get("args") if isinstance(entry, dict) else None
    if not isinstance(args, list) or not isinstance(entry.get("command"), str):
        return []
    return [entry["command"], *map(str, args)]


def _is_ours(entry: Any) -> bool:
    command = _command_of(entry)
    return any(command[at : at + 3] == _MODULE for at in range(len(command)))


def _refuse_foreign(entry: Any) -> None:
    if entry is not None and not _is_ours(entry):
        raise SettingsFileError(f"an MCP server `{NAME}` of somebody else stands in it.")


# JSON


def _parsed_json(text: str) -> dict[str, Any]:
    try:
        value = surgery.parse(text if text.strip() else _EMPTY_JSON)
    except RecursionError:
        raise SettingsFileError("it is nested too deeply.") from None
    except ValueError as error:
        raise SettingsFileError(f"it is no valid JSON ({error}).") from None
    if not isinstance(value, dict):
        raise SettingsFileError("it is no JSON object.")
    if not isinstance(value.get(_JSON_KEY, {}), dict):
        raise SettingsFileError(f'"{_JSON_KEY}" in it is no object.')
    return value


def _is_in_json(text: str) -> bool:
    return _is_ours(_parsed_json(text).get(_JSON_KEY, {}).get(NAME))


def _added_json(text: str, entry: dict[str, Any]) -> str:
    if not text.strip():
        text += _EMPTY_JSON
    servers = _parsed_json(text).get(_JSON_KEY)
    known = servers.get(NAME) if servers else None
    _refuse_foreign(known)
    if _command_of(known) == _command_of(entry):
        return text
    if known is not None:
        text = _without_json(text)
    root = surgery.start_of(text)
    member = surgery.last_member(text, root, _JSON_KEY)
    if member is None:
        return surgery.append(text, root, {NAME: entry}, _JSON_KEY)
    return surgery.append(text, member.value, entry, NAME)


def _without_json(text: str) -> str:
    """The text without our entry, and without the list of servers where nothing else is in it."""
    root = surgery.start_of(text)
    member = surgery.last_member(text, root, _JSON_KEY)
    assert member is not None
    servers = surgery.members(text, member.value)
    if len(servers) == 1:
        keys = [one.start for one in surgery.members(text, root)]
        return surgery.remove(text, root, keys.index(member.start))
    at = max(at for at, one in enumerate(servers) if one.key == NAME)
    return surgery.remove(text, member.value, at)


# TOML


def _parsed_toml(text: str) -> dict[str, Any]:
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsFileError(f"it is no valid TOML ({error}).") from None
    if not isinstance(value.get(_TOML_KEY, {}), dict):
        raise SettingsFileError(f"`{_TOML_KEY}` in it is no table.")
    return value


def _is_in_toml(text: str) -> bool:
    return _is_ours(_parsed_toml(text).get(_TOML_KEY, {}).get(NAME))


def _added_toml(text: str, command: list[str]) -> str:
    before = _parsed_toml(text)
    known = before.get(_TOML_KEY, {}).get(NAME)
    _refuse_foreign(known)
    if _command_of(known) == command:
        return text
    if known is not None:
        text = _without_toml(text)
    end = "\r\n" if "\r\n" in text else "\n"
    rows = [
        _ABOUT,
        f"[{_TOML_KEY}.{NAME}]",
        f"command = {_quoted(command[0])}",
        f"args = [{', '.join(map(_quoted, command[1:]))}]",
        "",
    ]
    # One blank line before it, which is ours as well.
    lead = "" if not text else end if text.endswith("\n") else end * 2
    after = text + lead + end.join(rows)
    _refuse_changed(before, after, command)
    return after


def _refuse_changed(before: dict[str, Any], after: str, command: list[str]) -> None:
    """Refuse a text in which a table of ours cannot stand, or would be read as something else."""
    try:
        value = _parsed_toml(after)
    except SettingsFileError:
        raise SettingsFileError(
            f"`{_TOML_KEY}` stands in it in a form that takes no further table."
        ) from None
    is_ours = _command_of(value.get(_TOML_KEY, {}).pop(NAME, None)) == command
    before.get(_TOML_KEY, {}).pop(NAME, None)
    if not value.get(_TOML_KEY):
        value.pop(_TOML_KEY, None)
    if not before.get(_TOML_KEY):
        before.pop(_TOML_KEY, None)
    if not is_ours or value != before:
        raise SettingsFileError("our table would be read as something else in it.")


def _without_toml(text: str) -> str:
    """The text without our table, its parts, and the line before it that is ours."""
    rows = text.splitlines(keepends=True)
    kept: list[str] = []
    is_ours = False
    for row in rows:
        header = _HEADER.match(row)
        if header and not _is_in_array(kept):
            name = re.sub(r"[\"'\s]", "", header["name"])
            was_ours, is_ours = is_ours, f"{name}.".startswith(f"{_TOML_KEY}.{NAME}.")
            if is_ours and not was_ours and kept and kept[-1].strip() == _ABOUT:
                kept.pop()
                if kept and not kept[-1].strip():
                    kept.pop()  # the blank line that we put before it
        if not is_ours:
            kept.append(row)
    return "".join(kept)


def _is_in_array(kept: list[str]) -> bool:
    """Whether a row that begins with a bracket goes on with a value."""
    text = "".join(kept)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return True
    return False


def _quoted(text: str) -> str:
    """A basic string of TOML, which is one of JSON."""
    return json.dumps(text, ensure_ascii=False)
