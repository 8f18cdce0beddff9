"""Read an agent's settings that are JSON, and say so where they cannot be read."""

from __future__ import annotations

import json
from typing import Any

from helix_tui.context.gather import Gathered, decoded


def read_json(found: Gathered, path: str) -> dict[str, Any]:
    """The settings of a file; empty where there are none or they cannot be read."""
    if found.files.kind(path) != "file":
        return {}
    content = found.files.read(path)
    try:
        settings = json.loads(decoded(content.data)) if not content.trouble else None
    except (ValueError, RecursionError) as error:
        found.warn("settings", path, f"is no JSON, so the settings of it are not known: {error}")
        return {}
    if not isinstance(settings, dict):
        why = content.trouble or "it is no object"
        found.warn("settings", path, f"cannot be read, so the settings of it are not known: {why}")
        return {}
    return settings


def table(settings: dict[str, Any], *names: str) -> dict[str, Any]:
    """An object within settings; empty where there is none."""
    value: object = settings
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
