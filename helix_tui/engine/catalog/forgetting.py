"""What catalog and journal still quote of forgotten sessions, and taking it out of them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import msgspec

from helix_tui.config import Config
from helix_tui.curate.catalog.folder import PAGE
from helix_tui.curate.journal.forgetting import count_excerpts, with_version, without_excerpts
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project, version_of
from helix_tui.curate.page.versions import bump, history_line
from helix_tui.engine.catalog.folder_differences import found_files
from helix_tui.engine.review.transaction import ReviewTransaction, review_transaction
from helix_tui.schema.review import JournalLine, PatternFiles, Write
from helix_tui.text.human import plural


class CitingPage(NamedTuple):
    """A page that quotes a session: how often now, and in which versions before."""

    id: str
    path: str
    version: str
    excerpts: int
    versions: list[str]


class Cited(NamedTuple):
    """Where sessions are quoted: pages, lines of the journal, and whether git knows the pages."""

    pages: list[CitingPage]
    lines: int
    is_in_git: bool

    @property
    def is_any(self) -> bool:
        """Whether anything is left to take out."""
        return bool(self.pages or self.lines)


class TakenOut(NamedTuple):
    """What was taken out of pages (by id, with the new version), and what one should know."""

    versions: dict[str, str]
    lines: int
    notices: list[str]


def where_cited(config: Config, sessions: Collection[str]) -> Cited:
    """Where these sessions are quoted; nothing is written for that."""
    root = config.curate.catalog_dir
    pages = []
    for name, files in sorted(found_files(config).files.items()):
        before = [version for version, text in _versions(files) if count_excerpts(text, sessions)]
        now = count_excerpts(files.text or "", sessions)
        if now or before:
            version = version_of(files.text or "")
            pages.append(CitingPage(name, str(root / f"{name}{PAGE}"), version, now, before))
    lines = len(Journal(config.curate.review_log).masked_lines(sessions))
    return Cited(pages, lines, _is_in_git(root) or _is_in_git(config.curate.review_log.parent))


def take_out(config: Config, sessions: Collection[str]) -> TakenOut:
    """Takes the excerpts of these sessions out of every page, version and line of the journal.

    A page that quotes them now gets a new version. All of the journal changes in one step, with a
    line at its end that says so; what is cut off behind it is ended like any verdict.
    """
    journal = Journal(config.curate.review_log)
    with review_transaction(config) as transaction:
        changed = journal.masked_lines(sessions)
        if not changed:
            return TakenOut({}, 0, transaction.notices)
        lines = [msgspec.json.decode(data, type=JournalLine) for data in changed.values()]
        line, versions = _masking(transaction, sessions, {line.id: line for line in lines})
        message = f"excerpts of a forgotten session taken out of {plural(len(versions), 'page')}"
        transaction.mask(changed, line, message)
        return TakenOut(versions, len(changed), transaction.notices)


def _masking(
    transaction: ReviewTransaction, sessions: Collection[str], changed: dict[str, JournalLine]
) -> tuple[JournalLine, dict[str, str]]:
    """The line that says which others were masked, with the pages that get a new version by it."""
    before = transaction.files
    after = project([changed.get(line.id, line) for line in transaction.lines])
    line = transaction.line("edit", note=_NOTE, masked=list(changed))
    writes, versions = [], {}
    for name, files in after.items():
        was = before[name].text
        if files.text is None or was is None or not count_excerpts(was, sessions):
            continue
        old = version_of(files.text)
        new = bump(old, "patch")
        history = history_line(files.text, old, new, line.at, line.author)
        text = with_version(without_excerpts(files.text, sessions), new)
        writes.append(Write(name, text, files.history + history))
        versions[name] = new
    return msgspec.structs.replace(line, writes=writes), versions


_NOTE = "excerpts of a forgotten session were taken out"


def _versions(files: PatternFiles) -> list[tuple[str, str]]:
    """The versions of a page before this one; what is none is told by `helix catalog check`."""
    versions = []
    for row in files.history.split("\n"):
        try:
            row_values = msgspec.json.decode(row)
            versions.append((str(row_values["version"]), str(row_values["text"])))
        except (msgspec.DecodeError, TypeError, KeyError):
            continue
    return versions


def _is_in_git(folder: Path) -> bool:
    return any((one / ".git").exists() for one in (folder.absolute(), *folder.absolute().parents))
