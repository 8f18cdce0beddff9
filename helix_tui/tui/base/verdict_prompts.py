"""What is said of a candidate before somebody types, and what may not be sent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from helix_tui.errors import HelixError
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.lines import Toned
from helix_tui.tui.kit.prompt import THEN_ENTER_SENDS

if TYPE_CHECKING:
    from helix_tui.schema.review import RejectReason

UNTIL = "2026-12-01, 7d, 2w, 12 (sessions in all), +3 (more), flavor (one agent more)"
_MOST_TITLE = 200
# Which digit rejects for which reason; words are the reason `other`.
REASON_KEYS: dict[str, RejectReason] = {
    "1": "too_generic",
    "2": "wrong_guidance",
    "3": "one_off",
    "4": "noise",
}


def reasons_told() -> str:
    """The reasons for which a candidate is rejected, each with its digit."""
    from helix_tui.curate.journal.reasons import REASONS

    named = "   ".join(f"{key} {REASONS[reason]}" for key, reason in REASON_KEYS.items())
    return f"{named}   or your own words"


def thread_of(rows: Sequence[ReviewRow]) -> list[list[Toned]]:
    """The notes on a candidate, the oldest first; of several, which ones they are."""
    if len(rows) != 1:
        titles: list[list[Toned]] = [[("  ", "plain"), (row.title, "plain")] for row in rows]
        return [[(f"The note goes to each of these {len(rows):,}:", "dim")], *titles]
    notes = rows[0].listed.review.notes
    if not notes:
        return [[("No notes yet.", "dim")]]
    return [
        [
            (f"{safe_line(at[:16]).replace('T', ' ')}  ", "dim"),
            (f"{safe_line(author, 40)}: ", "accent"),
            (safe_line(note), "plain"),
        ]
        for at, author, note in notes
    ]


def thread_title(verb: str, rows: Sequence[ReviewRow]) -> str:
    """What is asked, and about which candidates."""
    if len(rows) == 1:
        return f"{verb}  {safe_line(rows[0].title, _MOST_TITLE)}"
    return f"{verb}  {len(rows):,} candidates"


def note_fault(note: str) -> str:
    """Why a note may not be written; nothing of what stands there is repeated."""
    from helix_tui.text.refuse import refusals  # takes a while to load

    refused = refusals(note)
    if not refused:
        return ""
    kinds = ", ".join(dict.fromkeys(refusal.what for refusal in refused))
    return f"Not sent: the note holds {kinds}. Take it out, {THEN_ENTER_SENDS}."


def until_fault(until: str, rows: Sequence[ReviewRow], today: date) -> str:
    """Why candidates cannot be put off like that."""
    from helix_tui.curate.journal.snooze import parse_until
    from helix_tui.curate.journal.standings import snapshot_of

    try:
        for row in rows:
            parse_until(until, snapshot_of(row.listed), today)
    except HelixError as error:
        return f"{error.what} {error.todo}".strip()
    return ""
