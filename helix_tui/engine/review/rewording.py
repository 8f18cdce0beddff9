"""Other words for a card: those of the drafting program, or of the reviewer in an editor."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.curate.page.page import read_page, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.errors import RefusedError, RefusedPlace
from helix_tui.schema.board import ApprovalPreview
from helix_tui.schema.curation import CurateSettings
from helix_tui.text.refuse import refusals


def pattern_of(preview: ApprovalPreview) -> Pattern:
    """The pattern that approving a card would write."""
    return read_page(preview.page, name_of(preview))


def name_of(preview: ApprovalPreview) -> str:
    """The id of the pattern that a card is about."""
    return preview.into or preview.reviewed.ranked.candidate.id


def by_program(preview: ApprovalPreview, settings: CurateSettings) -> ApprovalPreview:
    """A new draft as the drafting program words it, or as it is with a notice why that is so.

    The program may take its time: nothing is held while it runs.
    """
    if not settings.draft_command or preview.action != "created":
        return preview
    from helix_tui.curate.draft.reword_by_program import word

    worded = word(pattern_of(preview), settings.draft_command, settings.draft_timeout_seconds)
    if not worded.is_worded:
        notice = f"The drafting program was not heard: {worded.refused}."
        return preview._replace(notices=[*preview.notices, notice])
    return preview._replace(
        page=write_page(worded.pattern),
        title=worded.pattern.title,
        drafted=preview.page,
        program=settings.draft_command[0],
        words_of_log=_left(preview, worded.pattern),
    )


def by_person(preview: ApprovalPreview, text: str) -> ApprovalPreview:
    """A card in the words of a page that somebody edited; what is wrong with it is told by line.

    Words of a log that they replaced need no look any more.
    """
    if refused := refusals(text):
        raise RefusedError([RefusedPlace("the page", one.line, one.what) for one in refused])
    words, before = read_page(text, name_of(preview)), pattern_of(preview)
    if words.guidance != before.guidance:
        provenance = replace(words.provenance, guidance="person")
        words = replace(words, provenance=provenance)
    return preview._replace(
        page=write_page(words),
        title=words.title,
        drafted=preview.drafted or preview.page,
        words_of_log=_left(preview, words),
    )


def _left(preview: ApprovalPreview, words: Pattern) -> list[str]:
    before = pattern_of(preview)
    return [name for name in preview.words_of_log if getattr(words, name) == getattr(before, name)]
