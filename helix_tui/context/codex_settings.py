"""The settings of Codex that decide what it loads, read as Codex reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

from helix_tui.context.files import Files
from helix_tui.context.gather import Gathered, decoded, down_from, joined, root_by
from helix_tui.context.toml_settings import read_toml

_SYSTEM = "/etc/codex/config.toml"
_MOST_BYTES = 32_768


class CodexSettings(NamedTuple):
    """What decides which project files are loaded, and how much of them."""

    most_bytes: int = _MOST_BYTES
    fallbacks: tuple[str, ...] = ()
    markers: tuple[str, ...] = (".git",)
    is_trusted: bool = True


def codex_settings(found: Gathered, home: str) -> CodexSettings:
    """The settings in force; those of a project count only where somebody said to trust it."""
    files, cwd = found.files, found.asked.cwd
    user: dict[str, Any] = {}
    for path in (_SYSTEM, joined(home, "config.toml")):
        user |= read_toml(found, path)
    markers = _strings(user.get("project_root_markers"))
    marked = (".git",) if markers is None else markers
    root = root_by(files, cwd, list(marked))
    trust = _trust_level(user.get("projects"), files, cwd)
    settings = dict(user)
    if trust == "trusted":
        for folder in down_from(root, cwd):
            path = joined(folder, ".codex/config.toml")
            if path != joined(home, "config.toml"):
                settings |= read_toml(found, path)
    size = settings.get("project_doc_max_bytes")
    return CodexSettings(
        size if isinstance(size, int) and size >= 0 else _MOST_BYTES,
        _strings(settings.get("project_doc_fallback_filenames")) or (),
        marked,
        trust != "untrusted",
    )


def _strings(value: object) -> tuple[str, ...] | None:
    """A list of texts; None where it is not set or is something else."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    return tuple(one.strip() for one in value if one.strip())


def _trust_level(projects: object, files: Files, cwd: str) -> str:
    """What is said of the folder, or else of the repository that it is in; empty where nothing."""
    if not isinstance(projects, dict):
        return ""
    root = _repository(files, cwd)
    for folder in dict.fromkeys((cwd, files.real(cwd), root, files.real(root))):
        project = projects.get(folder)
        if isinstance(project, dict) and project.get("trust_level"):
            return str(project["trust_level"])
    return ""


def _repository(files: Files, cwd: str) -> str:
    """The root of the repository; of a further worktree that of the first one."""
    root = root_by(files, cwd, [".git"])
    if root is None or files.kind(joined(root, ".git")) != "file":
        return root or cwd
    told = decoded(files.read(joined(root, ".git")).data).strip().removeprefix("gitdir:").strip()
    git, _, name = told.partition("/worktrees/")
    return git.removesuffix("/.git") if name and git.endswith("/.git") else cwd
