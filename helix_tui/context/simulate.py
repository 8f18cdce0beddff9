"""The effective context: what an agent loads in a folder, by the rules that each one has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from helix_tui.context.below import named_below
from helix_tui.context.claude import claude_below, claude_context, read_adds
from helix_tui.context.codex import codex_context
from helix_tui.context.copilot import copilot_context
from helix_tui.context.files import Files
from helix_tui.context.further import (
    cursor_context,
    droid_context,
    further_below,
    further_touched,
    pi_context,
)
from helix_tui.context.gather import Asked
from helix_tui.context.gemini import gemini_below, gemini_context, gemini_touched, qwen_context
from helix_tui.context.grok import grok_context, touched
from helix_tui.context.opencode import opencode_below, opencode_context, opencode_touched
from helix_tui.schema.context import AgentName, Context, ContextFile

_RULES: Mapping[AgentName, Callable[[Asked, Files], Context]] = {
    "claude": claude_context,
    "codex": codex_context,
    "grok": grok_context,
    "copilot": copilot_context,
    "gemini": gemini_context,
    "qwen": qwen_context,
    "opencode": opencode_context,
    "kilo": opencode_context,
    "pi": pi_context,
    "droid": droid_context,
    "cursor": cursor_context,
}
_KIN, _OPEN = ("gemini", "qwen"), ("opencode", "kilo")
_FURTHER = ("pi", "droid", "cursor")


def effective_context(asked: Asked, files: Files) -> Context:
    """What an agent loads in a folder when a session begins."""
    return _RULES[asked.agent](asked, files)


def files_below(asked: Asked, files: Files, folders: Sequence[str]) -> list[ContextFile]:
    """The instruction files of folders below the own one, none of which is loaded at the start."""
    if asked.agent == "claude":
        return claude_below(asked, files, folders)
    if asked.agent in _KIN:
        return gemini_below(asked, files, folders)
    if asked.agent in _OPEN:
        return opencode_below(asked, files, folders)
    if asked.agent in _FURTHER:
        return further_below(asked, files, folders)
    return named_below(asked, files, folders)


def added_by_read(asked: Asked, files: Files, path: str) -> list[str]:
    """The instruction files that an agent loads, or is told of, when it reads a file."""
    if asked.agent == "claude":
        return read_adds(asked, files, path)
    if asked.agent in _KIN:
        return gemini_touched(asked, files, path)
    if asked.agent in _OPEN:
        return opencode_touched(asked, files, path)
    if asked.agent in _FURTHER:
        return further_touched(asked, files, path)
    return touched(asked, files, path) if asked.agent == "grok" else []
