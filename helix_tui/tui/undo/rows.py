"""What is said of verdicts that can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from helix_tui.schema.review import JournalLine
from helix_tui.text.human import wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Toned, fit

if TYPE_CHECKING:
    from helix_tui.engine.review.undo_preview import Restored, RestoredPattern

_WHEN, _WHAT, MOST_WHO = 17, 9, 14


class UndoableVerdict(NamedTuple):
    """A verdict of the journal, and the title of the candidate that it is on."""

    line: JournalLine
    title: str


def verdict_line(
    line: JournalLine, title: str, width: int, sign: str, who: int, widest: int
) -> list[Toned]:
    """When, what, on what, by whom in so many cells; the sign says that something is done to it.

    Titles have no more room than the widest takes: authors stay near them.
    """
    room = max(8, min(widest + 2, width - 2 - _WHEN - _WHAT - who))
    when = safe_line(line.at[:16]).replace("T", " ")
    return [
        (fit(sign, 1), "warn"),
        (fit(when, _WHEN - 1) + " ", "dim"),
        (fit(safe_line(line.action), _WHAT - 1) + " ", "strong"),
        (fit(safe_line(title, 300), room - 1) + " ", "plain"),
        (fit(safe_line(line.author, 40), who), "dim"),
    ]


def restored_lines(
    line: JournalLine, title: str, restored: Restored | None, width: int
) -> list[list[Toned]]:
    """What a verdict said, and what is again as it was when it is taken back."""
    sentences = [(safe_line(title, 300), "strong")]
    if line.note:
        sentences.append((f"The note goes: {safe_line(line.note)}", "plain"))
    if line.action == "merge":
        sentences.append((f"Apart again: {', '.join(map(safe_line, line.others))}", "plain"))
    if line.action == "split":
        sentences.append((f"Merged again: {', '.join(map(safe_line, line.others))}", "plain"))
    if restored is None:
        sentences.append(("reading…", "dim"))
    else:
        sentences.append((f"The candidate is {restored.verdict} again.", "plain"))
        sentences += [(_pattern(pattern), "warn") for pattern in restored.patterns]
        if line.writes and not restored.patterns:
            sentences.append(("No file of the catalog changes.", "dim"))
    return [[(piece, tone)] for text, tone in sentences for piece in wrap(text, width)]


def _pattern(pattern: RestoredPattern) -> str:
    name = safe_line(pattern.id)
    if not pattern.then:
        return (
            f"{name} {pattern.now} is taken out of the catalog."
            if pattern.now
            else f"{name} stays out."
        )
    if not pattern.now:
        return f"{name} {pattern.then} is in the catalog again."
    if pattern.now == pattern.then:
        return f"{name} stays {pattern.now}."
    return f"{name} is {pattern.then} again, not {pattern.now}."
