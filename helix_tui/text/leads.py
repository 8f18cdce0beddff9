"""Ways past a problem that were each seen to work in one conversation."""

from __future__ import annotations

import re

from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.text.shape_change import ESCALATED
from helix_tui.text.weakening_ways import way_weakens
from helix_tui.text.weakens import variable_weakens

_OF_A_PLACE = ("repo", "machine")
_MISSING = "command_not_found"
# Run so often again and passed each time, a way is one that its conversation kept to.
_KEPT = 2
_SHELL, _SET = "$ ", "set "
_VARIABLES = re.compile(r"\$ (?:[A-Za-z_]\w{0,60}=[^\s'\"$`;|&<>]{0,200} )+")
_HIDDEN = "/dev/null"


def is_kept_to(lead: Remedy) -> bool:
    """Whether the conversation that found a way kept to it, and it passed each time."""
    return lead.again >= _KEPT and lead.further < lead.sessions


def seen_words(lead: Remedy) -> str:
    """How often a way was seen, in words."""
    seen = "seen to work in one conversation"
    return f"{seen}, which ran it so {lead.again + 1} times" if is_kept_to(lead) else seen


def hiding_variables(lead: Remedy) -> str:
    """The variables of a way that only hides something from a program, as they were set.

    One of them is set to /dev/null (`GIT_DIR=/dev/null`), none to what switches a guard off.
    """
    found = _VARIABLES.match(lead.works)
    if found is None or not all(edit.startswith(_SET) for edit in lead.verb.split(", ")):
        return ""
    words = found[0].removeprefix(_SHELL).split()
    values = [word.partition("=")[::2] for word in words]
    is_hidden = any(value == _HIDDEN for _, value in values)
    if not is_hidden or any(variable_weakens(name, value) for name, value in values):
        return ""
    rest = f"{_SHELL}{lead.works[found.end() :]}"
    return "" if way_weakens("", rest) else " ".join(words)


def is_plain_way(lead: Remedy) -> bool:
    """Whether a way past a problem, seen once, is one to be told: no guard is given up by it.

    What hides something from a program is told where the conversation kept to it.
    """
    if ESCALATED in lead.verb:
        return False
    return not way_weakens(lead.verb, lead.works) or (
        is_kept_to(lead) and bool(hiding_variables(lead))
    )


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
