"""What Codex loads: a person's own file, then one file a folder from the project's root down."""

from __future__ import annotations

from helix_tui.context.codex_settings import CodexSettings, codex_settings
from helix_tui.context.files import Files
from helix_tui.context.gather import (
    Asked,
    Gathered,
    decoded,
    down_from,
    joined,
    line_at,
    root_by,
)
from helix_tui.schema.context import Context

_OVERRIDE, _USUAL = "AGENTS.override.md", "AGENTS.md"
# What other agents read where Codex reads nothing.
_FOREIGN = ("CLAUDE.md", "CLAUDE.local.md", "GEMINI.md")
_SEPARATOR = "\n\n--- project-doc ---\n\n"


def codex_context(asked: Asked, files: Files) -> Context:
    """The context of Codex in a folder."""
    gathered = Gathered(asked, files)
    home = asked.environ.get("CODEX_HOME") or joined(asked.home, ".codex")
    settings = codex_settings(gathered, home)
    own = _load_own(gathered, home)
    root = root_by(files, asked.cwd, list(settings.markers))
    folders = down_from(root, asked.cwd)
    chosen = [path for folder in folders if (path := _chosen(gathered, folder, settings))]
    used = _load_project(gathered, chosen, settings)
    for folder in folders:
        gathered.find_skills(joined(folder, ".agents/skills"), "project")
        gathered.find_skills(joined(folder, ".codex/skills"), "project")
    gathered.find_skills(joined(home, "skills"), "user")
    gathered.find_skills(joined(asked.home, ".agents/skills"), "user")
    project = "\n\n".join(file.text for file in gathered.loaded if file.scope == "project")
    text = _SEPARATOR.join(part for part in (own, project) if part)
    return gathered.context(text, cap=settings.most_bytes, used=used)


def _load_own(found: Gathered, home: str) -> str:
    """Loads a person's own file; a blank override lets the usual one through."""
    own = ""
    for name in (_OVERRIDE, _USUAL):
        path = joined(home, name)
        if found.files.kind(path) != "file":
            continue
        content = found.files.read(path)
        text = decoded(content.data).strip()
        if own:
            why = f"switched off by {joined(home, _OVERRIDE)}"
            found.leave(path, "user", "off", why, content)
        elif content.trouble or not text:
            found.leave(path, "user", "blank", "blank, so the next one counts", content)
        else:
            own = text
            found.load(path, "user", content, "your own, in every project", text=text)
    return own


def _chosen(found: Gathered, folder: str, settings: CodexSettings) -> str:
    """The one file of a folder that counts; what else there is is noted with the reason."""
    names = dict.fromkeys((_OVERRIDE, _USUAL, *settings.fallbacks))
    chosen = ""
    for name in names:
        path = joined(folder, name)
        kind = found.files.kind(path)
        if kind == "other":
            found.leave(path, "project", "unreadable", "not a regular file", None)
        elif kind in ("file", "error") and not chosen:
            chosen = path  # one that cannot be looked at is not passed over
        elif kind == "file":
            content = found.files.read(path)
            found.leave(path, "project", "off", f"switched off by {chosen}", content)
            _warn_of_override(found, path, chosen)
    for name in _FOREIGN:
        path = joined(folder, name)
        if name not in names and found.files.kind(path) == "file":
            why = "Codex reads no file of this name"
            found.leave(path, "project", "foreign", why, found.files.read(path))
            if not chosen:
                found.warn("foreign", path, f"{why}; `project_doc_fallback_filenames` can name it")
    return chosen


def _warn_of_override(found: Gathered, path: str, chosen: str) -> None:
    if decoded(found.files.read(chosen).data).strip():
        found.warn("switched_off", path, f"is switched off by {chosen}")
    else:
        found.warn("blank_override", path, f"is switched off by {chosen}, which is blank")


def _load_project(found: Gathered, chosen: list[str], settings: CodexSettings) -> int:
    """Loads the files of a project until the budget is spent; returns what they come to."""
    contents = [(path, found.files.read(path)) for path in chosen]
    if not settings.is_trusted:
        for path, content in contents:
            found.leave(path, "project", "off", "the project is not trusted", content)
        if chosen:
            found.warn("untrusted", chosen[0], "is not loaded: the project is marked untrusted")
        return 0
    unreadable = [path for path, content in contents if content.trouble]
    remaining, total = settings.most_bytes, 0
    for path, content in contents:
        blank = not decoded(content.data[:remaining]).strip()
        if unreadable:
            why = f"Codex loads none of a project's files when it cannot read {unreadable[0]}"
            found.leave(path, "project", "off", why, content)
        elif remaining == 0:
            total += content.size
            _leave_beyond(found, path, settings)
        elif blank:
            found.leave(path, "project", "blank", "blank", content)
        else:
            total += content.size
            sent = content.data[:remaining]
            _load_one(found, path, sent, settings)
            remaining -= len(sent)
    return total


def _load_one(found: Gathered, path: str, sent: bytes, settings: CodexSettings) -> None:
    content = found.files.read(path)
    if len(sent) >= content.size:
        found.load(path, "project", content, "from the project's root down to here")
        return
    at, line = len(sent), line_at(content.data, len(sent))
    lost = content.size - at
    why = f"cut at byte {at:,}, in line {line:,}: {settings.most_bytes:,} bytes are all"
    found.load(path, "project", content, why, text=decoded(sent), cut_at=at)
    found.warn(
        "cut",
        path,
        f"is cut at byte {at:,}, in line {line:,}: its last {lost:,} bytes never reach Codex "
        f"(project_doc_max_bytes = {settings.most_bytes:,})",
    )


def _leave_beyond(found: Gathered, path: str, settings: CodexSettings) -> None:
    why = f"files before it use up all {settings.most_bytes:,} bytes"
    found.leave(path, "project", "beyond", why, found.files.read(path))
    found.warn("beyond", path, f"is not loaded: {why} (project_doc_max_bytes)")
