"""The catalog as commands read it: from its files and the journal alone, without a store."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog, CatalogListing
from helix_tui.curate.catalog.check import Finding, check
from helix_tui.curate.catalog.folder import PAGE, find, is_pattern_id
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project, version_of
from helix_tui.curate.page.mistakes import BadFileError, Mistake
from helix_tui.curate.page.page import read_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.pattern_json import pattern_json
from helix_tui.curate.page.versions import read_history
from helix_tui.engine.catalog.adoption import readable
from helix_tui.engine.catalog.folder_differences import differences_of, found_files
from helix_tui.errors import NotFoundError, RefusedError, UsageError
from helix_tui.files.durable import told
from helix_tui.files.ledger import DamagedLine
from helix_tui.schema.review import PatternFiles

__all__ = ["CatalogReader", "Compared", "Edition", "Soundness", "pattern_json"]

_NAMED = 8


class Edition(NamedTuple):
    """One version of a pattern: since when, by whom, and its page."""

    version: str
    at: str | None
    author: str | None
    is_current: bool
    text: str


class Compared(NamedTuple):
    """Two versions of a page and what lies between them, as a unified diff."""

    pattern: str
    before: str | None
    after: str
    diff: str


class Soundness(NamedTuple):
    """What is wrong with a catalog, and how it differs from the journal.

    `edited` are pages that a person changed since Helix last wrote them, `unknown` such that the
    journal has never seen, `removed` such that are gone; the next verdict takes note of these.
    `unfinished` are files that it will write. `damaged` and `newer` are lines of the journal.
    """

    findings: list[Finding]
    edited: list[str]
    unknown: list[str]
    removed: list[str]
    unfinished: list[str]
    damaged: list[DamagedLine]
    newer: list[DamagedLine]

    def has_errors(self) -> bool:
        """Whether somebody has to do something about it."""
        return bool(self.damaged) or any(one.level == "error" for one in self.findings)


class CatalogReader:
    """The patterns of one catalog, for reading, and for writing again what is missing."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.root = config.curate.catalog_dir
        self._catalog = Catalog(self.root)

    def listing(self) -> CatalogListing:
        """Every pattern, and every file that cannot be read as one."""
        return self._catalog.read()

    def path_of(self, name: str) -> Path:
        """Where the page of a pattern is."""
        return self.root / f"{name}{PAGE}"

    def pattern(self, name: str) -> tuple[Pattern, str]:
        """A pattern and its page, by its id, that of a candidate in it, or the beginning of one."""
        pages = find(self.root, PAGE)
        own = self._named(name, pages.texts)
        unreadable = [bad for bad in pages.bad if bad.path == self.path_of(own)]
        if unreadable:
            raise BadFileError(
                f"{own}{PAGE}", [Mistake(bad.line, bad.reason) for bad in unreadable]
            )
        if own not in pages.texts:
            raise _unknown(name)
        return read_page(pages.texts[own], own), pages.texts[own]

    def editions(self, name: str) -> list[Edition]:
        """The versions of a pattern, the oldest first; one whose page is gone has older ones."""
        pages, histories = self._catalog.texts(), self._catalog.histories()
        own = self._named(name, {**histories, **pages})
        entries = read_history(histories.get(own, ""), own)
        if not entries and own not in pages:
            raise _unknown(name)
        texts = [(entry.version, entry.text) for entry in entries]
        if own in pages:
            texts.append((version_of(pages[own]), pages[own]))
        since = [_approved(texts[0][1], own), *((entry.at, entry.author) for entry in entries)]
        last = len(texts) - 1
        return [
            Edition(version, *made, own in pages and number == last, text)
            for number, ((version, text), made) in enumerate(zip(texts, since, strict=False))
        ]

    def compared(self, name: str, before: str = "", after: str = "") -> Compared:
        """What lies between two versions: the last two, or from a named one to the last.

        What a person changed since Helix last wrote the page goes before the last two.
        """
        own = self._named(name, [*self._catalog.histories(), *self._catalog.texts()])
        if not before and not after and (edited := self._edited(own)) is not None:
            return edited
        editions = self.editions(own)
        new = _edition(editions, after) if after else editions[-1]
        if before:
            old: Edition | None = _edition(editions, before)
        else:
            place = editions.index(new)
            old = editions[place - 1] if place else None
        if old is None:
            return Compared(own, None, new.version, "")
        diff = _diff(old.text, new.text, f"{own} {old.version}", f"{own} {new.version}")
        return Compared(own, old.version, new.version, diff)

    def _edited(self, own: str) -> Compared | None:
        """What a person changed in a page that Helix wrote, and no verdict took note of yet."""
        lines = Journal(self.config.curate.review_log).lines().lines
        written = project(lines).get(own)
        now = differences_of(self.config, lines).edited.get(own)
        if written is None or written.text is None or now is None or now.text is None:
            return None
        before, after = version_of(written.text), version_of(now.text)
        diff = _diff(written.text, now.text, f"{own} {before}", f"{own} {after}, changed by hand")
        return Compared(own, before, after, diff)

    def soundness(self) -> Soundness:
        """Looks at every file and every line of the journal, and changes nothing."""
        read = Journal(self.config.curate.review_log).lines()
        there = found_files(self.config)
        # A file that cannot be read is told as such; it is neither gone nor changed.
        unreadable = there.bad.keys()
        differences = differences_of(self.config, read.lines, found=there)
        known = {write.pattern for line in read.lines for write in line.writes}
        edited = sorted(
            name
            for name, files in differences.edited.items()
            if name not in unreadable and _is_taken_over(name, files)
        )
        return Soundness(
            check(self.root),
            [name for name in edited if name in known],
            [name for name in edited if name not in known],
            sorted(differences.removed - unreadable),
            sorted(differences.unfinished - unreadable),
            read.damaged,
            read.unknown,
        )

    def restore(self) -> list[Path]:
        """Writes the files that the journal says should be there and that are not."""
        log = self.config.curate.review_log
        if not log.exists():
            return []
        journal = Journal(log)
        with journal.locked():
            pages, histories = self._catalog.texts(), self._catalog.histories()
            wanted = {
                name: PatternFiles(
                    pages.get(name, files.text), histories.get(name) or files.history
                )
                for name, files in project(journal.lines().lines).items()
            }
            return self._catalog.apply(wanted, wanted.keys())

    def restore_to(self, folder: Path) -> list[Path]:
        """Writes all that the journal says should be there into an empty folder."""
        folder = folder.absolute()
        with told(folder):
            if folder.exists() and not folder.is_dir():
                raise UsageError(f"{folder} is no folder.", "Name a new or an empty one.")
            if folder.is_dir() and any(folder.iterdir()):
                raise UsageError(f"{folder} is not empty.", "Name a new or an empty one.")
        wanted = project(Journal(self.config.curate.review_log).lines().lines)
        return Catalog(folder).apply(wanted, wanted.keys()) if wanted else []

    def _named(self, name: str, known: Sequence[str] | dict[str, str]) -> str:
        """The id that a name means; a hostile one is as unknown as any other."""
        if not is_pattern_id(name):
            raise _unknown(name)
        if name in known or self.path_of(name).exists():
            return name
        patterns = self.listing().patterns
        parts = sorted(one.id for one in patterns.values() if name in one.candidates)
        names = parts or sorted({other for other in known if other.startswith(name)})
        if not names:
            raise _unknown(name)
        if len(names) > 1:
            several = f": {', '.join(names)}" if len(names) <= _NAMED else ""
            raise NotFoundError(f"{name!r} fits several patterns{several}.", "Say more of the id.")
        return names[0]


def _is_taken_over(name: str, files: PatternFiles) -> bool:
    """Whether the next verdict takes in what somebody wrote; else the file is in the findings."""
    try:
        readable(name, files)
    except (BadFileError, RefusedError):
        return False
    return True


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(f"There is no pattern {name!r}.", "`helix catalog list` shows them.")


def _diff(before: str, after: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), old, new, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _approved(text: str, name: str) -> tuple[str | None, str | None]:
    """When and by whom a first version was approved, as its page says."""
    try:
        provenance = read_page(text, name).provenance
    except BadFileError:
        return None, None
    return provenance.at, provenance.author


def _edition(editions: Sequence[Edition], version: str) -> Edition:
    edition = next((one for one in reversed(editions) if one.version == version), None)
    if edition is None:
        there = ", ".join(one.version for one in editions[-_NAMED:])
        raise NotFoundError(f"There is no version {version!r}.", f"There is {there}.")
    return edition
