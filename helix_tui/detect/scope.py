"""Say whom a candidate concerns: a repository, a machine, one agent, or everyone."""

from __future__ import annotations

from collections import Counter

from helix_tui.schema.candidate import Candidate, Scope

# What a machine has or lacks, whatever is worked on there.
_OF_MACHINES = frozenset(
    {
        "command_not_found",
        "no_glob_match",
        "externally_managed_python",
        "disk_full",
        "read_only_filesystem",
        "version_too_old",
    }
)
# What the agents' own tools demand, wherever they work.
_OF_AGENTS = frozenset({"file_not_read", "invalid_patch", "tool_input_invalid", "file_too_large"})
_OF_TOOLS = frozenset({"edit", "agent", "plan"})
# What a shell does not know: one agent may have another shell than the others.
_OF_SHELLS = frozenset({"and_list_unsupported"})


# A clone in a folder of another name counts as another repository.
_MOSTLY = 0.75


def scope_of(candidate: Candidate) -> Scope:
    """Return whom a candidate concerns, by its class and by where it was seen."""
    agents = {member.flavor for member in candidate.members.values()}
    repos = {member.repo for member in candidate.members.values()}
    if candidate.error_class in _OF_MACHINES:
        return "machine"
    if candidate.error_class in _OF_SHELLS:
        return "agent" if len(agents) == 1 else "machine"
    if is_of_agent_tool(candidate):
        return "agent" if len(agents) == 1 else "everyone"
    if len(repos) == 1 or (candidate.check and _is_mostly_of_one(candidate)):
        return "repo"
    return "agent" if len(agents) == 1 else "everyone"


def is_of_agent_tool(candidate: Candidate) -> bool:
    """Whether an agent's own tool refuses a call, as it does in whatever repository it works."""
    is_of_tool = candidate.error_class in _OF_AGENTS or candidate.tool_class in _OF_TOOLS
    return is_of_tool and candidate.sort == "error"


def _is_mostly_of_one(candidate: Candidate) -> bool:
    """Whether nearly all conversations of a check were in one repository, whose step it is."""
    counted = Counter(member.repo for member in candidate.members.values())
    return max(counted.values()) >= _MOSTLY * len(candidate.members)
