"""stub"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from helix_tui.curate.pattern import Pattern
from helix_tui.schema.candidate import Candidate


class Resemblance(NamedTuple):
    """x"""

    pattern_id: str
    kind: Literal["same", "near", "covered"]
    reason: str


def resembles(
    draft: Pattern, candidate: Candidate, patterns: Sequence[Pattern], alike: int
) -> list[Resemblance]:
    """x"""
    return []
