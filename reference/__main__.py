"""`make docs`: writes every page that follows from a registry; `--to DIR` elsewhere."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from reference.commands import commands_page
from reference.json_page import json_page
from reference.settings import SHIPPED, config_file, settings_page
from reference.tables import exit_codes_page, keys_page

PROJECT = Path(__file__).parent.parent


def pages() -> dict[str, str]:
    """Every generated file by its path in the project."""
    return {
        "config.toml": config_file(),
        "docs/reference/commands.md": commands_page(),
        "docs/reference/configuration.md": settings_page(),
        "docs/reference/exit-codes.md": exit_codes_page(),
        "docs/reference/json.md": json_page(),
        "docs/reference/keys.md": keys_page(),
    }


def main(arguments: list[str]) -> None:
    """Write the pages into the project, or below the folder that `--to` names."""
    root = Path(arguments[1]) if arguments[:1] == ["--to"] else PROJECT
    for name, text in pages().items():
        path = root / name
        if path.name == "config.toml" and _has_own_settings(path):
            print(f"{path} has settings of your own and is left as it is")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path}")


def _has_own_settings(path: Path) -> bool:
    if not path.exists():
        return False
    found = tomllib.loads(path.read_text())
    return _set(found) != SHIPPED


def _set(section: dict[str, Any]) -> dict[str, Any]:
    """What a section sets; sections in it that set nothing are left out."""
    inner = {name: _set(one) if isinstance(one, dict) else one for name, one in section.items()}
    return {name: one for name, one in inner.items() if one != {}}


if __name__ == "__main__":
    main(sys.argv[1:])
