"""What OpenCode loads, and Kilo, which came of it: one name of a project's files at every level,
and a person's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from helix_tui.context.files import Files
from helix_tui.context.gather import Asked, Gathered, ancestors, decoded, down_from, joined, root_by
from helix_tui.schema.context import Context, ContextFile, FileScope

# The first of these that is anywhere on the way hides the others everywhere.
_NAMES = ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")
_SETTINGS = {
    "opencode": ("opencode.json", "opencode.jsonc"),
    # Those of OpenCode are read as well.
    "kilo": ("opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc"),
}
_SKILLS = (".claude/skills", ".agents/skills")
_NO_CLAUDE = ("OPENCODE_DISABLE_CLAUDE_CODE_PROMPT", "OPENCODE_DISABLE_CLAUDE_CODE")
_NO_PROJECT = "OPENCODE_DISABLE_PROJECT_CONFIG"
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r",(\s*[}\]])")
_REMOTE = ("https://", "http://")
_DEEPEST, _MOST_FILES = 6, 500


def opencode_context(asked: Asked, files: Files) -> Context:
    """The context of OpenCode or Kilo: the project's, then a person's own, then what is set."""
    gathered = Gathered(asked, files)
    home = config_home(asked)
    levels = _levels(asked, files)
    seen: set[str] = set()
    for path in [] if _is_on(asked, _NO_PROJECT) else _of_project(gathered, levels):
        _load(gathered, path, "project", "on the way to here", seen)
    for path in _of_user(gathered, home):
        _load(gathered, path, "user", "your own, in every project", seen)
    for settings, scope in _settings_files(gathered, home, levels):
        _load_set(gathered, settings, scope, levels, seen)
    for level in levels:
        for name in (f".{asked.agent}/skills", f".{asked.agent}/skill", *_SKILLS):
            gathered.find_skills(joined(level, name), "project")
    for name in ("skills", "skill"):
        gathered.find_skills(joined(home, name), "user")
    sent = [f"Instructions from: {file.path}\n{file.text}" for file in gathered.loaded if file.text]
    return gathered.context("\n".join(sent))


def config_home(asked: Asked) -> str:
    """The folder of a person's own settings."""
    environ = asked.environ
    above = environ.get("XDG_CONFIG_HOME") or joined(asked.home, ".config")
    named = environ.get("OPENCODE_CONFIG_DIR") if asked.agent == "opencode" else None
    return named or joined(above, asked.agent)


def opencode_below(asked: Asked, files: Files, folders: Sequence[str]) -> list[ContextFile]:
    """The files of folders further down, each loaded when something there is read."""
    gathered = Gathered(asked, files)
    for folder in folders:
        if path := _in_folder(asked, files, folder):
            why = f"loaded when a file in {folder} is read"
            gathered.leave(path, "nested", "lazy", why, files.read(path))
    return gathered.left


def opencode_touched(asked: Asked, files: Files, path: str) -> list[str]:
    """The files that reading one adds, from its own folder up to below this one."""
    context = opencode_context(asked, files)
    known = {file.path for file in context.files if file.is_loaded}
    folder = path.rpartition("/")[0]
    inside = [one for one in ancestors(folder) if one.startswith(joined(asked.cwd, ""))]
    paths = (_in_folder(asked, files, one) for one in reversed(inside))
    return [one for one in paths if one and one != path and one not in known]


def _levels(asked: Asked, files: Files) -> list[str]:
    """The folders from here up to the root of the work tree, or to the topmost one."""
    root = root_by(files, asked.cwd, [".git"])
    return list(reversed(down_from(root or "/", asked.cwd)))


def _names(asked: Asked) -> list[str]:
    is_off = any(_is_on(asked, name) for name in _NO_CLAUDE)
    return [name for name in _NAMES if not (is_off and name == "CLAUDE.md")]


def _of_project(found: Gathered, levels: list[str]) -> list[str]:
    """The first name that is anywhere on the way, at every level that has it."""
    chosen: list[str] = []
    for name in _names(found.asked):
        paths = [joined(level, name) for level in levels]
        there = [path for path in paths if found.files.kind(path) not in ("none", "folder")]
        if not chosen:
            chosen = there
            continue
        for path in there:
            why = f"{chosen[0].rpartition('/')[2]} is there, which hides every {name}"
            found.leave(path, "project", "off", why, found.files.read(path))
    return chosen


