"""What is said of a candidate that a team has, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema.candidate import TeamSpan
    from helix_tui.schema.review import Review


def span_words(span: TeamSpan) -> str:
    """How many of its conversations are one's own, and on how many machines of whom it is."""
    own = f"{span.own:,} of {span.all:,} yours" if span.own else "none of them yours"
    return f"{own}, on {plural(span.machines, 'machine')} of {plural(span.people, 'member')}"


def decided_words(review: Review) -> str:
    """Who decided, who decided otherwise before, and who is to look at it; empty for nobody."""
    parts = []
    if review.verdict != "open":
        parts.append(f"{review.verdict} by {safe_line(review.author, 40)} {review.at[:10]}")
    parts += [f"{safe_line(one.author, 40)} {one.verdict} it before" for one in review.against]
    if review.assigned:
        parts.append(f"for {safe_line(review.assigned, 40)} to look at")
    return "; ".join(parts)
