"""Check a catalog: every page, every history, and how they refer to each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from helix_tui.curate.catalog.folder import HISTORY, INDEX, PAGE, find_both, read_index
from helix_tui.curate.catalog.index import index_of, is_generated
from helix_tui.curate.catalog.scan import front_matter_of, history_refusals, page_refusals
from helix_tui.curate.page.front_matter import FrontMatter
from helix_tui.curate.page.mistakes import BadFileError
from helix_tui.curate.page.page import read_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.versions import compare_versions, read_history

_COMMENT = re.compile(r"(?m)(?:^|(?<=[ \t]))#.*$")
_MANY = 40  # how many `#` of a page are tried as the beginning of a comment
_REFERENCES = ("related", "supersedes", "superseded_by")


class Finding(NamedTuple):
    """Something in a catalog that a person should look at."""

    path: Path
    line: int
    reason: str
    level: Literal["error", "warning"]


class _Page(NamedTuple):
    path: Path
    pattern: Pattern
    head: str

    def line(self, *field: str | int) -> int:
        return FrontMatter(self.head, 2).line(field)


def check(root: Path) -> list[Finding]:
    """List everything wrong with the catalog in a folder, by file and line; change nothing."""
    (texts, bad_pages), (histories, bad_histories) = find_both(root)
    findings = [Finding(*bad, "error") for bad in (*bad_pages, *bad_histories)]
    pages: dict[str, _Page] = {}
    for name, text in texts.items():
        path = root / f"{name}{PAGE}"
        findings += [Finding(path, *refusal, "error") for refusal in page_refusals(text)]
        try:
            pages[name] = _Page(path, read_page(text, name), front_matter_of(text))
        except BadFileError as bad:
            findings += [Finding(path, *mistake, "error") for mistake in bad.mistakes]
    for name, text in histories.items():
        path = root / f"{name}{HISTORY}"
        findings += [Finding(path, *refusal, "error") for refusal in history_refusals(text)]
        findings += _history(path, text, name, pages.get(name))
        if name not in texts:
            findings.append(Finding(path, 1, "there is no pattern of which it is", "warning"))
    for page in pages.values():
        findings += _references(page, texts)
        findings += _comments(page)
    findings += [*_twice(pages), *_index(root, pages)]
    return sorted(set(findings))


def _history(path: Path, text: str, name: str, page: _Page | None) -> Iterator[Finding]:
    try:
        entries = read_history(text, name)
    except BadFileError as bad:
        yield from (Finding(path, *mistake, "error") for mistake in bad.mistakes)
        return
    if entries and page and compare_versions(entries[-1].version, page.pattern.version) >= 0:
        reason = f"version {entries[-1].version} is not below that of the page"
        last = text.rstrip().count("\n") + 1
        yield Finding(path, last, f"{reason}, {page.pattern.version}", "error")


def _references(page: _Page, names: Collection[str]) -> Iterator[Finding]:
    pattern = page.pattern
    for field in _REFERENCES:
        value: str | list[str] = getattr(pattern, field)
        several = enumerate(value) if isinstance(value, list) else [(None, value)] * bool(value)
        for number, name in several:
            place = (field,) if number is None else (field, number)
            if name == pattern.id:
                yield Finding(page.path, page.line(*place), f"`{field}` names itself", "error")
            elif name not in names:
                reason = f"`{field}` names {name}, which is no pattern here"
                yield Finding(page.path, page.line(*place), reason, "error")


def _twice(pages: dict[str, _Page]) -> Iterator[Finding]:
    """Find ids that differ only by case, and candidates that count in two patterns."""
    owners: dict[str, str] = {}
    spelled: dict[str, str] = {}
    for name, page in sorted(pages.items()):
        other = spelled.setdefault(name.casefold(), name)
        if other != name:
            reason = f"its id differs from {other} by capitals alone, which some disks do not tell"
            yield Finding(page.path, page.line("id"), reason, "error")
        if page.pattern.status == "deprecated":
            continue  # what replaced it may have its evidence
        for number, candidate in enumerate(page.pattern.candidates):
            other = owners.setdefault(candidate, name)
            if other != name:
                reason = f"candidate {candidate} is part of {other} as well"
                yield Finding(page.path, page.line("candidates", number), reason, "error")


def _comments(page: _Page) -> Iterator[Finding]:
    """Find comments in the front matter, which the next version would lose."""
    if "#" not in page.head:
        return
    values = FrontMatter(page.head, 2).values
    for match in list(_COMMENT.finditer(page.head))[:_MANY]:
        # Within a quoted text `#` begins no comment: without it the values would differ.
        without = page.head[: match.start()] + page.head[match.end() :]
        if FrontMatter(without, 2).values == values:
            line = page.head.count("\n", 0, match.start()) + 2
            reason = "this comment is lost when Helix writes the page again; put it below"
            yield Finding(page.path, line, reason, "warning")


def _index(root: Path, pages: dict[str, _Page]) -> Iterator[Finding]:
    current, is_other = read_index(root)
    if is_other or (current is not None and not is_generated(current)):
        return
    if current != index_of([page.pattern for page in pages.values()]):
        reason = "there is no index yet" if current is None else "the index is out of date"
        yield Finding(root / INDEX, 1, f"{reason}; the next verdict writes it", "warning")
