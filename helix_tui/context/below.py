"""Instruction files further down: which folders have any, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.context.files import Files
from helix_tui.context.gather import Asked, Gathered, joined
from helix_tui.context.grok import touched
from helix_tui.schema.context import ContextFile

# What a folder has that an agent would load, were it started there.
NAMES = frozenset(
    {
        *("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md"),
        *("Agents.md", "Claude.md", "AGENT.md", "GEMINI.md", "QWEN.md"),
    }
)
_CODEX = ("AGENTS.override.md", "AGENTS.md")
_COPILOT = ("AGENTS.md", "CLAUDE.md")


def named_below(asked: Asked, files: Files, folders: Sequence[str]) -> list[ContextFile]:
    """What Codex, Copilot and Grok Build find further down: none loads it by itself."""
    gathered = Gathered(asked, files)
    for folder in folders:
        if asked.agent == "grok":
            why = f"named when something in {folder} is met, and then read or not"
            for path in touched(asked, files, joined(folder, "x")):
                if path.startswith(joined(folder, "")):
                    gathered.leave(path, "nested", "lazy", why, files.read(path))
            continue
        if asked.agent == "copilot":
            why = "below this folder, and loaded only when Copilot is started there"
            for name in _COPILOT:
                if files.kind(path := joined(folder, name)) == "file":
                    gathered.leave(path, "nested", "off", why, files.read(path))
            continue
        why = "below this folder, and loaded only when Codex is started there"
        paths = (joined(folder, name) for name in _CODEX)
        path = next((one for one in paths if files.kind(one) == "file"), "")
        if path:
            gathered.leave(path, "nested", "off", why, files.read(path))
    return gathered.left
