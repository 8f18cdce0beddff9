"""What came behind a finding: what agents took back, and what else then failed."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.schema.candidate import Candidate
from helix_tui.schema.quality import RECURRING
from helix_tui.text.shape import action_in


def came_of_it(candidate: Candidate) -> Iterator[str]:
    """A line for each thing that came behind it in two conversations or more."""
    if candidate.taken_back >= RECURRING:
        back = f"in {candidate.taken_back:,} of the {len(candidate.members):,} conversations"
        yield f"behind it agents took their edits of `{candidate.reworked}` back, {back}"
    for one in candidate.follows:
        yield f"behind it `{action_in(one.shape)}` fails: “{one.said}”"
