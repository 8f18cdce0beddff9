"""Pages that a person edited after a verdict wrote them, as they are once it is undone."""

from __future__ import annotations

from collections.abc import Collection

from helix_tui.curate.draft.promote import KnownPattern, settle
from helix_tui.curate.journal.projection import Projection
from helix_tui.curate.page.page import known_page, write_page
from helix_tui.schema.review import JournalLine, Write


def pages_edited_since(
    projection: Projection, line: JournalLine, unreadable: Collection[str] = ()
) -> list[Write]:
    """Return the pages that undoing a verdict must write, because somebody edited them since.

    An edit is recorded as the whole page, with what the verdict had changed in it. So the page from
    before the verdict is merged with the edit: the person's words stay, and the rest goes back.
    Pages that a later verdict wrote are left as that one wanted them.
    """
    merged = (
        _without(projection, line, write)
        for write in line.writes
        if write.pattern not in unreadable
    )
    return [write for write in merged if write is not None]


def _without(projection: Projection, line: JournalLine, write: Write) -> Write | None:
    current = projection.files.get(write.pattern)
    before = projection.text_before(write.pattern, line.id)
    if (
        current is None
        or not (current.text and before and write.text)
        or not projection.is_only_edited_since(write.pattern, line.id)
    ):
        return None
    written, edited, earlier = (
        known_page(text, write.pattern) for text in (write.text, current.text, before)
    )
    known = KnownPattern(written, edited, is_status_by_hand=False)
    return Write(write.pattern, write_page(settle(known, earlier).pattern))
