"""What Gemini CLI and Qwen Code load: a person's own file, extensions', then a project's."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from helix_tui.context.files import Content, Files
from helix_tui.context.gather import Asked, Gathered, decoded, down_from, joined, root_by
from helix_tui.context.gemini_settings import GEMINI, QWEN, GeminiSettings, Kin, gemini_settings
from helix_tui.context.markdown import looks_like_file
from helix_tui.schema.context import Context, ContextFile, FileScope

_DEEPEST = 5
_MOST_IMPORTS = 500
_LONGEST_PATH = 1_000
# As they look for imports: code is what stands between equal runs of backticks.
_CODE = re.compile(r"(`+)[\s\S]*?\1")
_IMPORT = re.compile(r"(?:^|(?<=[ \t\r\n]))@([./A-Za-z][^ \t\r\n]{0,999})")
_ADDRESS = ("file://", "http://", "https://")


def gemini_context(asked: Asked, files: Files) -> Context:
    """The context of Gemini CLI in a folder."""
    return _context(GEMINI, asked, files)


def qwen_context(asked: Asked, files: Files) -> Context:
    """The context of Qwen Code in a folder."""
    return _context(QWEN, asked, files)


def gemini_touched(asked: Asked, files: Files, path: str) -> list[str]:
    """The files that come in when a file below the folder is met: all on the way to it."""
    kin = QWEN if asked.agent == "qwen" else GEMINI
    cwd, folder = asked.cwd, path.rpartition("/")[0] or "/"
    if folder == cwd or not folder.startswith(f"{cwd.rstrip('/')}/"):
        return []
    gathered = Gathered(asked, files)
    settings = gemini_settings(gathered, kin, root_by(files, cwd, [".git"]) or cwd)
    below = [one for one in down_from(cwd, folder) if one != cwd] if settings.is_trusted else []
    return [path for one in below for path in _named(files, one, settings.names)]


def gemini_below(asked: Asked, files: Files, folders: Sequence[str]) -> list[ContextFile]:
    """What stands further down, and comes in when something there is met."""
    gathered = Gathered(asked, files)
    for folder in folders:
        why = f"loaded when something in {folder} is read or changed"
        for path in gemini_touched(asked, files, joined(folder, "x")):
            if path.startswith(joined(folder, "")) and "/" not in path[len(joined(folder, "")) :]:
                gathered.leave(path, "nested", "lazy", why, files.read(path))
    return gathered.left


def _context(kin: Kin, asked: Asked, files: Files) -> Context:
    gathered = Gathered(asked, files)
    root = root_by(files, asked.cwd, [".git"])
    settings = gemini_settings(gathered, kin, root or asked.cwd)
    walk = _Walk(gathered, kin)
    for folder in (settings.home, *down_from(root, asked.cwd)):
        _leave_strange(gathered, folder, settings.names)
    for path in _named(files, settings.home, settings.names):
        walk.load(path, "user", "your own, in every project")
    for path in settings.extensions:
        walk.load(path, "user", "an extension's")
    folders = down_from(root, asked.cwd)
    project = [path for folder in folders for path in _named(files, folder, settings.names)]
    if kin.local:
        local = joined(root or asked.cwd, f"{kin.folder}/{kin.local}")
        project += [local] if files.kind(local) == "file" else []
    if settings.is_trusted:
        for path in project:
            is_local = bool(kin.local) and path.endswith(f"/{kin.local}")
            walk.load(path, "local" if is_local else "project", "on the way to here")
    else:
        _leave_untrusted(gathered, kin, project)
    _leave_foreign(gathered, kin, folders, settings)
    for folder, scope in (*((one, "project") for one in folders), (asked.home, "user")):
        for name in (".agents/skills", f"{kin.folder}/skills"):
            gathered.find_skills(joined(folder, name), "user" if scope == "user" else "project")
    return gathered.context("\n\n".join(walk.texts))


def _named(files: Files, folder: str, names: Sequence[str]) -> list[str]:
    return [path for name in names if files.kind(path := joined(folder, name)) == "file"]


def _leave_strange(found: Gathered, folder: str, names: Sequence[str]) -> None:
    """Notes what stands where a file would, and is none."""
    for name in names:
        path = joined(folder, name)
        if found.files.kind(path) in ("other", "error"):
            found.leave(path, "project", "unreadable", "not a regular file", None)


def _leave_untrusted(found: Gathered, kin: Kin, project: Sequence[str]) -> None:
    for path in project:
        found.leave(path, "project", "off", "its folder is not trusted", found.files.read(path))
    if project:
        why = "is not loaded, nor is anything of this project: its folder is not trusted. "
        found.warn("untrusted", project[0], f"{why}Start {kin.title} there and say yes")


def _leave_foreign(
    found: Gathered, kin: Kin, folders: Sequence[str], settings: GeminiSettings
) -> None:
    """Notes the files of other agents, and warns where one is all that a folder has."""
    for folder in folders:
        own = _named(found.files, folder, settings.names)
        for path in _named(found.files, folder, ("AGENTS.md", "CLAUDE.md")):
            name = path.rpartition("/")[2]
            if name in settings.names:
                continue
            why = f"{kin.title} reads no file of this name"
            found.leave(path, "project", "foreign", why, found.files.read(path))
            if not own:
                found.warn(
                    "foreign", path, f"{why}; `context.fileName` in its settings can name it"
                )


class _Walk:
    """Loads files with what they import, each file once."""

    def __init__(self, found: Gathered, kin: Kin) -> None:
        self._found = found
        self._kin = kin
        self._seen: dict[str, str] = {}
        self._imports = 0
        self.texts: list[str] = []

    def load(self, path: str, scope: FileScope, reason: str) -> None:
        """Loads a file by its name, under a heading that says where it is from."""
        gathered, real = self._found, self._found.files.real(path)
        content = gathered.files.read(path)
        if real in self._seen:
            why = f"the same file as {self._seen[real]}"
            gathered.leave(path, scope, "doubled", why, Content(b"", 0))
            return
        self._seen[real] = path
        if content.trouble:
            gathered.leave(path, scope, "unreadable", content.trouble, content)
            return
        gathered.load(path, scope, content, reason)
        folder = path.rpartition("/")[0] or "/"
        inside = root_by(gathered.files, folder, [".git"]) or folder
        text = self._expanded(decoded(content.data), path, scope, inside, (path,)).strip()
        if text:
            shown = os.path.relpath(path, gathered.asked.cwd)
            self.texts.append(
                f"--- Context from: {shown} ---\n{text}\n--- End of Context from: {shown} ---"
            )

    def _expanded(
        self, text: str, path: str, scope: FileScope, inside: str, chain: tuple[str, ...]
    ) -> str:
        """A text with what it imports in the places where it says so."""
        if "@" not in text:
            return text
        code = [span.span() for span in _CODE.finditer(text)]
        kept, at = [], 0
        for match in _IMPORT.finditer(text):
            if any(begin <= match.start() < end for begin, end in code):
                continue
            kept.append(text[at : match.start()])
            kept.append(self._imported(match[1], path, scope, inside, chain))
            at = match.end()
        return "".join([*kept, text[at:]])

    def _imported(
        self, name: str, path: str, scope: FileScope, inside: str, chain: tuple[str, ...]
    ) -> str:
        gathered = self._found
        target = os.path.normpath(os.path.join(path.rpartition("/")[0] or "/", name))
        if name.startswith(_ADDRESS) or not f"{target}/".startswith(f"{inside.rstrip('/')}/"):
            if looks_like_file(name):
                gathered.warn("dead_import", path, f"imports @{name}, which is outside of {inside}")
            return f"<!-- Import failed: {name} - Path traversal attempt -->"
        if target in chain[1:]:
            return f"<!-- File already processed: {name} -->"
        content = gathered.files.read(target) if gathered.files.kind(target) == "file" else None
        self._imports += 1
        if content is None or content.trouble or self._imports > _MOST_IMPORTS:
            if looks_like_file(name):
                gathered.warn("dead_import", path, f"imports @{name}, which is not there")
            return f"<!-- Import failed: {name} - no such file -->"
        real = gathered.files.real(target)
        if real not in self._seen:
            self._seen[real] = target
            gathered.load(target, scope, content, f"imported by {path}", imported_by=path)
        body = decoded(content.data)
        if len(chain) >= _DEEPEST:
            if _IMPORT.search(body):
                why = f"imports further files, which {self._kin.title} no longer follows so deep"
                gathered.warn("import_depth", target, why)
        else:
            body = self._expanded(body, target, scope, inside, (*chain, target))
        return f"<!-- Imported from: {name} -->\n{body}\n<!-- End of import from: {name} -->"