def _of_user(found: Gathered, home: str) -> Iterator[str]:
    """A person's own file; that of Claude Code only where OpenCode has none."""
    places = [joined(home, "AGENTS.md")]
    usual = joined(joined(found.asked.home, ".config"), f"{found.asked.agent}/AGENTS.md")
    places += [usual] if usual not in places else []
    if "CLAUDE.md" in _names(found.asked):
        places.append(joined(found.asked.home, ".claude/CLAUDE.md"))
    there = [path for path in places if found.files.kind(path) not in ("none", "folder")]
    yield from there[:1]
    for path in there[1:]:
        why = f"{there[0]} is there, which goes before it"
        found.leave(path, "user", "off", why, found.files.read(path))


def _load(found: Gathered, path: str, scope: FileScope, why: str, seen: set[str]) -> None:
    if path in seen:
        return
    seen.add(path)
    if found.files.kind(path) != "file":
        found.leave(path, scope, "unreadable", "not a regular file", None)
        return
    content = found.files.read(path)
    if content.trouble:
        found.leave(path, scope, "unreadable", content.trouble, content)
    elif content.size == 0:
        # Nothing is sent of an empty file, which all the same hides the others.
        found.load(path, scope, content, f"{why}; it is empty")
    else:
        found.load(path, scope, content, why)


def _settings_files(
    found: Gathered, home: str, levels: list[str]
) -> Iterator[tuple[dict[str, Any], FileScope]]:
    """The settings of a person, then those of the project from its root down to here."""
    places: list[tuple[str, FileScope]] = [(home, "user")]
    if not _is_on(found.asked, _NO_PROJECT):
        places += [(level, "project") for level in reversed(levels)]
        places += [
            (joined(level, f".{found.asked.agent}"), "project") for level in reversed(levels)
        ]
    for folder, scope in places:
        for name in _SETTINGS[found.asked.agent]:
            path = joined(folder, name)
            if found.files.kind(path) == "file":
                yield _read(found, path), scope


def _read(found: Gathered, path: str) -> dict[str, Any]:
    """Settings with comments and last commas, as OpenCode allows them."""
    text = decoded(found.files.read(path).data)
    plain = _LAST_COMMA.sub(r"\1", _COMMENT.sub(lambda match: match[1] or "", text))
    try:
        settings = json.loads(plain)
    except (ValueError, RecursionError) as error:
        found.warn("settings", path, f"is no JSON, so the settings of it are not known: {error}")
        return {}
    return settings if isinstance(settings, dict) else {}


def _load_set(
    found: Gathered, settings: dict[str, Any], scope: FileScope, levels: list[str], seen: set[str]
) -> None:
    """Files that `instructions` names: by a path, or by a pattern at every level."""
    named = settings.get("instructions")
    for one in named if isinstance(named, list) else []:
        if not isinstance(one, str) or not one:
            continue
        if one.startswith(_REMOTE):
            why = "fetched when a session begins; what it says is not looked at here"
            found.leave(one, scope, "lazy", why, None)
            continue
        place = joined(found.asked.home, one[2:]) if one.startswith("~/") else one
        if place.startswith("/"):
            folder, _, last = place.rpartition("/")
            paths = list(_fitting(found.files, folder or "/", [last], 0))
        else:
            parts = place.removeprefix("./").split("/")
            paths = [path for level in levels for path in _fitting(found.files, level, parts, 0)]
        for path in paths[:_MOST_FILES]:
            _load(found, path, scope, "named by `instructions` in the settings", seen)


def _fitting(files: Files, folder: str, parts: list[str], depth: int) -> Iterator[str]:
    """The files below a folder whose path fits a pattern."""
    if depth > _DEEPEST or not parts:
        return
    first, rest = parts[0], parts[1:]
    if first == "**":
        yield from _fitting(files, folder, rest, depth)
    for name in files.names(folder)[:_MOST_FILES]:
        path = joined(folder, name)
        if first == "**":
            if files.kind(path) == "folder" and name not in (".git", "node_modules"):
                yield from _fitting(files, path, parts, depth + 1)
        elif fnmatchcase(name, first):
            if rest:
                yield from _fitting(files, path, rest, depth + 1)
            elif files.kind(path) == "file":
                yield path


def _in_folder(asked: Asked, files: Files, folder: str) -> str:
    paths = (joined(folder, name) for name in _names(asked))
    return next((path for path in paths if files.kind(path) == "file"), "")


def _is_on(asked: Asked, variable: str) -> bool:
    return asked.environ.get(variable, "").lower() in ("1", "true")
