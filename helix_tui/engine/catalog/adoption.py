"""Pages that a person put there: which may be taken over, and what that says of candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from helix_tui.config import Config
from helix_tui.schema.review import JournalLine, PatternFiles, PatternRef

if TYPE_CHECKING:
    from helix_tui.curate.journal.projection import Projection
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.engine.catalog.folder_differences import FoundFiles


def adopted_lines(
    config: Config, lines: Sequence[JournalLine], projection: Projection, found: FoundFiles
) -> Iterator[JournalLine]:
    """What the journal would say of pages that it does not know, were it opened for writing."""
    known = projection.files
    if not {name for name, files in found.files.items() if files.text is not None} - known.keys():
        return
    from helix_tui.curate.page.mistakes import BadFileError
    from helix_tui.engine.catalog.folder_differences import differences_of
    from helix_tui.errors import RefusedError

    made: list[JournalLine] = []
    differences = differences_of(config, lines, projection, found)
    for name, files in sorted(differences.edited.items()):
        if name in known:
            continue
        try:
            pattern = readable(name, files)
        except (BadFileError, RefusedError):
            continue  # told by `catalog check`, and by whoever writes
        at, author = pattern.provenance.at, pattern.provenance.author
        line = JournalLine(id=f"found-{name}", seq=0, at=at, author=author, action="edit")
        made.append(adopting(line, pattern, pattern.candidates))
    yield from sorted(made, key=adoption_order)


def adopting(line: JournalLine, pattern: Pattern, candidates: Sequence[str]) -> JournalLine:
    """An edit that counts as a verdict on the candidates of its page."""
    return msgspec.structs.replace(
        line, candidate=candidates[0], others=list(candidates), pattern=ref_of(pattern)
    )


def adoption_order(line: JournalLine) -> bool:
    """What is live goes behind what is not: of two pages that name a candidate it decides."""
    return line.pattern is None or line.pattern.status != "deprecated"


def readable(name: str, files: PatternFiles) -> Pattern:
    """A page that may be taken over with its history; what is wrong is told by file and line."""
    from helix_tui.curate.catalog.scan import history_refusals, page_refusals
    from helix_tui.curate.page.page import read_page
    from helix_tui.curate.page.versions import read_history
    from helix_tui.errors import RefusedError, RefusedPlace

    text, history = files.text or "", files.history
    pattern = read_page(text, name)
    read_history(history, name)
    places = [RefusedPlace(f"{name}.md", *one) for one in page_refusals(text)]
    places += [RefusedPlace(f"{name}.history.jsonl", *one) for one in history_refusals(history)]
    if places:
        raise RefusedError(places)
    return pattern


def ref_of(pattern: Pattern) -> PatternRef:
    """Which version of a pattern this is, and how it stands."""
    return PatternRef(pattern.id, pattern.version, pattern.status, pattern.distribution_ready)
