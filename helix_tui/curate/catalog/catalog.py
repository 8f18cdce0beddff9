"""Read the patterns of a catalog folder, and write the files that should be in it."""

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
    find_both,
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

# A catalog is shared through git; the umask removes what somebody does not want shared.
_FOLDER_MODE = 0o755
_FILE_MODE = 0o644


class CatalogListing(NamedTuple):
    """The patterns of a catalog, and the files that cannot be read as one."""

    patterns: dict[str, Pattern]
    bad: list[BadFile]


class _FileChange(NamedTuple):
    path: Path
    text: str | None


class Catalog:
    """A folder with a page for each pattern, and a history for each pattern that has changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._parsed: dict[str, tuple[str, Pattern | BadPageError]] = {}

    def texts(self) -> dict[str, str]:
        """Return the text of every page, by the id that its file is named after."""
        return find(self.root, PAGE).texts

    def histories(self) -> dict[str, str]:
        """Return the text of every history, by the id of its pattern."""
        return find(self.root, HISTORY).texts

    def read(self) -> CatalogListing:
        """Read every pattern, and list the mistakes of every page that cannot be read."""
        texts, bad = find(self.root, PAGE)
        patterns: dict[str, Pattern] = {}
        for name, text in texts.items():
            parsed = self._parse(name, text)
            if isinstance(parsed, Pattern):
                patterns[name] = parsed
            else:
                path = self.root / f"{name}{PAGE}"
                bad += [BadFile(path, line, reason) for line, reason in parsed.mistakes]
        return CatalogListing(patterns, sorted(bad))

    def apply(
        self,
        projection: Mapping[str, PatternFiles],
        known_ids: Collection[str],
        found: tuple[FolderTexts, FolderTexts] | None = None,
    ) -> list[Path]:
        """Make the folder hold these files, and return the paths written or removed.

        Files that are already right are not touched. Both files of a pattern are left alone where
        they exist and their id is not in `known_ids` (a person put them there), and where one of
        them cannot be read or holds something that may not be written. `found` are the pages and
        histories of the folder, where the caller has just read them.
        """
        pages, histories = found or find_both(self.root)
        changes = self._differing(projection, known_ids, pages, histories)
        _refuse(changes)
        if self.root.is_dir():
            remove_leftovers(self.root)
        for change in changes:
            _put(change)
        page_texts = {**pages.texts, **{name: projection[name].text for name in _pages_of(changes)}}
        index = self._index({name: text for name, text in page_texts.items() if text is not None})
        for change in index:
            _put(change)
        touched = [change.path for change in (*changes, *index)]
        if touched:
            with told(self.root):
                sync_folder(self.root)
        return touched

    def _differing(
        self,
        projection: Mapping[str, PatternFiles],
        known_ids: Collection[str],
        pages: FolderTexts,
        histories: FolderTexts,
    ) -> list[_FileChange]:
        unreadable = {bad.path.name for bad in (*pages.bad, *histories.bad)}
        differing: list[_FileChange] = []
        for name, files in sorted(projection.items()):
            if not is_pattern_id(name):
                raise NotFoundError("There is no pattern of that id.", "It cannot name a file.")
            page_now, history_now = pages.texts.get(name), histories.texts.get(name)
            has_history, has_page = (history_now or "") == files.history, page_now == files.text
            if has_history and has_page:
                continue
            page, history = f"{name}{PAGE}", f"{name}{HISTORY}"
            is_present = page_now is not None or history_now is not None
            is_kept = not unreadable.isdisjoint((page, history)) or (
                is_present and name not in known_ids
            )
            if is_kept or _has_faults(name, page_now, history_now):
                continue
            if not has_history:
                differing.append(_FileChange(self.root / history, files.history or None))
            if not has_page:
                differing.append(_FileChange(self.root / page, files.text))
        return differing

    def _index(self, texts: dict[str, str]) -> list[_FileChange]:
        current, is_other = read_index(self.root)
        if is_other or (current is not None and not is_generated(current)):
            return []
        parsed = [self._parse(name, text) for name, text in texts.items()]
        index = index_of([page for page in parsed if isinstance(page, Pattern)])
        return [_FileChange(self.root / INDEX, index)] if index != current else []

    def _parse(self, name: str, text: str) -> Pattern | BadPageError:
        cached = self._parsed.get(name)
        if cached is None or cached[0] != text:
            parsed: Pattern | BadPageError
            try:
                parsed = known_page(text, name)
            except BadPageError as bad:
                parsed = bad
            self._parsed[name] = cached = (text, parsed)
        return cached[1]


def _pages_of(changes: list[_FileChange]) -> list[str]:
    names = (change.path.name for change in changes)
    return [name.removesuffix(PAGE) for name in names if name.endswith(PAGE)]


def _has_faults(name: str, page: str | None, history: str | None) -> bool:
    return bool(
        (page is not None and page_faults(page, name))
        or (history is not None and history_faults(history, name))
    )


def _refuse(changes: list[_FileChange]) -> None:
    places = []
    for path, text in changes:
        if text is not None:
            scan = page_refusals if path.name.endswith(PAGE) else history_refusals
            places += [RefusedPlace(path.name, line, reason) for line, reason in scan(text)]
    if places:
        raise RefusedError(places)


def _put(change: _FileChange) -> None:
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
