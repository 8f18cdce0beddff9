"""What is said of marked rows, and of those that a filter hides."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.text.human import plural
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.review.list_state import ListState

_MOST_TITLES = 12


def marks_told(table: ListState, *, is_short: bool = False) -> str:
    """How many marked rows a verdict hits, and how many are marked that it does not."""
    if not table.marked:
        return ""
    hidden = table.hidden_marks
    if not hidden:
        return f" · {len(table.marked):,} marked"
    why = "" if is_short else " by the filter"
    return f" · {len(table.marked) - hidden:,} marked, {hidden:,} more hidden{why}"


def hidden_question(hidden: Sequence[ReviewRow]) -> tuple[str, list[str]]:
    """What is asked before a key is on rows of which some are not seen."""
    verb = "is" if len(hidden) == 1 else "are"
    question = f"{plural(len(hidden), 'marked candidate')} {verb} hidden by the filter. Take along?"
    lines = [f"  {row.rank}  {row.title}" for row in hidden[:_MOST_TITLES]]
    more = len(hidden) - len(lines)
    return question, [*lines, f"  and {more:,} more"] if more else lines


def without_hidden(marked: Sequence[ReviewRow]) -> str:
    """What is left where they are not taken along."""
    if not marked:
        return "only the one under the cursor"
    return f"only the {len(marked):,} that are shown" if len(marked) > 1 else "only the shown one"
