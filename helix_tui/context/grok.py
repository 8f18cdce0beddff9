"""What Grok Build loads: its own home and that of others, then every file of every folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.context.files import Content, Files
from helix_tui.context.gather import Asked, Gathered, decoded, down_from, joined, root_by
from helix_tui.context.globs import is_ignored_nearest
from helix_tui.context.grok_settings import VENDORS, GrokSettings, grok_settings
from helix_tui.context.markdown import front_matter
from helix_tui.schema.context import Context, FileScope

_NAMES = (
    "Agents.md",
    "Claude.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENT.md",
    "AGENTS.md",
    ".claude/CLAUDE.md",
    ".claude/CLAUDE.local.md",
)


class _Found(NamedTuple):
    path: str
    scope: FileScope
    is_rule: bool


def grok_context(asked: Asked, files: Files) -> Context:
    """The context of Grok Build in a folder."""
    gathered = Gathered(asked, files)
    home = asked.environ.get("GROK_HOME") or joined(asked.home, ".grok")
    root = root_by(files, asked.cwd, [".git"])
    settings = grok_settings(gathered, home, root)
    project = _not_ignored(gathered, _of_project(gathered, root, settings), root)
    listed = [*_of_user(gathered, home, settings), *_trusted(gathered, project, settings)]
    for one in _each_once(gathered, listed):
        _load(gathered, one)
    return gathered.context("\n\n".join(file.text for file in gathered.loaded))


def touched(asked: Asked, files: Files, path: str) -> list[str]:
    """The files that Grok Build names, and does not load, when a file below the folder is met."""
    cwd = asked.cwd
    folder = path.rpartition("/")[0]
    if folder == cwd or not folder.startswith(f"{cwd}/"):
        return []
    below = [one for one in down_from(cwd, folder) if one != cwd]
    return [
        joined(one, name)
        for one in below
        for name in _NAMES
        if files.kind(joined(one, name)) == "file"
    ]


def _of_user(found: Gathered, home: str, settings: GrokSettings) -> list[_Found]:
    """A person's own files, in the homes of all vendors and in the folders that settings name."""
    listed: list[_Found] = []
    own = found.asked.home
    for folder, vendor in (
        (home, VENDORS[0]),
        *((joined(own, name), name) for name in VENDORS[1:]),
    ):
        if settings.agents[vendor]:
            names = _names(settings) if vendor == VENDORS[0] else _NAMES
            listed += _named(found, folder, "user", names)
        if settings.rules[vendor]:
            listed += _rules(found, joined(folder, "rules"), "user")
    for folder in settings.rule_folders:
        listed += _rules(found, folder, "user")
    return listed


def _of_project(found: Gathered, root: str | None, settings: GrokSettings) -> list[_Found]:
    """The files of a project, from its root down."""
    listed: list[_Found] = []
    for folder in down_from(root, found.asked.cwd):
        listed += _named(found, folder, "project", _names(settings))
        for vendor in VENDORS:
            if settings.rules[vendor]:
                listed += _rules(found, joined(folder, f"{vendor}/rules"), "project")
    return listed


def _names(settings: GrokSettings) -> list[str]:
    """The names that count where no other vendor's folder has them."""
    return [name for name in _NAMES if settings.agents[".claude"] or name[0] != "."]


def _trusted(found: Gathered, listed: list[_Found], settings: GrokSettings) -> list[_Found]:
    """What of a project's files is left where its folder is not trusted."""
    if not listed or settings.is_trusted:
        return listed
    for one in listed:
        content = found.files.read(one.path)
        found.leave(one.path, one.scope, "off", "its folder is not trusted", content)
    found.warn(
        "untrusted",
        listed[0].path,
        "is not loaded, nor is anything of this project: its folder is not among those that you "
        "trust. Start Grok Build there and say yes, or with `--trust`",
    )
    return []


def _named(found: Gathered, folder: str, scope: FileScope, names: Sequence[str]) -> list[_Found]:
    listed = []
    for name in names:
        path = joined(folder, name)
        kind = found.files.kind(path)
        if kind == "file":
            local: FileScope = "local" if "local" in name and scope == "project" else scope
            listed.append(_Found(path, local, False))
        elif kind in ("other", "error"):
            found.leave(path, scope, "unreadable", "not a regular file", None)
    return listed


def _rules(found: Gathered, folder: str, scope: FileScope) -> list[_Found]:
    if found.files.kind(folder) != "folder":
        return []
    paths = [joined(folder, name) for name in found.files.names(folder)]
    listed = []
    for path in paths:
        if not path.lower().endswith(".md"):
            continue
        kind = found.files.kind(path)
        if kind == "file":
            listed.append(_Found(path, scope, True))
        elif kind != "folder":
            found.leave(path, scope, "unreadable", "not a regular file", None)
    return listed


def _not_ignored(found: Gathered, listed: list[_Found], root: str | None) -> list[_Found]:
    """Those that the .gitignore of the root leaves in."""
    path = joined(root, ".gitignore") if root is not None else ""
    if root is None or found.files.kind(path) != "file":
        return listed
    lines = decoded(found.files.read(path).data).splitlines()
    kept = []
    for one in listed:
        inside = one.path.removeprefix(joined(root, "").rstrip("/") + "/")
        if inside != one.path and is_ignored_nearest(lines, inside):
            content = found.files.read(one.path)
            found.leave(one.path, one.scope, "ignored", f"ignored by {path}", content)
            found.warn("ignored", one.path, f"is not loaded: {path} ignores it")
        else:
            kept.append(one)
    return kept


def _each_once(found: Gathered, listed: list[_Found]) -> list[_Found]:
    """Each file once, at its first place; one that is a project's too stands with the project."""
    by_file: dict[str, _Found] = {}
    for one in listed:
        real = found.files.real(one.path)
        before = by_file.get(real)
        if before is None:
            by_file[real] = one
            continue
        is_moved = before.scope == "user" and one.scope != "user"
        kept, doubled = (one, before) if is_moved else (before, one)
        if is_moved:
            del by_file[real]
        by_file[real] = kept._replace(is_rule=before.is_rule or one.is_rule)
        if doubled.path != kept.path:
            why = f"the same file as {kept.path}"
            found.leave(doubled.path, doubled.scope, "doubled", why, Content(b"", 0))
    return list(by_file.values())


def _load(found: Gathered, one: _Found) -> None:
    content = found.files.read(one.path)
    try:
        content.data.decode("utf-8")
    except UnicodeDecodeError as error:
        # One that was not read to its end may end within a character.
        if error.start < len(content.data) - 4 or content.size <= len(content.data):
            content = Content(content.data, content.size, "not valid UTF-8, which Grok Build skips")
    if content.trouble:
        found.leave(one.path, one.scope, "unreadable", content.trouble, content)
        return
    text = decoded(content.data)
    at = front_matter(text).body_at if one.is_rule else 0
    body = text[at:].strip() if at else text
    blanked = "\n" * text.count("\n", 0, at) + text[at:]
    where = "your own, in every project" if one.scope == "user" else "on the way to here"
    found.load(one.path, one.scope, content, where, text=body, source=blanked)
