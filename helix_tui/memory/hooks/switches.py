"""Settings with which a person switches an agent's hooks off."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from helix_tui.files.regular import read_regular, read_regular_text

_CLAUDE = ("settings.json", "settings.local.json")


def switched_off(flavor: str, root: Path) -> str:
    """Which setting below an agent's root switches its hooks off; empty where none does.

    A file that cannot be read is ignored: the check of the file itself reports it.
    """
    if flavor == "claude":
        return next(filter(None, map(_claude, (root / name for name in _CLAUDE))), "")
    return _codex(root / "config.toml") if flavor == "codex" else ""


def _claude(path: Path) -> str:
    try:
        settings = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return ""
    is_off = isinstance(settings, dict) and settings.get("disableAllHooks") is True
    return f"disableAllHooks in {path}" if is_off else ""


def _codex(path: Path) -> str:
    try:
        features = tomllib.loads(read_regular_text(path)).get("features")
    except (OSError, ValueError, RecursionError):
        return ""
    if isinstance(features, dict):
        for name in ("hooks", "codex_hooks"):
            if features.get(name) is False:
                return f"features.{name} = false in {path}"
    return ""
