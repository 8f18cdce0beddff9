"""How the catalog's folder differs from what the journal says; only ever read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.curate.folder import HISTORY, PAGE, BadFile, find, is_pattern_id
from helix_tui.curate.projection import Differences, compare
from helix_tui.regular import read_regular_text
from helix_tui.schema.review import Line, PatternFiles
from helix_tui.store.durable import told

# Stands for a page that is there and is no text; no page is empty.
_NO_TEXT = PatternFiles("", "")


class FoundFiles(NamedTuple):
    """The files of a catalog by the ids of patterns, and those that cannot be read as text."""

    files: dict[str, PatternFiles]
    bad: dict[str, BadFile]


def found_files(config: Config) -> FoundFiles:
    """What lies in the catalog's folder now."""
    root = config.curate.catalog_dir
    pages, histories = find(root, PAGE), find(root, HISTORY)
    files = {
        name: PatternFiles(pages.texts.get(name), histories.texts.get(name, ""))
        for name in pages.texts.keys() | histories.texts.keys()
    }
    bad = {
        name: one
        for suffix, several in ((HISTORY, histories.bad), (PAGE, pages.bad))
        for one in several
        if is_pattern_id(name := one.path.name.removesuffix(suffix))
    }
    return FoundFiles(files, bad)


def differences_of(
    config: Config, lines: Sequence[Line], found: FoundFiles | None = None
) -> Differences:
    """What is to be written, what was edited and what removed by hand.

    What is there and cannot be read counts as edited: nobody took it away.
    """
    files, bad = found or found_files(config)
    return compare(lines, applied_seq(config, lines), files | dict.fromkeys(bad, _NO_TEXT))


def applied_path(config: Config) -> Path:
    """The file with the number of the last line whose files are written."""
    journal = config.curate.review_log
    return journal.with_name(f"{journal.name}.applied")


def applied_text(line: Line) -> str:
    """What that file says: the line's number, and its id, as a journal may be begun anew."""
    return f"{line.seq} {line.id}\n"


def applied_seq(config: Config, lines: Sequence[Line]) -> int:
    """The number of the last line whose files are known to be written, or 0."""
    path = applied_path(config)
    try:
        with told(path):
            try:
                number, _, name = read_regular_text(path).strip().partition(" ")
            except FileNotFoundError:
                return 0
        seq = int(number)
    except ValueError:
        return 0  # nothing is known to be written: what differs is looked at from the beginning
    is_of_this = any(line.seq == seq and line.id == name for line in reversed(lines))
    return seq if is_of_this else 0
