"""The settings of Grok Build that decide what it loads, read as Grok Build reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

from helix_tui.context.gather import Gathered, joined
from helix_tui.context.toml_settings import read_toml
from helix_tui.context.versions import numbers_of

VENDORS = (".grok", ".claude", ".cursor")
# The first version that was seen to load nothing of a project before somebody trusts its folder.
_FIRST_WITH_TRUST = (1, 0, 41)
_OFF = frozenset({"0", "false", "no", "off"})


class GrokSettings(NamedTuple):
    """Whose files are taken as well, which folders of rules besides, and if a project counts."""

    # By vendor, whether its named files and its rules are taken.
    agents: dict[str, bool]
    rules: dict[str, bool]
    rule_folders: tuple[str, ...] = ()
    is_trusted: bool = True


def grok_settings(found: Gathered, home: str, root: str | None) -> GrokSettings:
    """The settings in force; the environment counts before the file."""
    asked = found.asked
    settings = read_toml(found, joined(home, "config.toml"))
    compat = _table(settings, "compat")
    agents, rules = (
        {
            vendor: _is_on(
                asked.environ.get(f"GROK_{vendor[1:].upper()}_{surface.upper()}_ENABLED"),
                _table(compat, vendor[1:]).get(surface),
            )
            for vendor in VENDORS
        }
        for surface in ("agents", "rules")
    )
    listed = _table(settings, "paths").get("extra_rule_dirs")
    folders = (_absolute(one, asked.home) for one in listed) if isinstance(listed, list) else ()
    gate = _table(settings, "folder_trust").get("enabled")
    is_trusted = _is_trusted(found, home, root or asked.cwd, gate)
    return GrokSettings(agents, rules, tuple(one for one in folders if one), is_trusted)


def _is_trusted(found: Gathered, home: str, folder: str, gate: object) -> bool:
    """Whether a project's folder counts as trusted.

    Versions that never ask keep no file of what was answered, so without a version that decides.
    """
    asked = found.asked
    store = joined(home, "trusted_folders.toml")
    version = numbers_of(asked.version)
    is_asked = version >= _FIRST_WITH_TRUST if version else found.files.kind(store) == "file"
    if not is_asked or not _is_on(asked.environ.get("GROK_FOLDER_TRUST"), gate):
        return True
    answers = _table(read_toml(found, store), "folders")
    return any(
        _table(answers, one).get("trusted") is True for one in (folder, found.files.real(folder))
    )


def _is_on(variable: str | None, setting: object) -> bool:
    if variable:
        return variable.strip().lower() not in _OFF
    return setting is not False


def _absolute(folder: object, home: str) -> str:
    """An absolute folder; empty where it is none, since Grok Build takes no others."""
    if not isinstance(folder, str):
        return ""
    path = joined(home, folder[2:]) if folder.startswith("~/") else folder
    return path.rstrip("/") if path.startswith("/") else ""


def _table(settings: dict[str, Any], name: str) -> dict[str, Any]:
    value = settings.get(name)
    return value if isinstance(value, dict) else {}
