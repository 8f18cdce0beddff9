"""The settings of Gemini CLI and Qwen Code that decide what they load."""

from __future__ import annotations

from typing import Any, NamedTuple

from helix_tui.context.gather import Gathered, joined
from helix_tui.context.json_settings import read_json, table

_MOST_EXTENSIONS = 200


class Kin(NamedTuple):
    """How Gemini CLI and what was made from it differ."""

    title: str
    folder: str
    names: tuple[str, ...]
    # The variables that name its home, with what is below them.
    variables: tuple[tuple[str, str], ...]
    extension: str
    local: str = ""


GEMINI = Kin(
    "Gemini CLI",
    ".gemini",
    ("GEMINI.md",),
    (("GEMINI_CLI_HOME", ".gemini"),),
    "gemini-extension.json",
)
QWEN = Kin(
    "Qwen Code",
    ".qwen",
    ("QWEN.md", "AGENTS.md"),
    (("QWEN_HOME", ""),),
    "qwen-extension.json",
    "QWEN.local.md",
)


class GeminiSettings(NamedTuple):
    """Which names count, what extensions bring, and whether a project's files are loaded."""

    home: str
    names: tuple[str, ...]
    extensions: tuple[str, ...]
    is_trusted: bool


def gemini_settings(found: Gathered, kin: Kin, root: str) -> GeminiSettings:
    """The settings in force; those of a project count only where it is trusted."""
    asked = found.asked
    home = joined(asked.home, kin.folder)
    for variable, below in kin.variables:
        if named := asked.environ.get(variable):
            home = joined(named.rstrip("/"), below) if below else named.rstrip("/")
    own = read_json(found, joined(home, "settings.json"))
    is_trusted = _is_trusted(found, home, own, root)
    project = read_json(found, joined(root, f"{kin.folder}/settings.json")) if is_trusted else {}
    names = _names(project) or _names(own) or kin.names
    return GeminiSettings(home, names, tuple(_extensions(found, kin, home, names)), is_trusted)


def _names(settings: dict[str, Any]) -> tuple[str, ...]:
    """`context.fileName`, one name or several; it stood at the top once."""
    told = table(settings, "context").get("fileName", settings.get("contextFileName"))
    listed = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    names = (name.strip() for name in listed if isinstance(name, str))
    return tuple(dict.fromkeys(name for name in names if name and ".." not in name))


def _is_trusted(found: Gathered, home: str, settings: dict[str, Any], root: str) -> bool:
    """Whether a person trusts a folder, where the agent asks for it at all."""
    answers = read_json(found, joined(home, "trustedFolders.json"))
    nearest, rule = "", ""
    for place, answer in answers.items():
        folder = place.rstrip("/") or "/"
        if answer == "TRUST_PARENT":
            folder = folder.rpartition("/")[0] or "/"
        is_above = folder == root or root.startswith(f"{folder.rstrip('/')}/")
        if isinstance(answer, str) and is_above and len(folder) >= len(nearest):
            nearest, rule = folder, answer
    if rule:
        return rule != "DO_NOT_TRUST"
    return table(settings, "security", "folderTrust").get("enabled") is not True


def _extensions(found: Gathered, kin: Kin, home: str, names: tuple[str, ...]) -> list[str]:
    """The context files of extensions, by the name that each of them gives."""
    folder = joined(home, "extensions")
    paths: list[str] = []
    for name in found.files.names(folder)[:_MOST_EXTENSIONS]:
        told = read_json(found, f"{folder}/{name}/{kin.extension}")
        if not told:
            continue
        given = told.get("contextFileName")
        listed = [given] if isinstance(given, str) else given if isinstance(given, list) else names
        paths += [
            f"{folder}/{name}/{one}"
            for one in listed
            if isinstance(one, str) and found.files.kind(f"{folder}/{name}/{one}") == "file"
        ]
    return paths
