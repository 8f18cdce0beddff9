"""What Grok Build loads: its own home and that of others, then every file of every folder."""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple

from helix_tui.context.files import Content, Files
from helix_tui.context.gather import Asked, Gathered, decoded, down_from, joined, root_by
from helix_tui.context.globs import is_ignored
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
_VENDORS = (".grok", ".claude", ".cursor")


class _Found(NamedTuple):
    path: str
    scope: FileScope
    is_rule: bool


class _Compat(NamedTuple):
    """Which files of other agents are taken as well, by vendor."""

    agents: dict[str, bool]
    rules: dict[str, bool]


def grok_context(asked: Asked, files: Files) -> Context:
    """The context of Grok Build in a folder."""
    found = Gathered(asked, files)
    home = asked.environ.get("GROK_HOME") or joined(asked.home, ".grok")
    compat = _compat(found, joined(home, "config.toml"))
    root = root_by(files, asked.cwd, [".git"])
    candidates = _candidates(found, asked, home, root, compat)
    for one in _each_once(found, _not_ignored(found, candidates, root)):
        _load(found, one)
    return found.context("\n\n".join(file.text for file in found.loaded))


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


def _candidates(
    found: Gathered, asked: Asked, home: str, root: str | None, compat: _Compat
) -> list[_Found]:
    listed: list[_Found] = []
    homes = [(home, ".grok"), *((joined(asked.home, name), name) for name in _VENDORS[1:])]
    for folder, vendor in homes:
        if compat.agents.get(vendor, True):
            listed += _named(found, folder, "user", compat)
        if compat.rules.get(vendor, True):
            listed += _rules(found, joined(folder, "rules"), "user")
    for folder in down_from(root, asked.cwd):
        listed += _named(found, folder, "project", compat)
        for vendor in _VENDORS:
            if compat.rules.get(vendor, True):
                listed += _rules(found, joined(folder, f"{vendor}/rules"), "project")
    return listed


def _named(found: Gathered, folder: str, scope: FileScope, compat: _Compat) -> list[_Found]:
    listed = []
    for name in _NAMES:
        path = joined(folder, name)
        kind = found.files.kind(path)
        if name.startswith(".claude/") and not compat.agents.get(".claude", True):
            continue
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
        if inside != one.path and is_ignored(lines, inside):
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


def _compat(found: Gathered, path: str) -> _Compat:
    """What Grok's settings say of other agents' files: all are taken unless they say otherwise."""
    compat = _Compat({}, {})
    if found.files.kind(path) != "file":
        return compat
    try:
        settings: dict[str, Any] = tomllib.loads(decoded(found.files.read(path).data))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found.warn("settings", path, f"is no TOML, so the settings of it are not known: {error}")
        return compat
    vendors = settings.get("compat")
    for name, cells in vendors.items() if isinstance(vendors, dict) else ():
        if isinstance(cells, dict):
            compat.agents[f".{name}"] = cells.get("agents") is not False
            compat.rules[f".{name}"] = cells.get("rules") is not False
    return compat
