"""What Copilot CLI loads: a person's own instructions, a repository's, and those of others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from helix_tui.context.files import Content, Files
from helix_tui.context.gather import Asked, Gathered, decoded, down_from, joined, root_by
from helix_tui.context.markdown import front_matter, imports, looks_like_file
from helix_tui.schema.context import Context, FileScope

_USUAL = "copilot-instructions.md"
_ENDING = ".instructions.md"
# In this order in each folder; what they import with `@` comes along.
_SHARED = ("AGENTS.md", "CLAUDE.md")
_VARIABLE = "COPILOT_CUSTOM_INSTRUCTIONS_DIRS"
_APPLIES = re.compile(r"^applyTo[ \t]*:[ \t]*['\"]?([^'\"\r\n]{0,1000})", re.MULTILINE)
_ALL = ("", "*", "**", "**/*")
_DEEPEST, _MOST_FILES, _MOST_IMPORTS = 6, 500, 5


class _Named(NamedTuple):
    path: str
    scope: FileScope
    imported_by: str = ""


def copilot_context(asked: Asked, files: Files) -> Context:
    """The context of Copilot CLI in a folder."""
    gathered = Gathered(asked, files)
    home = asked.environ.get("COPILOT_HOME") or joined(asked.home, ".copilot")
    root = root_by(files, asked.cwd, [".git"])
    folders = down_from(root, asked.cwd)
    listed = [*_of_user(gathered, home), *_of_project(gathered, root or asked.cwd, folders)]
    seen: dict[str, str] = {}
    texts: dict[str, str] = {}
    for one in listed:
        _load(gathered, one, seen, texts)
    for folder in folders:
        for name in (".github/skills", ".agents/skills", ".claude/skills"):
            gathered.find_skills(joined(folder, name), "project")
    gathered.find_skills(joined(home, "skills"), "user")
    return gathered.context("\n\n".join(file.text for file in gathered.loaded))


def _of_user(found: Gathered, home: str) -> Iterator[_Named]:
    """A person's own files, and those of folders that a variable names."""
    yield _Named(joined(home, _USUAL), "user")
    for path in _instructions(found, joined(home, "instructions"), 0):
        yield _Named(path, "user")
    for folder in found.asked.environ.get(_VARIABLE, "").split(","):
        place = folder.strip().rstrip("/")
        if place.startswith("/"):
            for name in (*_SHARED, f".github/{_USUAL}"):
                yield _Named(joined(place, name), "user")
            for path in _instructions(found, place, 0):
                yield _Named(path, "user")


def _of_project(found: Gathered, root: str, folders: list[str]) -> Iterator[_Named]:
    """A repository's instructions, then those of every folder from its root down to here."""
    for folder in dict.fromkeys((root, found.asked.cwd)):
        yield _Named(joined(folder, f".github/{_USUAL}"), "project")
        for path in _instructions(found, joined(folder, ".github/instructions"), 0):
            yield _Named(path, "project")
    for folder in folders:
        for name in _SHARED:
            yield _Named(joined(folder, name), "project")


def _instructions(found: Gathered, folder: str, depth: int) -> Iterator[str]:
    """The files of a folder whose names say that they instruct, however deep."""
    if depth > _DEEPEST or found.files.kind(folder) != "folder":
        return
    for name in found.files.names(folder)[:_MOST_FILES]:
        path = joined(folder, name)
        if name.endswith(_ENDING):
            yield path
        elif found.files.kind(path) == "folder":
            yield from _instructions(found, path, depth + 1)


def _load(found: Gathered, one: _Named, seen: dict[str, str], texts: dict[str, str]) -> None:
    """Loads a file once, and no text twice; one about some files waits for them."""
    path, scope = one.path, one.scope
    kind = found.files.kind(path)
    if kind in ("other", "error"):
        found.leave(path, scope, "unreadable", "not a regular file", None)
    if kind != "file":
        return
    content, real = found.files.read(path), found.files.real(path)
    if content.trouble:
        found.leave(path, scope, "unreadable", content.trouble, content)
        return
    if real in seen:
        found.leave(path, scope, "doubled", f"the same file as {seen[real]}", Content(b"", 0))
        return
    seen[real] = path
    text = decoded(content.data)
    front = front_matter(text) if path.endswith(_ENDING) else None
    applies = _APPLIES.search(front.head) if front else None
    if applies and applies[1].strip() not in _ALL:
        why = f"loaded when a file is met that fits {applies[1].strip()}"
        found.leave(path, scope, "lazy", why, content)
        return
    at = front.body_at if front else 0
    body = text[at:]
    words = body.strip()
    if words and words in texts:
        found.leave(path, scope, "doubled", f"says the same as {texts[words]}", content)
        return
    texts[words] = path
    where = "your own, in every project" if scope == "user" else "on the way to here"
    where = f"imported by {one.imported_by}" if one.imported_by else where
    blanked = "\n" * text.count("\n", 0, at) + body
    imported_by = one.imported_by or None
    found.load(path, scope, content, where, text=body, source=blanked, imported_by=imported_by)
    if path.endswith(_SHARED):
        _load_imports(found, one, body, seen, texts)


def _load_imports(
    found: Gathered, one: _Named, text: str, seen: dict[str, str], texts: dict[str, str]
) -> None:
    for name in imports(text)[: _MOST_IMPORTS * 10]:
        target = os.path.normpath(os.path.join(one.path.rpartition("/")[0] or "/", name))
        if found.files.kind(target) == "file":
            _load(found, _Named(target, one.scope, one.path), seen, texts)
        elif looks_like_file(name):
            found.warn("dead_import", one.path, f"imports @{name}, which is not there")
