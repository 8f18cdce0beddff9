"""What stands of a pattern below the list: its page, and what a version changed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.text.human import plural, wrap
from helix_tui.text.safe import safe_line
from helix_tui.text.told import next_step, told_words
from helix_tui.tui.kit.page_text import LINE_LIMIT, MOST_LINES, text_lines
from helix_tui.tui.kit.text_pane import Line

if TYPE_CHECKING:
    from helix_tui.engine.catalog.catalog_reader import Edition
    from helix_tui.schema.context import Told

from helix_tui.tui.catalog.rows import PatternRow


def notes_lines(row: PatternRow, width: int) -> list[Line]:
    """What is to be said of a file before its page."""
    lines: list[Line] = []
    for note in row.notes:
        tone = "bad" if note.startswith("✗") else "warn"
        lines += [[(f" {piece}", tone)] for piece in wrap(note, width - 2)]
    if row.status == "unreadable":
        advice = "Correct the file in your editor; until then Helix leaves it as it is."
        lines += [[], *([(f" {piece}", "dim")] for piece in wrap(advice, width - 2))]
    return [*lines, []] if lines else lines


def told_lines(told: Told | None, width: int) -> list[Line]:
    """The lines of instructions that say it already, with file and line, and what to do then."""
    if told is None or told.state == "no":
        return []
    texts = [(told_words(told), "warn")]
    texts += [(f"  {line.file}:{line.line}: {line.text}", "plain") for line in told.lines]
    texts += [(next_step(told), "warn")]
    return [
        [(f" {piece}", tone)]
        for text, tone in texts
        if text
        for piece in wrap(safe_line(text, LINE_LIMIT), width - 2)
    ]


def page_lines(
    row: PatternRow, edition: Edition, place: str, told: Told | None, width: int
) -> list[Line]:
    """The page of one version: what it is in a line, what is told of it already, then its text."""
    ready = ", ready for agents" if row.is_ready else ""
    agents = " ".join(row.flavors)
    facts = (
        f"{row.kind} · {row.status}{ready} · {plural(row.sessions, 'session')}"
        f" · {plural(row.repos, 'repo')} · {agents}"
    )
    origin = f"version {safe_line(edition.version, 40)}{place}"
    if edition.at:
        origin += f" · since {safe_line(edition.at, 40)[:16].replace('T', ' ')}"
    if edition.author:
        origin += f" · by {safe_line(edition.author, 40)}"
    head = [[(f" {piece}", "accent")] for piece in wrap(facts, width - 2)] if row.is_page else []
    head += [[(f" {piece}", "dim")] for piece in wrap(origin, width - 2)]
    already = told_lines(told, width)
    return [*notes_lines(row, width), *head, *already, [], *text_lines(edition.text, width)]


def diff_lines(before: Edition | None, after: Edition, width: int) -> list[Line]:
    """What one version changed, line by line, each with a sign that needs no colour."""
    if before is None:
        return [[], [("  This is the first version: there is none before it.", "dim")]]
    diff = difflib.unified_diff(
        before.text.split("\n")[:MOST_LINES],
        after.text.split("\n")[:MOST_LINES],
        safe_line(before.version, 40),
        safe_line(after.version, 40),
        lineterm="",
    )
    tones = {"+": "good", "-": "bad", "@": "accent"}
    lines: list[Line] = []
    for raw in diff:
        shown = safe_line(raw, LINE_LIMIT)
        tone = "strong" if raw.startswith(("+++", "---")) else tones.get(raw[:1], "dim")
        lines += [[(f" {piece}", tone)] for piece in wrap(shown, width - 2)]
    return lines or [[], [("  Both versions say the same.", "dim")]]


def place_of(at: int, editions: Sequence[Edition]) -> str:
    """Which of the versions is shown, and which keys lead to others."""
    if len(editions) < 2:
        return " · the only one"
    keys = "{pattern.older} {pattern.newer} go to others, {pattern.diff} shows what it changed"
    return f" · {at + 1} of {len(editions):,}, {keys}"
