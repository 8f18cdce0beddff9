"""What Claude Code loads: every folder from the topmost one down, with imports and rules."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helix_tui.context.claude_settings import ClaudeSettings, allows_outside, claude_settings
from helix_tui.context.files import Content, Files
from helix_tui.context.gather import Asked, Gathered, ancestors, decoded, down_from, joined
from helix_tui.context.globs import fits_glob, is_ignored
from helix_tui.context.markdown import (
    front_matter,
    imports,
    looks_like_file,
    scoped_paths,
    without_comments,
)
from helix_tui.schema.context import Context, ContextFile, FileScope, FileState

_MOST_BYTES = 4 << 20
_HOPS = 4
_MOST_IMPORTS = 500
_DEEPEST = 12
_MOST_BLANK = 64 << 10
_CLAUDE_NAMES = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
_AGENTS_NAMES = ("AGENTS.md", ".claude/AGENTS.md")
# Sub-agents that are started without any instructions.
_UNTOLD = frozenset({"Explore", "Plan"})
# What an import may be; pictures and archives are none.
_BINARY_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".pdf", ".zip", ".gz", ".mp4", ".exe", ".so")


def claude_context(asked: Asked, files: Files) -> Context:
    """The context of Claude Code at the start of a session in a folder."""
    gathered = Gathered(asked, files)
    if asked.subagent in _UNTOLD:
        return gathered.context("")
    walk = _Walk(gathered, claude_settings(gathered))
    walk.load_all()
    return gathered.context("\n\n".join(file.text for file in gathered.loaded))


def read_adds(asked: Asked, files: Files, path: str) -> list[str]:
    """The files that a read of a file adds: those of folders below, and rules that are about it."""
    gathered = Gathered(asked, files)
    walk = _Walk(gathered, claude_settings(gathered))
    walk.load_all()
    before = {file.path for file in gathered.loaded}
    walk.load_nested(path)
    return [file.path for file in gathered.loaded if file.path not in before]


def claude_below(asked: Asked, files: Files, folders: Sequence[str]) -> list[ContextFile]:
    """The files that come in when a file in one of these folders, below the own one, is read."""
    gathered = Gathered(asked, files)
    walk = _Walk(gathered, claude_settings(gathered))
    walk.load_all()
    listed: dict[str, ContextFile] = {}
    for folder in folders:
        loaded, left = len(gathered.loaded), len(gathered.left)
        walk.load_below(folder)
        why = f"loaded when a file in {folder} is read"
        further = [
            msgspec.structs.replace(file, state="lazy", reason=why, scope="nested")
            for file in gathered.loaded[loaded:]
        ]
        for file in (*further, *gathered.left[left:]):
            listed.setdefault(file.path, file)
    return list(listed.values())


class _Walk:
    """One walk over the folders, which remembers what was loaded already."""

    def __init__(self, found: Gathered, settings: ClaudeSettings) -> None:
        self._found = found
        self._files = found.files
        self._settings = settings
        self._seen: dict[str, str] = {}
        # Rules that are loaded when a file that they are about is read, with their folder.
        self._scoped: list[tuple[str, str, list[str], FileScope]] = []

    def load_all(self) -> None:
        """Load what a session begins with."""
        settings, cwd = self._settings, self._found.asked.cwd
        self._load(joined(settings.managed, "CLAUDE.md"), "managed")
        if settings.inline:
            content = Content(settings.inline.encode("utf-8", "replace"), len(settings.inline))
            self._found.load(settings.inline_at, "managed", content, "`claudeMd` of its settings")
        self._rules(joined(settings.managed, ".claude/rules"), "/", "managed")
        if settings.mode == "managed-only":
            return
        self._load(joined(settings.home, "CLAUDE.md"), "user")
        self._rules(joined(settings.home, "rules"), cwd, "user")
        folders = ancestors(cwd)
        switches = self._switches(folders)
        for folder in folders:
            self._load_folder(folder)
            for name in _AGENTS_NAMES:
                path = joined(folder, name)
                self._load_agents(path, self._switch_for(path, switches))
        for folder in folders:
            self._found.find_skills(joined(folder, ".claude/skills"), "project")
        self._found.find_skills(joined(settings.home, "skills"), "user")

    def load_nested(self, path: str) -> None:
        """Load what a read of a file below the folder adds."""
        self.load_below(path.rpartition("/")[0] or "/")
        for rule, base, globs, scope in self._scoped:
            inside = path.removeprefix(f"{base.rstrip('/')}/")
            if inside != path and is_ignored(globs, inside):
                self._load(rule, scope)

    def load_below(self, folder: str) -> None:
        """Load the files of a folder below, and of those on the way to it."""
        cwd = self._found.asked.cwd
        below = [one for one in down_from(cwd, folder) if one != cwd]
        switches = self._switches(ancestors(cwd))
        for one in below if folder.startswith(f"{cwd.rstrip('/')}/") else ():
            has_own = any(self._files.kind(joined(one, name)) == "file" for name in _CLAUDE_NAMES)
            self._load_folder(one, "nested")
            path = joined(one, "AGENTS.md")
            is_off = has_own or self._switch_for(path, switches)
            if self._settings.mode == "claude-md-and-agents-md" or not is_off:
                self._load_agents(path, "", "nested")

    def _load_folder(self, folder: str, scope: FileScope = "project") -> None:
        self._load(joined(folder, "CLAUDE.md"), scope)
        self._load(joined(folder, ".claude/CLAUDE.md"), scope)
        self._rules(joined(folder, ".claude/rules"), folder, scope)
        self._load(joined(folder, "CLAUDE.local.md"), "local" if scope == "project" else scope)

    def _switches(self, folders: list[str]) -> list[str]:
        """The files that switch AGENTS.md off, those with words first."""
        if self._settings.mode == "claude-md-and-agents-md":
            return []
        own = self._files.real(joined(self._settings.home, "CLAUDE.md"))
        paths = [joined(folder, name) for folder in folders for name in _CLAUDE_NAMES]
        there = [
            path
            for path in paths
            if self._files.kind(path) == "file"
            and self._files.real(path) != own
            and not self._is_excluded(path)
        ]
        return sorted(there, key=self._is_blank)

    def _switch_for(self, path: str, switches: list[str]) -> str:
        """The file that switches an AGENTS.md off; one without words does so to its like only."""
        if switches and self._is_blank(switches[0]) and not self._is_blank(path):
            return ""
        return switches[0] if switches else ""

    def _is_blank(self, path: str) -> bool:
        """Whether a file has no words besides front matter and comments."""
        text = decoded(self._files.read(path).data[:_MOST_BLANK])
        return not without_comments(text[front_matter(text).body_at :]).strip()

    def _load_agents(self, path: str, switch: str, scope: FileScope = "project") -> None:
        if self._files.kind(path) != "file" or self._files.real(path) in self._seen:
            return
        if self._settings.mode != "claude-md" and not switch:
            self._load(path, scope)
            return
        content = self._files.read(path)
        if self._settings.is_old:
            why = "before 2.1.277 Claude Code reads no AGENTS.md; `@AGENTS.md` in a CLAUDE.md does"
        elif self._settings.mode == "claude-md":
            why = "a setting says that AGENTS.md is not read"
        else:
            why = f"switched off by {switch}"
            self._found.warn(
                "switched_off",
                path,
                f"is switched off by {switch}: a line `@AGENTS.md` in a CLAUDE.md beside it "
                "brings it back",
            )
        self._found.leave(path, scope, "off", why, content)

    def _is_excluded(self, path: str) -> bool:
        forms = (path, self._files.real(path))
        return any(fits_glob(glob, form) for glob in self._settings.excludes for form in forms)

    def _rules(self, folder: str, base: str, scope: FileScope, depth: int = 0) -> None:
        """Load the rules of a folder and of those in it; a loop of links ends."""
        if self._files.kind(folder) != "folder" or depth > _DEEPEST:
            return
        real = self._files.real(folder)
        if real in self._seen:
            return
        self._seen[real] = folder
        for name in self._files.names(folder):
            path = joined(folder, name)
            if self._files.kind(path) == "folder":
                self._rules(path, base, scope, depth + 1)
            elif name.endswith(".md"):
                self._rule(path, base, scope)

    def _rule(self, path: str, base: str, scope: FileScope) -> None:
        content = self._files.read(path)
        globs = scoped_paths(front_matter(decoded(content.data)).head)
        if not globs or self._against(path, scope, content) is not None:
            self._load(path, scope)
            return
        self._scoped.append((path, base, globs, scope))
        why = f"loaded when a file is read that fits {', '.join(globs[:3])}"
        self._found.leave(path, scope, "lazy", why, content)
        whole = decoded(content.data)
        # What a rule imports is loaded at the start, though the rule itself is not.
        self._import(path, scope, whole[front_matter(whole).body_at :], 0)

    def _load(
        self, path: str, scope: FileScope, imported_by: str | None = None, hops: int = 0
    ) -> None:
        """Load a file and what it imports, unless something speaks against it."""
        kind = self._files.kind(path)
        if kind in ("none", "folder"):
            return
        if kind != "file":
            self._found.leave(path, scope, "unreadable", "not a regular file", None)
            return
        real = self._files.real(path)
        if real in self._seen:
            if self._seen[real] != path:
                why = f"the same file as {self._seen[real]}"
                self._found.leave(path, scope, "doubled", why, Content(b"", 0))
            return
        content = self._files.read(path)
        against = self._against(path, scope, content)
        if against is not None:
            self._found.leave(path, scope, *against, content)
            return
        self._seen[real] = path
        whole = decoded(content.data)
        at = front_matter(whole).body_at
        lines = "\n" * whole.count("\n", 0, at) + without_comments(whole[at:], keeps_lines=True)
        text = without_comments(whole[at:]).removeprefix("\ufeff")
        why = f"imported by {imported_by}" if imported_by else _WHY[scope]
        self._found.load(
            path, scope, content, why, text=text, source=lines, imported_by=imported_by
        )
        self._import(path, scope, whole[at:], hops)

    def _against(
        self, path: str, scope: FileScope, content: Content
    ) -> tuple[FileState, str] | None:
        """What keeps a file from being loaded, as a state with the reason."""
        if content.trouble:
            return "unreadable", content.trouble
        if content.size > _MOST_BYTES:
            self._found.warn("large", path, f"is skipped: it has more than {_MOST_BYTES:,} bytes")
            return "off", f"larger than {_MOST_BYTES:,} bytes"
        if scope != "managed" and self._is_excluded(path):
            return "off", "`claudeMdExcludes` leaves it out"
        return None

    def _import(self, path: str, scope: FileScope, text: str, hops: int) -> None:
        for named in imports(text)[:_MOST_IMPORTS]:
            target = self._target(path, named)
            kind = self._files.kind(target)
            if kind in ("none", "error"):
                if looks_like_file(named):
                    self._found.warn("dead_import", path, f"imports @{named}, which is not there")
            elif kind == "file" and not target.endswith(_BINARY_ENDINGS):
                if not self._is_allowed(path, named, target, scope):
                    continue
                if hops < _HOPS:
                    self._load(target, scope, path, hops + 1)
                elif self._files.real(target) not in self._seen:
                    self._found.warn(
                        "import_depth",
                        path,
                        f"imports @{named}, which is more than {_HOPS} imports away and not loaded",
                    )

    def _is_allowed(self, path: str, named: str, target: str, scope: FileScope) -> bool:
        """Whether an import may be followed: a project's files reach outside where allowed."""
        cwd = self._found.asked.cwd
        if target.startswith(joined(cwd, "")) or scope in ("managed", "user"):
            return True
        is_allowed = allows_outside(self._found, self._settings.home)
        if is_allowed:
            return True
        self._found.warn(
            "untrusted",
            path,
            f"imports @{named} from outside of {cwd}, which Claude Code loads there only where you "
            "allow it: it asks once for each project",
        )
        if is_allowed is None:
            return True  # nothing is known of what was answered
        if self._files.real(target) not in self._seen:
            why = f"outside of the folder, imported by {path} and not allowed"
            self._found.leave(target, scope, "off", why, self._files.read(target))
        return False

    def _target(self, path: str, named: str) -> str:
        if named.startswith("~/"):
            return _normal(joined(self._found.asked.home, named[2:]))
        if named.startswith("/"):
            return _normal(named)
        return _normal(joined(path.rpartition("/")[0] or "/", named))


_WHY: dict[FileScope, str] = {
    "managed": "your organisation's, in every project",
    "user": "your own, in every project",
    "project": "on the way from / to here",
    "local": "your own, in this project",
    "nested": "a file below it was read",
}


def _normal(path: str) -> str:
    """A path without `.` and `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return f"/{'/'.join(parts)}"
