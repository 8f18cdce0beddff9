"""What is said of candidates that are merged, or taken apart again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from helix_tui.tui.actions import with_keys
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.messages import VerdictGiven

MARK_TO_MERGE = "Mark the candidates to merge with {list.mark}, two at least."


def merge_question(
    kept: ReviewRow, others: Sequence[ReviewRow], keymap: Mapping[str, tuple[str, ...]]
) -> tuple[str, list[str]]:
    """What merging is asked by: which one stays, and what counts as it from then on."""
    later = with_keys("Counted as it from now on, {candidate.split} splits again:", keymap)
    count = "another one" if len(others) == 1 else f"{len(others):,} others"
    question = f"Merge {count} into this one?"
    head = [f"Kept: {kept.rank}  {kept.title}", "", later]
    return question, [*head, *(f"  {row.rank}  {row.title}" for row in others)]


def linked(event: VerdictGiven) -> tuple[str, str]:
    """How a merge or a split is told, and on what."""
    line = next((item.line for item in event.outcomes if item.line is not None), None)
    names = [line.candidate, *line.others] if line else []
    titles = {item.brief.id: item.brief.title for item in event.fresh}
    kept_title = titles.get(names[0], names[0]) if names else ""
    if event.verdict == "merge":
        return f"Merged {len(names):,} into one", kept_title
    return f"Split, {len(names) - 1:,} apart again", kept_title
