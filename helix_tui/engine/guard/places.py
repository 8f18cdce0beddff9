"""Where guards keep their files, and which pages have one; it loads nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from helix_tui.schema.review import PatternFiles

# The script has these names too: it loads as little as it can, and nothing loads it.
_FOLDER = "guard"
_SWITCHED_ON = "\nguard: "


def rules_path(store: Path) -> Path:
    """The rules that the script answers by."""
    return store / _FOLDER / "rules.json"


def fired_path(store: Path) -> Path:
    """The ledger of what it answered."""
    return store / _FOLDER / "fired.jsonl"


def guarded_pages(files: Iterable[tuple[str, PatternFiles]]) -> list[tuple[str, str]]:
    """The pages with a guard, by their text: most catalogs have none, and no other is parsed."""
    return [(name, one.text) for name, one in files if one.text and _SWITCHED_ON in one.text]
