"""The settings of Claude Code that decide what it loads, read as Claude Code reads them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from helix_tui.context.gather import Gathered, joined, root_by
from helix_tui.context.json_settings import read_json
from helix_tui.context.versions import numbers_of

InstructionFiles = Literal[
    "claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md", "managed-only"
]
_MODES: tuple[InstructionFiles, ...] = (
    "claude-md-or-agents-md",
    "claude-md-and-agents-md",
    "claude-md",
    "managed-only",
)
_MANAGED = {
    "linux": "/etc/claude-code",
    "darwin": "/Library/Application Support/ClaudeCode",
}
# From this version on AGENTS.md is read where there is no CLAUDE.md.
_FIRST_WITH_AGENTS = (2, 1, 277)


class ClaudeSettings(NamedTuple):
    """Where files are, which are left out, and whether AGENTS.md counts."""

    managed: str
    home: str
    excludes: tuple[str, ...]
    mode: InstructionFiles
    is_old: bool = False
    # What an organisation lays down in its settings instead of a file, and where.
    inline: str = ""
    inline_at: str = ""


def claude_settings(found: Gathered) -> ClaudeSettings:
    """The settings in force: an organisation's, a person's own, the project's, the local ones."""
    asked = found.asked
    managed = _MANAGED.get(asked.platform, _MANAGED["linux"])
    home = asked.environ.get("CLAUDE_CONFIG_DIR") or joined(asked.home, ".claude")
    drop_ins = joined(managed, "managed-settings.d")
    laid_down = [
        joined(managed, "managed-settings.json"),
        *(joined(drop_ins, name) for name in found.files.names(drop_ins) if name.endswith(".json")),
    ]
    own = joined(home, "settings.json")
    names = ("settings.json", "settings.local.json")
    shared = [joined(asked.cwd, f".claude/{name}") for name in names]
    read = {path: read_json(found, path) for path in dict.fromkeys([own, *shared, *laid_down])}
    excludes = [
        glob
        for settings in read.values()
        for glob in _list(settings.get("claudeMdExcludes"))
        if isinstance(glob, str)
    ]
    mode: InstructionFiles = "claude-md-or-agents-md"
    inline = inline_at = ""
    # A project cannot choose it for those who work on it.
    for path in (own, *laid_down):
        mode = _mode(read[path]) or mode
    for path in laid_down:
        if isinstance(excerpt := read[path].get("claudeMd"), str):
            inline, inline_at = excerpt, path
    is_old = len(version := numbers_of(asked.version)) > 0 and version < _FIRST_WITH_AGENTS
    if is_old:
        mode = "claude-md"
    return ClaudeSettings(managed, home, tuple(excludes), mode, is_old, inline, inline_at)


def allows_outside(found: Gathered, home: str) -> bool | None:
    """Whether a project's files may import from outside of the folder: what its user answered.

    None without the file that keeps answers: Claude Code was never started here. That file changes
    with every session, so it is read only where it decides.
    """
    asked = found.asked
    folder = home if asked.environ.get("CLAUDE_CONFIG_DIR") else asked.home
    path = joined(folder, ".claude.json")
    if found.files.kind(path) != "file":
        return None
    projects = read_json(found, path).get("projects")
    project = root_by(found.files, asked.cwd, [".git"]) or asked.cwd
    answers = projects.get(project) if isinstance(projects, dict) else None
    return isinstance(answers, dict) and answers.get("hasClaudeMdExternalIncludesApproved") is True


def _mode(settings: dict[str, Any]) -> InstructionFiles | None:
    value: object = settings
    for name in ("pluginConfigs", "agents-md@builtin", "options", "instructionFiles"):
        value = value.get(name) if isinstance(value, dict) else None
    return next((mode for mode in _MODES if mode == value), None)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
