"""Ask an agent that is installed what it loads, and compare."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from helix_tui.program import ProgramError, run_program
from helix_tui.schema.context import AgentName, Context

_COMMANDS: dict[AgentName, tuple[str, ...]] = {
    "codex": ("codex", "debug", "prompt-input"),
    "grok": ("grok", "inspect", "--json"),
}
_SECONDS = 30.0
_MOST_OUTPUT = 16 << 20
# Shorter texts may stand in an agent's own words by chance.
_LEAST_TEXT = 20
_DEEPEST = 30
_VERSION = re.compile(r"\d{1,6}\.\d{1,6}\.\d{1,6}")


class Verified(NamedTuple):
    """Whether an agent says the same as the rules do, and where they differ."""

    state: Literal["agrees", "disagrees", "unavailable"]
    message: str
    differences: list[str]


def version_here(agent: AgentName) -> str:
    """The version of an agent that is installed; empty where none is, or it does not tell."""
    if shutil.which(agent) is None:
        return ""
    try:
        told = run_program((agent, "--version"), b"", _SECONDS).decode("utf-8", "replace")
    except ProgramError:
        return ""
    match = _VERSION.search(told)
    return match[0] if match else ""


def verify(context: Context) -> Verified:
    """Compare a context with what the agent itself tells in that folder."""
    command = _COMMANDS.get(context.agent)
    if command is None:
        return Verified("unavailable", f"{context.agent} has no command that tells", [])
    if shutil.which(command[0]) is None:
        return Verified("unavailable", f"{command[0]} is not installed here", [])
    shown = " ".join(command)
    try:
        output = run_program(command, b"", _SECONDS, Path(context.cwd), most_output=_MOST_OUTPUT)
        told = json.loads(output)
    except ProgramError as error:
        return Verified("unavailable", f"`{shown}` did not tell: {error.what}", [])
    except (ValueError, RecursionError) as error:
        return Verified("unavailable", f"`{shown}` printed no JSON: {error}", [])
    compare = _by_text if context.agent == "codex" else _by_path
    differences = list(compare(context, told))
    if differences:
        return Verified("disagrees", f"`{shown}` says otherwise", differences)
    return Verified("agrees", f"`{shown}` says the same", [])


def _by_text(context: Context, told: Any) -> Iterator[str]:
    """Compare by what stands in the prompt, in order."""
    prompt = "\n".join(_texts(told))
    at = 0
    for file in context.loaded:
        text = file.text.strip()
        place = prompt.find(text, at)
        if place >= 0:
            at = place + len(text)
        elif text in prompt:
            yield f"{file.path} comes earlier than the rules say"
        else:
            yield f"{file.path} is not loaded as the rules say"
    for file in context.files:
        text = file.source.strip()
        is_said = not file.is_loaded and len(text) >= _LEAST_TEXT and text in prompt
        if is_said and not any(text in other.text for other in context.loaded):
            yield f"{file.path} is loaded, though the rules say it is not: {file.reason}"


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text in a prompt, wherever it stands."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one, depth + 1)


def _by_path(context: Context, told: Any) -> Iterator[str]:
    """Compare by the paths that are listed, in order."""
    fields = told if isinstance(told, dict) else {}
    listed = fields.get("projectInstructions", fields.get("project_instructions"))
    if not isinstance(listed, list):
        yield "it lists no project instructions"
        return
    theirs = [os.path.realpath(path) for one in listed if _is_on(one) and (path := _path(one))]
    ours = [os.path.realpath(file.path) for file in context.loaded]
    yield from (f"{path} is not loaded as the rules say" for path in ours if path not in theirs)
    yield from (
        f"{path} is loaded, though the rules say not" for path in theirs if path not in ours
    )
    if sorted(theirs) == sorted(ours) and theirs != ours:
        yield f"the order is another: {', '.join(theirs)}"


def _is_on(one: Any) -> bool:
    """Whether it is loaded: what settings switch off is listed, too."""
    return not (isinstance(one, dict) and one.get("disabled"))


def _path(one: Any) -> str:
    if isinstance(one, str):
        return one
    if isinstance(one, dict):
        for name in ("path", "filePath", "file_path"):
            if isinstance(one.get(name), str):
                return str(one[name])
    return ""
