"""What stands in the list when nothing is open any more: what was decided, and what comes next."""

from __future__ import annotations

from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.review.list_state import ListState

_SAID = ("approved", "rejected", "snoozed", "merged", "discussed")


def decided_card(table: ListState, folder: str) -> list[str]:
    """Counts, files, what sleeps until when, and keys that lead on."""
    counts = table.verdict_counts
    said = ", ".join(f"{counts[name]:,} {name}" for name in _SAID if counts.get(name))
    lines = [f"All {plural(len(table), 'candidate')} are decided: {said}."]
    if len(table) == 1:
        lines = [f"The one candidate is decided: {said}."]
    if counts.get("approved") and folder:
        lines.append(f"Pages are in {safe_line(folder)}; {{screen.catalog}} shows them.")
    if days := table.wakes_on:
        lines.append(f"What is snoozed until a day comes back from {days} on.")
    lines.append(
        "{list.filter}verdict:all lists all, {verdict.history} what was decided when, "
        "{verdict.undo} takes the last one back."
    )
    lines.append("{sweep.start} sweeps for more, {screen.sessions} shows the sessions.")
    return lines
