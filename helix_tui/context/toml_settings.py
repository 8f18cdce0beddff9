"""Settings that agents keep as TOML."""

from __future__ import annotations

import tomllib
from typing import Any

from helix_tui.context.gather import Gathered, decoded


def read_toml(found: Gathered, path: str) -> dict[str, Any]:
    """Read a file of settings; nothing where it is not there or, with a warning, no TOML."""
    if found.files.kind(path) != "file":
        return {}
    content = found.files.read(path)
    if content.trouble:
        found.warn("settings", path, f"cannot be read: {content.trouble}")
        return {}
    try:
        return tomllib.loads(decoded(content.data))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found.warn("settings", path, f"is no TOML, so the settings of it are not known: {error}")
        return {}
