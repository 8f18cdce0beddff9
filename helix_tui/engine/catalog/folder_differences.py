"""How the catalog's folder differs from what the journal says; only ever read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.curate.catalog.folder import (
    HISTORY,
    PAGE,
    BadFile,
    FolderTexts,
    find_both,
    is_pattern_id,
)
from helix_tui.curate.journal.projection import Differences, Projection, compare
from helix_tui.files.durable import told
from helix_tui.files.regular import read_regular_text
from helix_tui.schema.review import JournalLine, PatternFiles

# Stands for a page that is there and is no text; no page is empty.
_NO_TEXT = PatternFiles("", "")


class FoundFiles(NamedTuple):
    """The files of a catalog by the ids of patterns, and those that cannot be read as text."""

    files: dict[str, PatternFiles]
    bad: dict[str, BadFile]
    pages: FolderTexts
    histories: FolderTexts


def found_files(config: Config) -> FoundFiles:
    """What lies in the catalog's folder now."""
    root = config.curate.catalog_dir
    pages, histories = find_both(root)
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
    return FoundFiles(files, bad, pages, histories)


def differences_of(
    config: Config,
    lines: Sequence[JournalLine],
    projection: Projection | None = None,
    found: FoundFiles | None = None,
) -> Differences:
    """What is to be written, what was edited and what removed by hand.

    What is there and cannot be read counts as edited: nobody took it away.
    """
    found = found or found_files(config)
    known = applied(config, lines)
    there = found.files | dict.fromkeys(found.bad, _NO_TEXT)
    return compare(projection or Projection(lines), known.lines, there, known.written)


class Applied(NamedTuple):
    """How many of the journal's lines have their files, and what was written here, by mark.

    `written` is None where that is not known.
    """

    lines: int
    written: dict[str, str] | None


def applied_path(config: Config) -> Path:
    """The file that says of which lines the files are written."""
    journal = config.curate.review_log
    return journal.with_name(f"{journal.name}.applied")


def applied_text(line: JournalLine, written: Mapping[str, str]) -> str:
    """What that file says: the last line's number and id, then every file as it was written.

    The id, as a journal may be begun anew; the files, as git may merge two journals.
    """
    rows = (f"{name} {mark}\n" for name, mark in sorted(written.items()))
    return f"{line.seq} {line.id}\n{''.join(rows)}"


def applied(config: Config, lines: Sequence[JournalLine]) -> Applied:
    """What is known to be written; nothing where that cannot be read or is of another journal."""
    path = applied_path(config)
    with told(path):
        try:
            head, *rows = read_regular_text(path, "replace").split("\n")
        except FileNotFoundError:
            return Applied(0, None)
    seq, _, name = head.strip().partition(" ")
    for count in range(len(lines), 0, -1):
        if lines[count - 1].id == name and str(lines[count - 1].seq) == seq:
            written = dict(row.split(" ", 1) for row in rows if " " in row)
            return Applied(count, written or None)
    return Applied(0, None)
