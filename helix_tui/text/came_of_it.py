"""What stands below a finding: who told it, what agents took back behind it, what else failed."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.schema.candidate import Candidate
from helix_tui.schema.quality import RECURRING
from helix_tui.text.shape import action_in


def came_of_it(candidate: Candidate) -> Iterator[str]:
    """A line for whose words and ways it tells, and for each thing that came behind it in two."""
    if candidate.drawn:
        read = f"{len(candidate.drawn):,} of them"
        yield f"what it says, and how often a way worked, is read from {read}"
    if candidate.taken_back >= RECURRING:
        back = f"in {candidate.taken_back:,} of the {len(candidate.read):,} conversations"
        yield f"behind it agents took their edits of `{candidate.reworked}` back, {back}"
    for one in candidate.follows:
        yield f"behind it `{action_in(one.shape)}` fails: “{one.said}”"
