"""The folder of the Pattern Catalog: its patterns, and the files that are to be there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from helix_tui.curate.catalog.folder import (
    HISTORY,
    INDEX,
    PAGE,
    BadFile,
    FolderTexts,
    find,
    is_pattern_id,
    read_index,
)
from helix_tui.curate.catalog.index import index_of, is_generated
from helix_tui.curate.catalog.scan import (
    history_faults,
    history_refusals,
    page_faults,
    page_refusals,
)
from helix_tui.curate.page.page import BadPageError, known_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.errors import NotFoundError, RefusedError, RefusedPlace
from helix_tui.files.durable import (
    remove_durably,
    remove_leftovers,
    sync_folder,
    told,
    write_atomically,
)
from helix_tui.schema.review import PatternFiles

# A catalog is shared through git; the umask takes away what somebody does not want shared.
_FOLDER_MODE = 0o755
_FILE_MODE = 0o644


class CatalogListing(NamedTuple):
    """The patterns of a catalog, and what cannot be read as one."""

    patterns: dict[str, Pattern]
    bad: list[BadFile]


class _Wanted(NamedTuple):
    path: Path
    text: str | None


class Catalog:
    """One folder with a page for each pattern, and a history for each that was changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._parsed: dict[str, tuple[str, Pattern | BadPageError]] = {}

    def texts(self) -> dict[str, str]:
        """The text of every page, by the id that its file is named after."""
        return find(self.root, PAGE).texts

    def histories(self) -> dict[str, str]:
        """The text of every history, by the id of its pattern."""
        return find(self.root, HISTORY).texts

    def read(self) -> CatalogListing:
        """Every pattern, and every page that cannot be read, with its mistakes."""
        texts, bad = find(self.root, PAGE)
        patterns: dict[str, Pattern] = {}
        for name, text in texts.items():
            found = self._parse(name, text)
            if isinstance(found, Pattern):
                patterns[name] = found
            else:
                path = self.root / f"{name}{PAGE}"
                bad += [BadFile(path, line, reason) for line, reason in found.mistakes]
        return CatalogListing(patterns, sorted(bad))

    def apply(
        self,
        projection: Mapping[str, PatternFiles],
        known: Collection[str],
        found: tuple[FolderTexts, FolderTexts] | None = None,
    ) -> list[Path]:
        """Makes the folder hold these files, and says which it wrote or took away.

        What is as it should be is not touched. Both files of a pattern stay as they are where they
        are there and their id is not `known`, so that they are a person's, and where one of them
        cannot be read or holds what may not be written. `found` are the pages and histories of the
        folder, where somebody has just read them.
        """
        pages, histories = found or (find(self.root, PAGE), find(self.root, HISTORY))
        wanted = self._differing(projection, known, pages, histories)
        _refuse(wanted)
        if self.root.is_dir():
            remove_leftovers(self.root)
        for change in wanted:
            _put(change)
        left = {**pages.texts, **{name: projection[name].text for name in _pages_of(wanted)}}
        index = self._index({name: text for name, text in left.items() if text is not None})
        for change in index:
            _put(change)
        touched = [change.path for change in (*wanted, *index)]
        if touched:
            with told(self.root):
                sync_folder(self.root)
        return touched

    def _differing(
        self,
        projection: Mapping[str, PatternFiles],
        known: Collection[str],
        pages: FolderTexts,
        histories: FolderTexts,
    ) -> list[_Wanted]:
        unreadable = {bad.path for bad in (*pages.bad, *histories.bad)}
        wanted: list[_Wanted] = []
        for name, files in sorted(projection.items()):
            if not is_pattern_id(name):
                raise NotFoundError("There is no pattern of that id.", "It cannot name a file.")
            page, history = (self.root / f"{name}{suffix}" for suffix in (PAGE, HISTORY))
            page_now, history_now = pages.texts.get(name), histories.texts.get(name)
            changes = []
            if (history_now or "") != files.history:
                changes.append(_Wanted(history, files.history or None))
            if page_now != files.text:
                changes.append(_Wanted(page, files.text))
            is_there = page_now is not None or history_now is not None
            is_kept = bool({page, history} & unreadable) or (
                bool(changes) and is_there and name not in known
            )
            if changes and not is_kept and not _faulty(name, page_now, history_now):
                wanted += changes
        return wanted

    def _index(self, texts: dict[str, str]) -> list[_Wanted]:
        now, is_other = read_index(self.root)
        if is_other or (now is not None and not is_generated(now)):
            return []
        parsed = [self._parse(name, text) for name, text in texts.items()]
        made = index_of([found for found in parsed if isinstance(found, Pattern)])
        return [_Wanted(self.root / INDEX, made)] if made != now else []

    def _parse(self, name: str, text: str) -> Pattern | BadPageError:
        known = self._parsed.get(name)
        if known is None or known[0] != text:
            found: Pattern | BadPageError
            try:
                found = known_page(text, name)
            except BadPageError as bad:
                found = bad
            self._parsed[name] = known = (text, found)
        return known[1]


def _pages_of(wanted: list[_Wanted]) -> list[str]:
    names = (change.path.name for change in wanted)
    return [name.removesuffix(PAGE) for name in names if name.endswith(PAGE)]


def _faulty(name: str, page: str | None, history: str | None) -> bool:
    return bool(
        (page is not None and page_faults(page, name))
        or (history is not None and history_faults(history, name))
    )


def _refuse(wanted: list[_Wanted]) -> None:
    places = []
    for path, text in wanted:
        if text is not None:
            scan = page_refusals if path.name.endswith(PAGE) else history_refusals
            places += [RefusedPlace(path.name, line, what) for line, what in scan(text)]
    if places:
        raise RefusedError(places)


def _put(change: _Wanted) -> None:
    path, text = change
    if text is None:
        remove_durably(path, is_folder_synced=False)
        return
    _make_folder(path.parent)
    write_atomically(path, text.encode(), _FILE_MODE, is_folder_synced=False)


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    with told(folder):
        if not folder.parent.is_dir():
            _make_folder(folder.parent)
        folder.mkdir(_FOLDER_MODE, exist_ok=True)
        sync_folder(folder.parent)
