"""Versions of agents, as far as their rules differ by them."""

from __future__ import annotations

from helix_tui.schema.context import AgentName


def numbers_of(version: str) -> tuple[int, ...]:
    """The numbers of a version, as far as they go; none where it is not known."""
    numbers = []
    for part in version.split("-")[0].split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part[:9]))
    return tuple(numbers)


# When the first version was published whose rules are others than before, and the one before it.
_PUBLISHED: dict[AgentName, tuple[int, str]] = {
    "claude": (1_789_756_778_000, "2.1.276"),  # 2.1.277, on 18 September 2026
    "grok": (1_790_504_619_000, "1.0.5"),  # 1.0.41, on 27 September 2026
}


def version_at(agent: AgentName, at: int) -> str:
    """A version with the rules that an agent had at a time, in milliseconds; empty for today's.

    Nobody had a version before it was published; who had it later is not known.
    """
    published, before = _PUBLISHED.get(agent, (0, ""))
    return before if at < published else ""
