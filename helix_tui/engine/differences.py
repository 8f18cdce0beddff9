"""How the catalog's folder differs from what the journal says; only ever read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from helix_tui.config import Config
from helix_tui.curate.folder import HISTORY, PAGE, find
from helix_tui.curate.projection import Differences, compare
from helix_tui.schema.review import Line, PatternFiles


def differences_of(config: Config, lines: Sequence[Line]) -> Differences:
    """What is to be written, what was edited and what removed by hand."""
    root = config.curate.catalog_dir
    pages, histories = find(root, PAGE).texts, find(root, HISTORY).texts
    found = {
        name: PatternFiles(pages.get(name), histories.get(name, ""))
        for name in pages.keys() | histories.keys()
    }
    return compare(lines, _applied(config), found)


def applied_path(config: Config) -> Path:
    """The file with the number of the last line whose files are written."""
    journal = config.curate.review_log
    return journal.with_name(f"{journal.name}.applied")


def _applied(config: Config) -> int:
    try:
        return int(applied_path(config).read_text())
    except (FileNotFoundError, ValueError):
        return 0  # nothing is known to be written: what differs is looked at from the beginning
