"""What a person did to files of the catalog, as lines of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.curate.journal.projection import Differences
from helix_tui.curate.page.mistakes import BadFileError
from helix_tui.curate.page.page import known_page
from helix_tui.engine.catalog.adoption import adopting, adoption_order, readable
from helix_tui.errors import RefusedError
from helix_tui.schema.review import JournalLine, PatternFiles, Write

if TYPE_CHECKING:
    from helix_tui.engine.review.transaction import ReviewTransaction


def lines_by_hand(transaction: ReviewTransaction, differences: Differences) -> list[JournalLine]:
    """The lines that take note of what a person did to files.

    What cannot be read or may not be kept is a notice, and bad from then on.
    """
    edits = [
        line
        for name, files in sorted(differences.edited.items())
        if name not in transaction.bad and (line := _edited(transaction, name, files)) is not None
    ]
    removed = [
        transaction.line("edit", writes=[Write(name, None)]) for name in sorted(differences.removed)
    ]
    return [*sorted(edits, key=adoption_order), *removed]


def _edited(transaction: ReviewTransaction, name: str, files: PatternFiles) -> JournalLine | None:
    try:
        pattern = readable(name, files)
    except (BadFileError, RefusedError) as error:
        transaction.bad[name] = error
        transaction.notices.append(str(error))
        return None
    write = Write(name, files.text, files.history)
    if name not in transaction.files:
        return adopting(transaction.line("edit", writes=[write]), pattern, pattern.candidates)
    # Whom a page names that nobody here has decided on was approved by whoever put it there.
    before = transaction.files[name].text
    known = known_page(before, name).candidates if before else ()
    news = [
        one
        for one in pattern.candidates
        if one not in known and not transaction.state.is_known(one)
    ]
    line = transaction.line("edit", writes=[write])
    return adopting(line, pattern, news) if news else line
