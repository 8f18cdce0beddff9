"""Say what of a candidate can be written down, which comes before the rest of its tier.

What people said, a way past a problem that was seen to work, or a cure that a repository's own tool
names is a line for somebody's agents. What only this repository or machine has, and nobody saw a
way past, is worth a look; so is what the sandbox of one agent refuses, which its settings may give.
What the tools say by themselves, wherever they are used, what an agent's own tools refuse, and what
is spread over repositories without a way past it, every agent overcomes at its next call or not at
all: a line would tell it nothing.
"""

from __future__ import annotations

from helix_tui.detect.kinds import OF_NETWORKS, OF_SURROUNDINGS
from helix_tui.detect.scope import is_of_agent_tool
from helix_tui.schema.candidate import Candidate, Worth
from helix_tui.schema.quality import RECURRING
from helix_tui.text.clauses import sentences_of
from helix_tui.text.leads import is_plain_way
from helix_tui.text.scripts import is_script
from helix_tui.text.shape import action_in
from helix_tui.text.shape_change import MEND, is_asked_by_tool
from helix_tui.text.standing import is_standing

_OF_A_PLACE = ("repo", "machine")
_MISSING = "command_not_found"
# What people ask for; nothing failed.
ASKED_FOR = ("instruction", "workflow")


def worth_of(candidate: Candidate) -> Worth:
    """Return whether there is a line to write, something of one place to look into, or neither."""
    if candidate.sort in ("correction", "report"):
        return "line"
    if candidate.sort in ASKED_FOR:
        return "line" if _says_when(candidate) else "look"
    if (cure := candidate.cure) is not None:
        is_shown = not cure.is_weakening and cure.further < cure.sessions
        if cure.verb == MEND and candidate.late < RECURRING:
            return "line" if candidate.hint and candidate.scope == "repo" else "known"
        if is_asked_by_tool(cure.verb, candidate.scope) or is_of_agent_tool(candidate):
            return "known"
        return "line" if is_shown else "look"
    if candidate.scope not in _OF_A_PLACE:
        return "look" if _is_of_sandbox(candidate) else "known"
    is_told = any(map(is_plain_way, candidate.leads)) or bool(candidate.hint)
    return "line" if is_told else "look"


def is_shared(candidate: Candidate) -> bool:
    """Whether something fails anywhere; what people correct in many places is the more theirs.

    What a machine has, and nobody saw a way past, fails in whatever is worked on there.
    """
    is_of_place = candidate.scope in _OF_A_PLACE
    if candidate.scope == "machine":
        is_of_place = worth_of(candidate) == "line"
    return candidate.sort in ("error", "report") and not is_of_place


def is_to_be_mended(candidate: Candidate) -> bool:
    """Whether two conversations are enough for somebody to look, though nobody got past it yet.

    A way that was seen to work once is worth trying. A script of the repository that says the same
    each time has to be mended, a program that two agents miss is to be installed, and one agent
    without a network wants other settings: who works on meets all of these again.
    """
    if candidate.tier == "rest" or candidate.sort != "error":
        return False
    if candidate.has_common_action and any(map(is_plain_way, candidate.leads)):
        return True
    if candidate.scope == "agent":
        return candidate.error_class in OF_NETWORKS
    program = action_in(candidate.shape).partition(" ")[0]
    if candidate.error_class == _MISSING:
        # What another program wanted to start is that repository's to install.
        is_of_machine = candidate.subject == program
        return is_of_machine and len({one.flavor for one in candidate.members.values()}) > 1
    is_of_script = candidate.scope == "repo" and is_script(program)
    return is_of_script and candidate.has_common_action


def is_laid_down(candidate: Candidate) -> bool:
    """Whether two conversations say what holds for every time, as a wish or a correction.

    People of one repository mean the same by it; so do those who object, and agents then edit one
    file each time, and those who run a check by hand. What they find red behind finished work is
    only grouped where it recurs, whatever they find it in.
    """
    if candidate.tier == "know":
        is_reworked = candidate.sort == "correction" and bool(candidate.reworked)
        is_by_hand = candidate.sort == "workflow" and bool(candidate.check)
        return is_reworked or (is_by_hand and candidate.scope == "repo")
    if candidate.tier != "fix":
        return False
    is_rule = candidate.sort in ("instruction", "correction", "workflow")
    return candidate.sort == "report" or (is_rule and candidate.scope == "repo")


def _is_of_sandbox(candidate: Candidate) -> bool:
    """Whether one agent meets what its surroundings do not give: its settings may."""
    return candidate.scope == "agent" and candidate.error_class in OF_SURROUNDINGS


def _says_when(candidate: Candidate) -> bool:
    """Whether people say what holds for every time, or run a check by hand that agents can run."""
    if candidate.sort == "workflow":
        return bool(candidate.check)
    quote = candidate.title.partition("“")[2].removesuffix("”")
    # News before an order is of its day.
    return is_standing(next(iter(sentences_of(quote)), ""))
