"""What Pi, Droid and Cursor load, by their documents and by what others read in their sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.context.files import Files
from helix_tui.context.gather import Asked, Gathered, ancestors, decoded, down_from, joined, root_by
from helix_tui.context.markdown import front_matter
from helix_tui.schema.context import Context, ContextFile, FileScope

_SHARED, _CLAUDE, _OVERRIDE = "AGENTS.md", "CLAUDE.md", "AGENTS.override.md"
# The first of these that a folder has hides the others there.
_PI = (_OVERRIDE, _SHARED, _CLAUDE)
_RULES, _LEGACY = ".cursor/rules", ".cursorrules"
_ALWAYS = re.compile(r"^alwaysApply[ \t]*:[ \t]*true[ \t]*$", re.MULTILINE)
_GLOBS = re.compile(r"^globs[ \t]*:[ \t]*(\S[^\r\n]{0,1000})?", re.MULTILINE)
_DESCRIBED = re.compile(r"^description[ \t]*:[ \t]*\S", re.MULTILINE)
_DEEPEST, _MOST_FILES = 6, 500
_USER, _PROJECT = "your own, in every project", "on the way to here"


def pi_context(asked: Asked, files: Files) -> Context:
    """The context of Pi in a folder: its own file, then each folder's from the topmost down."""
    gathered = Gathered(asked, files)
    home = asked.environ.get("PI_CODING_AGENT_DIR") or joined(asked.home, ".pi/agent")
    _first(gathered, home, _PI, "user", _USER)
    for folder in ancestors(asked.cwd):
        if folder != home:
            _first(gathered, folder, _PI, "project", _PROJECT)
    gathered.find_skills(joined(home, "skills"), "user")
    gathered.find_skills(joined(asked.cwd, ".pi/skills"), "project")
    return _context(gathered)


def droid_context(asked: Asked, files: Files) -> Context:
    """The context of Droid in a folder: a person's own file, then those of the repository."""
    gathered = Gathered(asked, files)
    home = asked.environ.get("FACTORY_DIR") or joined(asked.home, ".factory")
    _first(gathered, home, (_SHARED,), "user", _USER)
    for folder in _way(asked, files):
        _first(gathered, folder, (_SHARED,), "project", _PROJECT)
    gathered.find_skills(joined(home, "skills"), "user")
    gathered.find_skills(joined(asked.cwd, ".factory/skills"), "project")
    return _context(gathered)


def cursor_context(asked: Asked, files: Files) -> Context:
    """The context of Cursor in a folder: the project's shared files, then its own rules.

    A person's own rules are with Cursor's settings, where nobody else can read them.
    """
    gathered = Gathered(asked, files)
    for folder in _way(asked, files):
        for name in (_SHARED, _CLAUDE):
            _load(gathered, joined(folder, name), "project", _PROJECT)
        for path in _rules(gathered, joined(folder, _RULES), 0):
            _load_rule(gathered, path)
    root = root_by(files, asked.cwd, [".git"]) or asked.cwd
    _load(gathered, joined(root, _LEGACY), "project", "the rules of before `.cursor/rules`")
    for name in (".cursor/skills", ".agents/skills"):
        gathered.find_skills(joined(root, name), "project")
    return _context(gathered)


def further_below(asked: Asked, files: Files, folders: Sequence[str]) -> list[ContextFile]:
    """The files of folders further down: Pi never looks there, the others when they work there."""
    gathered = Gathered(asked, files)
    for folder in folders:
        for path in _in_folder(asked, files, folder):
            if asked.agent == "pi":
                why = "below this folder, and loaded only when Pi is started there"
                gathered.leave(path, "nested", "off", why, files.read(path))
            else:
                why = f"loaded when a file in {folder} is read or changed"
                gathered.leave(path, "nested", "lazy", why, files.read(path))
    return gathered.left


def further_touched(asked: Asked, files: Files, path: str) -> list[str]:
    """The files that come along when Droid or Cursor works on a file further down."""
    if asked.agent == "pi":
        return []
    inside = [
        folder
        for folder in ancestors(path.rpartition("/")[0])
        if folder.startswith(joined(asked.cwd, ""))
    ]
    return [one for folder in inside for one in _in_folder(asked, files, folder) if one != path]


def _way(asked: Asked, files: Files) -> list[str]:
    """The folders from the root of the work tree down to here."""
    return down_from(root_by(files, asked.cwd, [".git"]), asked.cwd)


def _in_folder(asked: Asked, files: Files, folder: str) -> list[str]:
    names = {"pi": _PI, "droid": (_SHARED,)}.get(asked.agent, (_SHARED, _CLAUDE))
    there = [path for name in names if files.kind(path := joined(folder, name)) == "file"]
    return there[:1] if asked.agent == "pi" else there


def _first(found: Gathered, folder: str, names: Sequence[str], scope: FileScope, why: str) -> None:
    """Load the first of some names that a folder has; the others are switched off by it."""
    chosen = ""
    for name in names:
        path = joined(folder, name)
        if found.files.kind(path) in ("none", "folder"):
            continue
        if chosen:
            reason = f"{chosen} is there, which Pi reads in its place"
            found.leave(path, scope, "off", reason, found.files.read(path))
        elif _load(found, path, scope, why):
            chosen = name


def _load(found: Gathered, path: str, scope: FileScope, why: str) -> bool:
    kind = found.files.kind(path)
    if kind in ("none", "folder"):
        return False
    if kind != "file":
        found.leave(path, scope, "unreadable", "not a regular file", None)
        return False
    content = found.files.read(path)
    if content.trouble:
        found.leave(path, scope, "unreadable", content.trouble, content)
        return False
    found.load(path, scope, content, why)
    return True


def _rules(found: Gathered, folder: str, depth: int) -> list[str]:
    """The rules of a folder, however deep, by their names."""
    if depth > _DEEPEST or found.files.kind(folder) != "folder":
        return []
    paths: list[str] = []
    for name in found.files.names(folder)[:_MOST_FILES]:
        path = joined(folder, name)
        if name.endswith(".mdc"):
            paths.append(path)
        elif found.files.kind(path) == "folder":
            paths += _rules(found, path, depth + 1)
    return paths


def _load_rule(found: Gathered, path: str) -> None:
    """A rule that always applies is loaded; any other waits for what its head names."""
    if found.files.kind(path) != "file":
        return
    content = found.files.read(path)
    if content.trouble:
        found.leave(path, "project", "unreadable", content.trouble, content)
        return
    text = decoded(content.data)
    front = front_matter(text)
    if _ALWAYS.search(front.head):
        body = text[front.body_at :]
        blanked = "\n" * text.count("\n", 0, front.body_at) + body
        found.load(path, "project", content, "it always applies", text=body, source=blanked)
        return
    globs = _GLOBS.search(front.head)
    if globs and globs[1]:
        why = f"loaded when a file is met that fits {globs[1].strip()}"
    elif _DESCRIBED.search(front.head):
        why = "the model is told what it is about, and may ask for it"
    else:
        why = "loaded only when somebody names it"
    found.leave(path, "project", "lazy", why, content)


def _context(found: Gathered) -> Context:
    return found.context("\n\n".join(file.text for file in found.loaded))
