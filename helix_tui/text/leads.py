"""Ways past a problem that were each seen to work in one conversation."""

from __future__ import annotations

from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.text.shape_change import ESCALATED
from helix_tui.text.weakening_ways import way_weakens

_OF_A_PLACE = ("repo", "machine")
_MISSING = "command_not_found"
# Run so often again and passed each time, a way is one that its conversation kept to.
_KEPT = 2


def is_kept_to(lead: Remedy) -> bool:
    """Whether the conversation that found a way kept to it, and it passed each time."""
    return lead.again >= _KEPT and lead.further < lead.sessions


def seen_words(lead: Remedy) -> str:
    """How often a way was seen, in words."""
    seen = "seen to work in one conversation"
    return f"{seen}, which ran it so {lead.again + 1} times" if is_kept_to(lead) else seen


def is_plain_way(lead: Remedy) -> bool:
    """Whether a way past a problem, seen once, is one to be told: no guard is given up by it.

    What hides something from a program (`GIT_DIR=/dev/null`) is never one, however often it passed.
    """
    return ESCALATED not in lead.verb and not way_weakens(lead.verb, lead.works)


def exact_lead(candidate: Candidate) -> Remedy | None:
    """Return the way to try, where one place has the problem and all ways seen are plain ones.

    Another program in the place of a missing one is what any agent turns to by itself. Where the
    output of what failed names the cure, that says more.
    """
    is_of_place = candidate.scope in _OF_A_PLACE and candidate.has_common_action
    if not is_of_place or candidate.error_class == _MISSING or candidate.hint:
        return None
    if candidate.cure is not None or not candidate.leads:
        return None
    proven = [one for one in candidate.leads if one.further < one.sessions]
    return proven[0] if proven and all(map(is_plain_way, candidate.leads)) else None
