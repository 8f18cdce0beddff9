"""Who worked: an agent, and where that matters in which repository."""

from __future__ import annotations

from helix_tui.agent_homes import agent_name

_IN = " in "
# More than these are counted, not named.
_MOST_NAMED = 3


def group_of(agent: str, repo: str, *, has_one_repo: bool) -> str:
    """The group that a session belongs to."""
    return agent if has_one_repo else f"{agent}{_IN}{repo or 'no repository'}"


def agent_of(group: str) -> str:
    """The agent of a group."""
    return group.partition(_IN)[0]


def group_name(group: str) -> str:
    """A group as people call it."""
    agent, sign, repo = group.partition(_IN)
    return f"{agent_name(agent)}{sign}{repo}"


def groups_named(groups: list[str]) -> str:
    """Groups in a row."""
    names = [group_name(group) for group in groups]
    if len(names) > _MOST_NAMED:
        names = [*names[: _MOST_NAMED - 1], f"{len(names) - _MOST_NAMED + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
