"""Other words for a card: those of the drafting program, or of the reviewer in an editor."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.curate.page.page import read_page, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.errors import Place, RefusedError
from helix_tui.schema.board import Card
from helix_tui.schema.curation import CurateSettings
from helix_tui.text.refuse import refusals


def pattern_of(card: Card) -> Pattern:
    """The pattern that approving a card would write."""
    return read_page(card.page, name_of(card))


def name_of(card: Card) -> str:
    """The id of the pattern that a card is about."""
    return card.into or card.reviewed.ranked.candidate.id


def by_program(card: Card, settings: CurateSettings) -> Card:
    """A new draft as the drafting program words it, or as it is with a notice why that is so.

    The program may take its time: nothing is held while it runs.
    """
    if not settings.draft_command or card.action != "created":
        return card
    from helix_tui.curate.draft.drafter import word

    worded = word(pattern_of(card), settings.draft_command, settings.draft_timeout_seconds)
    if not worded.is_worded:
        notice = f"The drafting program was not heard: {worded.refused}."
        return card._replace(notices=[*card.notices, notice])
    return card._replace(
        page=write_page(worded.pattern),
        title=worded.pattern.title,
        drafted=card.page,
        program=settings.draft_command[0],
        words_of_log=_left(card, worded.pattern),
    )


def by_person(card: Card, text: str) -> Card:
    """A card in the words of a page that somebody edited; what is wrong with it is told by line.

    Words of a log that they replaced need no look any more.
    """
    if found := refusals(text):
        raise RefusedError([Place("the page", one.line, one.what) for one in found])
    words, before = read_page(text, name_of(card)), pattern_of(card)
    if words.guidance != before.guidance:
        provenance = replace(words.provenance, guidance="person")
        words = replace(words, provenance=provenance)
    return card._replace(
        page=write_page(words),
        title=words.title,
        drafted=card.drafted or card.page,
        words_of_log=_left(card, words),
    )


def _left(card: Card, words: Pattern) -> list[str]:
    before = pattern_of(card)
    return [name for name in card.words_of_log if getattr(words, name) == getattr(before, name)]
